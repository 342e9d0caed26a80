//! The connection that a copy reads or writes through, in its transaction.

use sqlx::Transaction;
use sqlx_postgres::Postgres;
use sqlx_sqlite::Sqlite;

pub(super) enum Connection {
    Sqlite(Transaction<'static, Sqlite>),
    Postgres(Transaction<'static, Postgres>),
}
