//! Finding out whether something stands between the shop and PostgreSQL that hands each transaction to another server process.

use sqlx::{Row, raw_sql};
use sqlx_postgres::PgConnection;

const WHO: &str = "SELECT pg_backend_pid()::text";

/// What a pooler says to whoever begins as to PostgreSQL itself, such as "unsupported startup parameter: options".
const UNKNOWN_PARAMETER: &str = "unsupported startup parameter";

/// Whether a pooler was told what it does not understand.
pub(super) fn has_refused(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.message().contains(UNKNOWN_PARAMETER))
}

/// Whether two connections that are open at once share server processes, as only a pooler lets them.
pub(super) async fn is_between(one: &mut PgConnection, other: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let first = who(one).await?;
    Ok(who(other).await? == first || who(one).await? != first)
}

async fn who(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    raw_sql(WHO).fetch_one(connection).await?.try_get(0)
}
