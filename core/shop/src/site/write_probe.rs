//! Whether the shop can write now, which is tried: a full disk, a replica and a lock that somebody holds answer reads as ever.

use std::io;
use std::path::Path;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Mutex;
use tokio::time::timeout;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::{Config, DatabaseUrl};
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// How long a write may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// How long an outcome counts, so that however often somebody asks, little is written.
const FRESH: TimeDelta = TimeDelta::seconds(2);

/// Bytes that an order may take on the disk of a SQLite database with its log. What is tried is smaller, and may fit where a
/// larger write has just failed.
const ROOM: u64 = 1 << 20;

/// Why nothing can be written.
#[derive(Debug, thiserror::Error)]
enum Unwritable {
    #[error("the database takes no writes")]
    Refused(#[from] DbError),
    #[error("a write was not done within {} seconds", PATIENCE.as_secs())]
    Slow,
    #[error("the disk of the database is full: {0} bytes are free")]
    Full(u64),
}

/// The write that was tried last. Who asks while one is tried waits for its outcome.
#[derive(Default)]
pub(crate) struct WriteProbe(Mutex<Option<Tried>>);

#[derive(Clone, Copy)]
struct Tried {
    at: DateTime<Utc>,
    succeeded: bool,
}

impl WriteProbe {
    /// Whether a write succeeds, or has just done so; answered within twice the patience. A change is told in the log.
    pub(super) async fn succeeds(&self, db: &Db, clock: &Clock, config: &Config) -> bool {
        let Ok(mut last) = timeout(PATIENCE, self.0.lock()).await else { return false };
        let now = clock.now();
        if let Some(tried) = last.filter(|tried| (now - tried.at).abs() < FRESH) {
            return tried.succeeded;
        }
        let outcome = timeout(PATIENCE, write(db, config)).await.unwrap_or(Err(Unwritable::Slow));
        let before = last.is_none_or(|tried| tried.succeeded);
        match &outcome {
            Ok(()) if !before => tracing::info!("the database takes writes again"),
            Err(error) if before => {
                tracing::error!(
                    error = error as &dyn std::error::Error,
                    "the shop cannot write, and says that it is not ready"
                );
            }
            Ok(()) | Err(_) => {}
        }
        let succeeded = outcome.is_ok();
        *last = Some(Tried { at: now, succeeded });
        succeeded
    }
}

async fn write(db: &Db, config: &Config) -> Result<(), Unwritable> {
    if let DatabaseUrl::SqliteFile(file) = &config.database.url {
        // What cannot be asked is left to the write.
        let room = free_bytes(file).unwrap_or(u64::MAX);
        if room < ROOM {
            return Err(Unwritable::Full(room));
        }
    }
    db.write(async |tx| -> Result<(), Unwritable> {
        let now = tx.now().to_rfc3339();
        tx.run(queries::NOTE_WRITE).bind(now).execute().await?;
        Ok(())
    })
    .await
}

/// What this user may write yet on the disk below a file.
fn free_bytes(file: &Path) -> io::Result<u64> {
    let found = rustix::fs::statvfs(file)?;
    let blocks = if rustix::process::geteuid().is_root() { found.f_bfree } else { found.f_bavail };
    Ok(blocks.saturating_mul(found.f_frsize))
}
