//! Changing the key: a new one seals from now on, what lies under older ones is sealed anew, and those are deleted.
//!
//! It goes in small steps while the shop runs. Where it is interrupted, the job `digital_secrets.reencrypt` goes on.

use serde_json::{Value, json};
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use super::{DataKey, Opener, SealedValue, VaultError, active_key, make_key, queries};
use crate::pools::lock_pool;

/// Values that are sealed anew in one transaction.
const BATCH: i64 = 200;

/// What a rotation has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) struct Rotated {
    /// The key that is in use now.
    pub(crate) key_id: i64,
    /// Values that were sealed anew.
    pub(crate) values: u64,
    /// Values that cannot be opened, and stay as they are.
    pub(crate) unreadable: u64,
    /// Older keys that are gone.
    pub(crate) deleted_keys: u64,
}

/// Makes a new key and seals everything with it.
pub(crate) async fn rotate(db: &Db, random: &Random, cipher: &Cipher) -> Result<Rotated, VaultError> {
    let made = db.write(async |tx| -> Result<DataKey, VaultError> {
        let key = make_key(tx, random, cipher).await?;
        let now = tx.now();
        tx.run(queries::RETIRE_OTHERS).bind(key.id).bind(now).execute().await?;
        let subject = Subject::new("digital-secrets-key", key.id);
        tx.audit_operator("digital_secrets.rotate-key", subject, Value::Null, Value::Null).await?;
        Ok(key)
    });
    made.await?;
    reencrypt(db, random, cipher).await
}

/// Seals with the key in use whatever lies under another, and deletes keys that nothing lies under.
pub(crate) async fn reencrypt(db: &Db, random: &Random, cipher: &Cipher) -> Result<Rotated, VaultError> {
    let key = db.write(async |tx| active_key(tx, random, cipher).await).await?;
    let (mut values, mut unreadable) = (0, 0);
    for (pool_id, pool) in db.read(queries::LIST_POOLS).all::<(i64, String)>().await? {
        let mut after = 0;
        while let Some(step) = batch(db, random, cipher, &key, (pool_id, &pool), after).await? {
            after = step.last;
            values += step.values;
            unreadable += step.unreadable;
        }
    }
    let mut deleted_keys = 0;
    for id in db.read(queries::LIST_RETIRED).bind(key.id).scalars::<i64>().await? {
        let deleted = db.write(async |tx| tx.run(queries::DELETE_UNUSED).bind(id).execute().await).await;
        match deleted {
            Ok(deleted) => deleted_keys += deleted,
            // Somebody who had begun before has sealed with it just now: it goes with the next run.
            Err(error) if error.is_foreign_key_violation() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Rotated { key_id: key.id, values, unreadable, deleted_keys })
}

#[derive(sqlx::FromRow)]
struct Outdated {
    id: i64,
    sealed_value: String,
    key_id: i64,
    sealed_key: Vec<u8>,
}

/// What came of some values.
struct RotationBatch {
    /// The last one's id.
    last: i64,
    values: u64,
    unreadable: u64,
}

/// Seals the next values of a pool anew; nothing when there are no more.
async fn batch(
    db: &Db,
    random: &Random,
    cipher: &Cipher,
    key: &DataKey,
    (pool_id, pool): (i64, &str),
    after: i64,
) -> Result<Option<RotationBatch>, VaultError> {
    let outdated = db.read(queries::LIST_OUTDATED).bind(key.id).bind(after).bind(BATCH);
    let outdated = outdated.bind(pool_id).all::<Outdated>().await?;
    let Some(last) = outdated.last().map(|value| value.id) else { return Ok(None) };
    let (mut opener, mut unreadable) = (Opener::new(random, cipher), 0);
    let mut resealed = Vec::with_capacity(outdated.len());
    for Outdated { id, sealed_value, key_id, sealed_key } in outdated {
        match opener.open(&SealedValue { value_id: id, content: sealed_value, key_id, sealed_key }) {
            Ok(value) => resealed.push(json!({"id": id, "key_id": key_id, "sealed": key.seal(id, &value)})),
            Err(VaultError::Db(error)) => return Err(error.into()),
            Err(error @ (VaultError::Unreadable(_) | VaultError::Malformed(..))) => {
                tracing::error!(value.id = id, error = %error, "a digital secret cannot be decrypted");
                unreadable += 1;
            }
        }
    }
    let resealed = Value::Array(resealed).to_string();
    let changed = db.write(async |tx| -> Result<u64, DbError> {
        // Several rows at once: without the lock, this and a delivery could wait for each other.
        lock_pool(tx, pool).await?;
        tx.run(queries::RESEAL).bind(resealed.as_str()).bind(key.id).execute().await
    });
    Ok(Some(RotationBatch { last, values: changed.await?, unreadable }))
}
