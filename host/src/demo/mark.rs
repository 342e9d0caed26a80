//! Which databases are demos: those that `serve --demo` has made, and no others.
//!
//! The mark stands in the database itself, so that commands beside the running demo know what runs there, and so that no
//! shop of somebody's own is ever taken for one.

use stoa_core::clock::Clock;
use stoa_core::config::{Config, DatabaseUrl};
use stoa_core::db::{Db, DbError, Missing, OpenOptions};

use super::{EMAIL, queries};
use crate::failure::Failure;
use crate::holdings::holdings;
use crate::installation::{Installation, OpenMode};

/// What the mark says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    /// The demo's goods are being written; what was broken off is begun again.
    Filling,
    /// It is shown with what `--demo` switches on.
    Shown,
    /// It was last served without `--demo`.
    PutAway,
}

impl Mark {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Filling => "filling",
            Self::Shown => "shown",
            Self::PutAway => "put away",
        }
    }
}

/// How commands open the shop of this configuration: as a demo if its database is shown as one. What cannot be looked at
/// is opened as it is configured; why, the command itself will tell.
pub(crate) async fn purpose_of(config: &Config) -> OpenMode {
    match &config.database.url {
        DatabaseUrl::SqliteMemory => return OpenMode::Configured,
        // An empty file is no database yet, and opening it would make it one.
        DatabaseUrl::SqliteFile(file) if !std::fs::metadata(file).is_ok_and(|found| found.len() > 0) => {
            return OpenMode::Configured;
        }
        DatabaseUrl::SqliteFile(_) | DatabaseUrl::Postgres(_) => {}
    }
    let options = OpenOptions { connections: 1, ..OpenOptions::configured(&config.database, Missing::Refuse) };
    let Ok(db) = Db::open(&options, Clock::system()).await else { return OpenMode::Configured };
    let mark = find(&db).await;
    db.close().await;
    if mark.is_ok_and(|mark| mark.is_some_and(|mark| mark != Mark::PutAway.as_str())) {
        OpenMode::Demo
    } else {
        OpenMode::Configured
    }
}

/// Refuses to make a demo of a shop that has products, customers or orders of its own. Writes nothing.
pub(crate) async fn refuse_own_shop(installation: &Installation, db: &Db) -> Result<(), Failure> {
    if !installation.has_shop(db).await? || find(db).await?.is_some() {
        return Ok(());
    }
    let Some(holds) = holdings(&mut db.snapshot().await?).await? else { return Ok(()) };
    if db.read(queries::COUNT_UNMARKED).bind(EMAIL).scalar::<i64>().await? > 0 {
        return Ok(());
    }
    Err(Failure::operation(format!(
        "the database {} holds a shop of its own ({holds}), which --demo would mix with the demo shop's; start it without \
         --demo, or run the demo in another folder, or with another database.url",
        installation.config.database.url
    )))
}

/// Marks a database as a demo, and tells whether its goods are still to be written.
pub(super) async fn begin(db: &Db) -> Result<bool, DbError> {
    db.write(async |tx| {
        tx.run(queries::INSERT_MARK).bind(Mark::Filling.as_str()).execute().await?;
        let mark = tx.run(queries::FIND_MARK).scalar::<String>().await?;
        Ok(mark == Mark::Filling.as_str())
    })
    .await
}

/// Notes that the goods are written.
pub(super) async fn filled(db: &Db) -> Result<(), DbError> {
    change(db, Mark::Filling, Mark::Shown).await
}

/// Notes that a demo is shown again.
pub(super) async fn show(db: &Db) -> Result<(), DbError> {
    change(db, Mark::PutAway, Mark::Shown).await
}

/// Notes that a demo is served as it is configured; any other shop has no mark to be changed.
pub(crate) async fn mark_configured(db: &Db) -> Result<(), DbError> {
    change(db, Mark::Shown, Mark::PutAway).await
}

async fn change(db: &Db, from: Mark, to: Mark) -> Result<(), DbError> {
    if find(db).await?.as_deref() != Some(from.as_str()) {
        return Ok(());
    }
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(queries::CHANGE_MARK).bind(to.as_str()).bind(from.as_str()).execute().await?;
        Ok(())
    })
    .await
}

async fn find(db: &Db) -> Result<Option<String>, DbError> {
    db.look(queries::FIND_MARK).optional_scalar().await
}
