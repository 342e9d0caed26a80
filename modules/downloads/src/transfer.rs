//! Starting a transfer, and letting it go on: what it sends is written down before it is sent.
//!
//! A transfer that another one goes on with has to stop, wherever it runs, and a program that is killed loses nothing of what
//! it has not sent.

use std::ops::Range;

use chrono::{DateTime, Utc};
use stoa_core::entitlements::{SoldUnit, use_units};
use stoa_core::prelude::*;

use crate::account::{Account, Charge, Running};
use crate::config::Config;
use crate::entitlement::{GrantState, Refusal};
use crate::model::GrantedFile;
use crate::{Downloads, queries};

/// Why a transfer was not started.
#[derive(Debug)]
pub(crate) enum StartError {
    /// The grant does not allow it.
    Refused(Refusal),
    /// The grant is gone.
    Gone,
    /// The database failed.
    Db(DbError),
}

impl From<DbError> for StartError {
    fn from(error: DbError) -> Self {
        Self::Db(error)
    }
}

impl From<Refusal> for StartError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StartError> for ApiError {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Refused(refusal) => refusal.into(),
            StartError::Gone => Self::not_found(),
            StartError::Db(error) => error.into(),
        }
    }
}

/// A grant that nobody else changes until the end of the transaction.
#[derive(sqlx::FromRow)]
struct LockedGrant {
    #[sqlx(flatten)]
    sold: SoldUnit,
    #[sqlx(flatten)]
    standing: GrantState,
    open_bytes: i64,
    repeated_bytes: i64,
}

#[derive(sqlx::FromRow)]
struct RunningRow {
    id: i64,
    first_byte: i64,
    sent_to: i64,
    stops_at: i64,
}

/// Starts a transfer of these bytes, counts it if it has to be, and writes down that the bytes before `sent_to` are sent;
/// gives its id.
pub(crate) async fn start(
    db: &Db,
    config: &Config,
    file: &GrantedFile,
    range: &Range<u64>,
    sent_to: u64,
) -> Result<i64, StartError> {
    db.write(async |tx| -> Result<i64, StartError> {
        let now = tx.now();
        let grant = tx.run(queries::LOCK_GRANT).bind(file.grant_id).optional::<LockedGrant>().await?;
        let grant = grant.ok_or(StartError::Gone)?;
        if let Some(refusal) = grant.standing.withheld(now) {
            return Err(refusal.into());
        }
        if !use_units(tx, Downloads::NAME, &[grant.sold]).await?.is_empty() {
            return Err(Refusal::Revoked.into());
        }
        let account = account(tx, config, file, &grant, now).await?;
        let admission = account.admit(range);
        let (open, repeated) = (signed(admission.open), signed(admission.repeated));
        let charged = match admission.charge {
            Charge::Counted => tx.run(queries::COUNT_DOWNLOAD).bind(file.grant_id).bind(open).bind(repeated).bind(now),
            Charge::Free => tx.run(queries::GO_ON).bind(file.grant_id).bind(open).bind(repeated),
        };
        if charged.execute().await? == 0 {
            return Err(Refusal::UsedUp.into());
        }
        for (id, stops_at) in admission.stopped {
            tx.run(queries::STOP_TRANSFER).bind(id).bind(signed(stops_at)).bind(now).execute().await?;
        }
        let ended_at = (sent_to == range.end).then_some(now);
        let log = tx.run(queries::LOG_TRANSFER).bind(file.grant_id).bind(file.version).bind(signed(range.start));
        let log = log.bind(signed(range.end) - 1).bind(admission.charge == Charge::Counted).bind(now);
        let id = log.bind(signed(sent_to)).bind(signed(range.end)).bind(ended_at).scalar::<i64>().await?;
        if ended_at.is_some() && range.end == file.length() {
            tx.run(queries::COMPLETE).bind(file.grant_id).bind(now).execute().await?;
        }
        Ok(id)
    })
    .await
}

/// What the grant has left, as long as an interrupted download can go on.
async fn account(
    tx: &mut Tx,
    config: &Config,
    file: &GrantedFile,
    grant: &LockedGrant,
    now: DateTime<Utc>,
) -> Result<Account, DbError> {
    let (size, since) = (file.length(), now - config.resuming());
    let repeated = unsigned(grant.repeated_bytes);
    if grant.standing.counted_at.is_none_or(|counted| counted <= since) {
        return Ok(Account { size, open: 0, repeated, running: Vec::new() });
    }
    let rows = tx.run(queries::LIST_RUNNING).bind(file.grant_id).bind(file.version).bind(since);
    let running = rows.all::<RunningRow>().await?.into_iter().map(|row| Running {
        id: row.id,
        first: unsigned(row.first_byte),
        sent_to: unsigned(row.sent_to),
        stops_at: unsigned(row.stops_at),
    });
    Ok(Account { size, open: unsigned(grant.open_bytes), repeated, running: running.collect() })
}

/// Writes down that a transfer is about to send the bytes before `wanted`; gives the byte before which it may, which is
/// less when another one goes on with it. None when it must not send any more.
pub(crate) async fn let_out(db: &Db, id: i64, wanted: u64) -> Result<Option<u64>, DbError> {
    let sent = db.write(async |tx| tx.run(queries::LET_OUT).bind(id).bind(signed(wanted)).optional_scalar().await);
    Ok(sent.await?.map(unsigned))
}

/// Writes down that the last bytes of a transfer are about to be sent, which end before `end`; whether they may be.
pub(crate) async fn end(db: &Db, id: i64, grant_id: i64, end: u64, is_end_of_file: bool) -> Result<bool, DbError> {
    db.write(async |tx| -> Result<bool, DbError> {
        let now = tx.now();
        if tx.run(queries::END_TRANSFER).bind(id).bind(signed(end)).bind(now).execute().await? == 0 {
            return Ok(false);
        }
        if is_end_of_file {
            tx.run(queries::COMPLETE).bind(grant_id).bind(now).execute().await?;
        }
        Ok(true)
    })
    .await
}

/// A place in a file, as the database has it.
fn signed(byte: u64) -> i64 {
    i64::try_from(byte).unwrap_or(i64::MAX)
}

/// A place in a file; the database has no negative ones.
fn unsigned(byte: i64) -> u64 {
    u64::try_from(byte).unwrap_or_default()
}
