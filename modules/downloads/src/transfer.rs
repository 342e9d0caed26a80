//! Starting a transfer: counted and logged in one transaction, before the first byte is sent.

use std::ops::Range;

use stoa_core::prelude::*;

use crate::config::Config;
use crate::entitlement::{Charge, Refusal, Standing};
use crate::model::GrantedFile;
use crate::queries;

/// How often a grant that others change at the same time is looked at again.
const ATTEMPTS: u32 = 3;

/// Why a transfer was not started.
#[derive(Debug)]
pub(crate) enum StartError {
    /// The grant does not allow it.
    Refused(Refusal),
    /// The grant is gone, or was changed by others all the time.
    Changing,
    /// The database failed.
    Db(DbError),
}

impl From<DbError> for StartError {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl From<StartError> for ApiError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Refused(refusal) => refusal.into(),
            StartError::Changing => Self::unavailable("a download was changed by others while it was to be counted"),
            StartError::Db(error) => error.into(),
        }
    }
}

/// Counts a transfer of these bytes if it has to be, and notes it in the log.
pub(crate) async fn start(
    db: &Db,
    config: &Config,
    file: &GrantedFile,
    range: &Range<u64>,
) -> Result<Charge, StartError> {
    db.write(async |tx| -> Result<Charge, StartError> {
        let charge = charge(tx, config, file.grant_id, range.start).await?;
        let now = tx.now();
        let log = tx.run(queries::LOG_TRANSFER).bind(file.grant_id).bind(file.version);
        let log = log.bind(signed(range.start)).bind(signed(range.end) - 1);
        log.bind(charge == Charge::Counted).bind(now).execute().await?;
        Ok(charge)
    })
    .await
}

async fn charge(tx: &mut Tx, config: &Config, grant_id: i64, first_byte: u64) -> Result<Charge, StartError> {
    let now = tx.now();
    for _ in 0..ATTEMPTS {
        // One statement decides and counts, so that two at once cannot both take the last download.
        let count = tx.run(queries::COUNT_DOWNLOAD).bind(grant_id).bind(now).bind(now - config.window());
        if count.bind(signed(first_byte)).bind(now - config.resuming()).execute().await? == 1 {
            return Ok(Charge::Counted);
        }
        let standing = tx.run(queries::FIND_STANDING).bind(grant_id).optional::<Standing>().await?;
        match standing.ok_or(StartError::Changing)?.charge(first_byte, config, now) {
            Ok(Charge::Free) => return Ok(Charge::Free),
            Err(refusal) => return Err(StartError::Refused(refusal)),
            // Somebody has changed it between the two statements.
            Ok(Charge::Counted) => {}
        }
    }
    Err(StartError::Changing)
}

/// Notes that the end of the file is about to be sent.
pub(crate) async fn complete(db: &Db, grant_id: i64) -> Result<(), DbError> {
    let done = db.write(async |tx| {
        let now = tx.now();
        tx.run(queries::COMPLETE).bind(grant_id).bind(now).execute().await
    });
    done.await.map(drop)
}

/// A place in a file, as the database has it.
fn signed(byte: u64) -> i64 {
    i64::try_from(byte).unwrap_or(i64::MAX)
}
