//! Rows of a time, by ids: they grow with it, and a page can begin at any.

use chrono::{DateTime, Utc};

use crate::db::{Db, DbError, Sql};

/// The first id of rows of a time and the first that is too late, as `first_since` finds each: the id of the first row that was
/// written then (`$1`) or later.
pub async fn ids_between(
    db: &Db,
    first_since: Sql,
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
) -> Result<(i64, i64), DbError> {
    let first = async |time: Option<DateTime<Utc>>, otherwise: i64| match time {
        None => Ok(otherwise),
        Some(time) => {
            let found = db.read(first_since).bind(time).optional_scalar::<i64>().await?;
            Ok::<_, DbError>(found.unwrap_or(i64::MAX))
        }
    };
    Ok((first(from, 0).await?, first(until, i64::MAX).await?))
}
