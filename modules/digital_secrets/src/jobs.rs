//! Scheduled work.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::config::Config;
use crate::queries;
use crate::vault::{VaultError, count_outdated, reencrypt};

/// Readings that are forgotten in one transaction.
const BATCH: i64 = 1000;

/// Forgets who has read what, once that is older than the operator wants to keep it.
pub(crate) struct ForgetReveals {
    keep: Option<TimeDelta>,
}

impl ForgetReveals {
    pub(crate) fn new(config: &Config) -> Self {
        let days = config.keep_reveals_days;
        Self { keep: (days > 0).then(|| TimeDelta::days(i64::from(days))) }
    }
}

impl Job for ForgetReveals {
    type Uses = Db;

    const NAME: &'static str = "digital_secrets.forget_reveals";
    const EVERY: Duration = Duration::from_hours(24);
    const DOES: &'static str = "deletes old records of who has read which value";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let Some(keep) = self.keep else { return Ok(()) };
        loop {
            let forgotten = db.write(async |tx| -> Result<u64, DbError> {
                let oldest = tx.now() - keep;
                tx.run(queries::DELETE_OLD_REVEALS).bind(oldest).bind(BATCH).execute().await
            });
            if forgotten.await.map_err(|error| error.to_string())? < BATCH.unsigned_abs() {
                return Ok(());
            }
        }
    }
}

/// Goes on with a change of the key that was interrupted.
pub(crate) struct Reencrypt;

impl Job for Reencrypt {
    type Uses = (Db, Random, Cipher);

    const NAME: &'static str = "digital_secrets.reencrypt";
    const EVERY: Duration = Duration::from_hours(1);
    const DOES: &'static str = "goes on with a change of the key";

    async fn run(&self, (db, random, cipher): &Self::Uses) -> Result<(), String> {
        let failed = |error: VaultError| error.to_string();
        // Looking first keeps a shop whose key was never changed from writing.
        if count_outdated(db).await.map_err(|error| error.to_string())? == 0 {
            return Ok(());
        }
        let rotated = reencrypt(db, random, cipher).await.map_err(failed)?;
        match rotated.unreadable {
            0 => Ok(()),
            unreadable => Err(format!("{unreadable} values cannot be decrypted; `stoa doctor` tells about the keys")),
        }
    }
}
