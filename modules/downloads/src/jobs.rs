//! Scheduled work.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::error_chain;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::grants::{Scope, grant_missing};
use crate::integrity::{Depth, check_all};
use crate::queries;
use crate::routes::DownloadsState;
use crate::storage::StorageKey;
use crate::upload::discard;

/// After this time nobody is uploading any more.
const LONGEST_UPLOAD: TimeDelta = TimeDelta::days(2);

/// Rows that are handled at once.
const BATCH: i64 = 500;

/// Gives buyers what they lack, should a file have been attached while the program was killed.
pub(crate) struct GrantMissing(pub(crate) DownloadsState);

impl Job for GrantMissing {
    type Uses = (Db, Random);

    const NAME: &'static str = "downloads.grant";
    const EVERY: Duration = Duration::from_hours(1);
    const DOES: &'static str = "gives buyers the files that they lack";

    async fn run(&self, (db, random): &Self::Uses) -> Result<(), String> {
        let products = db.read(queries::PRODUCTS_MISSING).scalars::<i64>().await;
        for product in products.map_err(|error| error_chain(&error))? {
            let granted = grant_missing(db, random, &self.0.config, Scope::Product(product)).await;
            let granted = granted.map_err(|error| error_chain(&error))?;
            tracing::info!(granted, product.id = product, "files were granted to buyers who lacked them");
        }
        Ok(())
    }
}

/// Looks whether everything that was sold is still there.
pub(crate) struct CheckStorage(pub(crate) DownloadsState);

impl Job for CheckStorage {
    type Uses = Db;

    const NAME: &'static str = "downloads.check";
    const EVERY: Duration = Duration::from_hours(24);
    const DOES: &'static str = "looks whether every stored file is there";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let checked = check_all(db, &self.0.storage, Depth::Size, || {}).await;
        for found in checked.map_err(|error| error_chain(&error))? {
            let Some(problem) = found.problem else { continue };
            let version = found.version;
            tracing::error!(product = version.product, filename = version.filename, problem, "a file is damaged");
        }
        Ok(())
    }
}

/// Removes what nobody needs: uploads that a crash has cut off, versions that newer ones have replaced, the old log.
pub(crate) struct CleanUp(pub(crate) DownloadsState);

impl Job for CleanUp {
    type Uses = Db;

    const NAME: &'static str = "downloads.cleanup";
    const EVERY: Duration = Duration::from_hours(6);
    const DOES: &'static str = "removes replaced files, broken uploads and the old log";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let now = db.now();
        let (storage, config) = (&self.0.storage, &self.0.config);
        let uploads = db.read(queries::ABANDONED_UPLOADS).bind(now - LONGEST_UPLOAD).bind(BATCH);
        for key in uploads.scalars::<StorageKey>().await.map_err(|error| error_chain(&error))? {
            discard(db, storage, &key).await;
        }
        self.remove_versions(db, now - TimeDelta::days(config.keep_versions_days)).await?;
        prune_log(db, now - TimeDelta::days(config.log_days)).await.map_err(|error| error_chain(&error))
    }
}

impl CleanUp {
    async fn remove_versions(&self, db: &Db, before: DateTime<Utc>) -> Result<(), String> {
        let superseded = db.read(queries::SUPERSEDED).bind(before).bind(BATCH);
        for (id, key) in superseded.all::<(i64, StorageKey)>().await.map_err(|error| error_chain(&error))? {
            // The object first: a row without an object is tried again, an object without a row would stay for ever.
            self.0.storage.remove(&key).await.map_err(|error| error_chain(&error))?;
            let deleted = db.write(async |tx| tx.run(queries::DELETE_VERSION).bind(id).execute().await);
            deleted.await.map_err(|error: DbError| error_chain(&error))?;
        }
        Ok(())
    }
}

async fn prune_log(db: &Db, before: DateTime<Utc>) -> Result<(), DbError> {
    loop {
        let batch = db.write(async |tx| -> Result<u64, DbError> {
            tx.run(queries::PRUNE_LOG).bind(before).bind(BATCH).execute().await
        });
        if batch.await? < BATCH.unsigned_abs() {
            return Ok(());
        }
    }
}
