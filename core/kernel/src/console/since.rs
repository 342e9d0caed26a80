//! Rows of a time, by ids: they grow with it, and a page can begin at any.

use chrono::{DateTime, Utc};

use super::Direction;
use crate::db::{Db, DbError, Sql};

/// Between which ids rows are looked for; what does not bound them is none, so that a statement says nothing of it. SQLite takes two
/// bounds of ids for a better way than any index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdsBetween {
    /// The least id.
    pub first: Option<i64>,
    /// The first id that is too high.
    pub below: Option<i64>,
}

impl IdsBetween {
    /// Of these, the ids that follow the last one of the page before this way, if there was one.
    #[must_use]
    pub fn behind(self, last: Option<i64>, direction: Direction) -> Self {
        match direction {
            Direction::Descending => self.below(last),
            Direction::Ascending => Self { first: self.first.max(last.map(|last| last.saturating_add(1))), ..self },
        }
    }

    /// Of these, the ids below the last one of the page before, if there was one.
    #[must_use]
    pub fn below(self, last: Option<i64>) -> Self {
        let below = match (self.below, last) {
            (Some(below), Some(last)) => Some(below.min(last)),
            (below, last) => below.or(last),
        };
        Self { below, ..self }
    }
}

/// The ids of rows of a time, as `first_since` finds each bound: the id of the first row that was written then (`$1`) or later.
pub async fn ids_between(
    db: &Db,
    first_since: Sql,
    from: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
) -> Result<IdsBetween, DbError> {
    let first = async |time: Option<DateTime<Utc>>| match time {
        None => Ok(None),
        Some(time) => {
            let found = db.read(first_since).bind(time).optional_scalar::<i64>().await?;
            Ok::<_, DbError>(Some(found.unwrap_or(i64::MAX)))
        }
    };
    Ok(IdsBetween { first: first(from).await?, below: first(until).await? })
}
