//! The connection that a copy reads or writes through, in its transaction.

use sqlx::{Postgres, Sqlite, Transaction};

pub(super) enum Connection {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}
