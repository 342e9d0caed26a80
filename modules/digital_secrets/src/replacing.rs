//! A faulty value is taken out: replaced by another one of the same unit, or voided before anybody got it.

use chrono::{DateTime, Utc};
use serde_json::json;
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;
use stoa_core::secret::Secret;

use self::queries::{FIND_LIVE, FIND_UNIT_POOL, FIND_VALUE_POOL, INSERT_CHANGE, TAKE_NEXT, VOID_AVAILABLE, VOID_LIVE};
use crate::granting::{Maker, seal_one};
use crate::hint::hint;
use crate::pattern::Pattern;
use crate::pools::lock_pool;
use crate::queries::INSERT_FOR_UNIT;
use crate::vault::{Fingerprints, VaultError, active_key};

mod queries;

/// The longest reason, in characters.
pub(crate) const LONGEST_REASON: usize = 500;

/// Where the new value comes from.
#[derive(Debug)]
pub(crate) enum Replacement {
    /// The pool, or the product's pattern.
    Next,
    /// The operator.
    Given(Secret),
}

/// Why a value was not taken out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplaceError {
    /// There is no such unit.
    #[error("there is no digital secret {0}; `stoa digital-secrets list` shows all")]
    UnknownUnit(i64),
    /// There is no such value.
    #[error("there is no value {0}; `stoa digital-secrets values POOL` shows those of a pool")]
    UnknownValue(i64),
    /// The unit has no value that could be replaced.
    #[error("digital secret {0} is {1}: only one that has a value, reserved or delivered, can be replaced")]
    NotReplaceable(i64, String),
    /// The value belongs to somebody.
    #[error(
        "value {0} is {1}: only one that is available can be voided; `stoa digital-secrets replace` takes others out"
    )]
    NotAvailable(i64, String),
    /// There is nothing to replace it with.
    #[error("the pool `{0}` is empty: add values to it, or give one with --from")]
    Empty(String),
    /// The pool has had the given value before.
    #[error("the pool has, or has had, this value already: give another one")]
    Duplicate,
    /// A value could not be made.
    #[error("{0}")]
    Failed(String),
    /// A key cannot be used.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<ListenerError> for ReplaceError {
    fn from(error: ListenerError) -> Self {
        match error {
            ListenerError::Db(error) => Self::Db(error),
            ListenerError::Veto(veto) => Self::Failed(format!("refused on `{}`", veto.field)),
            ListenerError::Failed(text) => Self::Failed(text),
        }
    }
}

/// What was replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Replaced {
    /// The unit, as the API knows it.
    pub(crate) id: i64,
    /// The value that is void now.
    pub(crate) voided_value_id: i64,
    /// The value in its place.
    pub(crate) value_id: i64,
}

#[derive(sqlx::FromRow)]
struct Live {
    value_id: i64,
    value_state: String,
    delivered_at: Option<DateTime<Utc>>,
}

/// Gives a unit another value; the old one is void and never given to anybody again.
pub(crate) async fn replace(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    unit_id: i64,
    with: &Replacement,
    reason: Option<&str>,
) -> Result<Replaced, ReplaceError> {
    db.write(async |tx| replace_in(tx, random, cipher, unit_id, with, reason).await).await
}

async fn replace_in(
    tx: &mut Tx,
    random: &Random,
    cipher: &Cipher,
    unit_id: i64,
    with: &Replacement,
    reason: Option<&str>,
) -> Result<Replaced, ReplaceError> {
    let found = tx.run(FIND_UNIT_POOL).bind(unit_id).optional::<(String, Option<String>, String)>().await?;
    let (pool_name, pattern, state) = found.ok_or(ReplaceError::UnknownUnit(unit_id))?;
    let pool = lock_pool(tx, &pool_name).await?;
    let live = tx.run(FIND_LIVE).bind(unit_id).optional::<Live>().await?;
    let live = live.ok_or(ReplaceError::NotReplaceable(unit_id, state))?;
    // Before the new one comes: a unit has one at most.
    tx.run(VOID_LIVE).bind(live.value_id).execute().await?;
    let now = tx.now();
    let delivered_at = live.delivered_at.map(|_| now);
    let value_id = match (with, pattern) {
        (Replacement::Given(value), _) => {
            let key = active_key(tx, random, cipher).await?;
            let fingerprint = Fingerprints::new(cipher).of(pool.id, value);
            let insert = tx.run(INSERT_FOR_UNIT).bind(pool.id).bind(unit_id).bind(live.value_state.as_str());
            let insert = insert.bind("added").bind(fingerprint).bind(hint(value.expose())).bind(now);
            let id = insert.bind(delivered_at).optional_scalar::<i64>().await?.ok_or(ReplaceError::Duplicate)?;
            seal_one(tx, &key, id, value).await?;
            id
        }
        (Replacement::Next, Some(pattern)) => {
            let pattern = Pattern::parse(&pattern).map_err(ReplaceError::Failed)?;
            let maker = Maker::new(tx, random, cipher).await?;
            maker.make(tx, pool.id, unit_id, &live.value_state, delivered_at, &pattern).await?
        }
        (Replacement::Next, None) => {
            let take = tx.run(TAKE_NEXT).bind(pool.id).bind(unit_id).bind(live.value_state.as_str());
            let taken = take.bind(delivered_at).optional_scalar::<i64>().await?;
            taken.ok_or(ReplaceError::Empty(pool_name))?
        }
    };
    let change = tx.run(INSERT_CHANGE).bind(unit_id).bind(live.value_id).bind(value_id).bind("replaced");
    change.bind(reason).bind(now).execute().await?;
    let (before, after) = (json!({"value_id": live.value_id}), json!({"value_id": value_id, "reason": reason}));
    tx.audit_operator("digital_secrets.replace", Subject::new("digital-secret", unit_id), before, after).await?;
    Ok(Replaced { id: unit_id, voided_value_id: live.value_id, value_id })
}

/// Takes a value out of its pool before anybody gets it.
pub(crate) async fn void(db: &Db, value_id: i64, reason: Option<&str>) -> Result<(), ReplaceError> {
    let voided = db.write(async |tx| -> Result<(), ReplaceError> {
        let found = tx.run(FIND_VALUE_POOL).bind(value_id).optional::<(String, String)>().await?;
        let (pool_name, state) = found.ok_or(ReplaceError::UnknownValue(value_id))?;
        lock_pool(tx, &pool_name).await?;
        if tx.run(VOID_AVAILABLE).bind(value_id).execute().await? == 0 {
            return Err(ReplaceError::NotAvailable(value_id, state));
        }
        let now = tx.now();
        let change = tx.run(INSERT_CHANGE).bind(None::<i64>).bind(value_id).bind(None::<i64>).bind("voided");
        change.bind(reason).bind(now).execute().await?;
        let after = json!({"state": "voided", "reason": reason});
        let subject = Subject::new("digital-secret-value", value_id);
        Ok(tx.audit_operator("digital_secrets.void", subject, json!({"state": state}), after).await?)
    });
    voided.await
}
