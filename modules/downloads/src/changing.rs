//! What operators change about what a buyer may download, at the command line and in the console.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::model::Grant;
use crate::queries;

/// Longest reason of taking something back, in characters.
pub(crate) const MAX_REASON: usize = 500;

/// Why nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GrantError {
    /// There is none.
    #[error("there is no download `{0}`; give its id or token, as `stoa downloads grants` shows them")]
    Unknown(String),
    /// It would have fewer downloads than were made.
    #[error("--limit: more downloads than that were counted already; `stoa downloads revoke` ends them")]
    Counted,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The grant with this id or token.
pub(crate) async fn find_grant(db: &Db, given: &str) -> Result<Grant, GrantError> {
    let given = given.trim();
    // A token is longer than any id.
    let id = given.parse::<i64>().ok();
    let token = id.is_none().then_some(given);
    let found = db.read(queries::LIST_GRANTS).bind(None::<i64>).bind(None::<&str>).bind(None::<&str>);
    let found = found.bind(id).bind(token).bind(1_i64).bind(None::<i64>).optional::<Grant>().await?;
    found.ok_or_else(|| GrantError::Unknown(given.to_owned()))
}

/// Takes a grant back from its buyer, unless that was done before.
pub(crate) async fn revoke(db: &Db, id: i64, reason: &str) -> Result<bool, DbError> {
    db.write(async |tx| {
        let now = tx.now();
        let revoked = tx.run(queries::REVOKE).bind(id).bind(now).bind(reason).execute().await? > 0;
        if revoked {
            tx.audit_operator("downloads.revoke", subject(id), Value::Null, json!({"reason": reason})).await?;
        }
        Ok(revoked)
    })
    .await
}

/// Gives a grant back that was taken back, unless its unit was refunded.
pub(crate) async fn give_back(db: &Db, id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        let is_back = tx.run(queries::UNDO_REVOKE).bind(id).execute().await? > 0;
        if is_back {
            tx.audit_operator("downloads.give-back", subject(id), Value::Null, Value::Null).await?;
        }
        Ok(is_back)
    })
    .await
}

/// Gives a buyer so many downloads in all, and so many days from now on; 0 has no end. With neither, one more download.
pub(crate) async fn extend(db: &Db, id: i64, limit: Option<i64>, days: Option<i64>) -> Result<(), GrantError> {
    db.write(async |tx| -> Result<(), GrantError> {
        let before = bounds(tx, id).await?;
        if limit.is_none() && days.is_none() {
            tx.run(queries::ADD_DOWNLOAD).bind(id).bind(1_i64).execute().await?;
        }
        if let Some(limit) = limit {
            let limit = Some(limit).filter(|limit| *limit > 0);
            if tx.run(queries::SET_LIMIT).bind(id).bind(limit).execute().await? == 0 {
                return Err(GrantError::Counted);
            }
        }
        if let Some(days) = days {
            let until = Some(days).filter(|days| *days > 0).map(|days| tx.now() + TimeDelta::days(days));
            tx.run(queries::SET_EXPIRY).bind(id).bind(until).execute().await?;
        }
        let after = bounds(tx, id).await?;
        Ok(tx.audit_operator("downloads.extend", subject(id), before, after).await?)
    })
    .await
}

/// How often and until when a grant may be used, as the audit log tells it.
async fn bounds(tx: &mut Tx, id: i64) -> Result<Value, DbError> {
    let (limit, expires_at) =
        tx.run(queries::FIND_BOUNDS).bind(id).one::<(Option<i64>, Option<DateTime<Utc>>)>().await?;
    Ok(json!({"limit": limit, "expires_at": expires_at}))
}

fn subject(id: i64) -> Subject {
    Subject::new("download", id)
}
