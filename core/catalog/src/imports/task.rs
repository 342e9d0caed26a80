//! Importing a file that was tried, in the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::types::Json;
use stoa_kernel::audit::{Acting, Actor};
use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::from_shop;
use stoa_kernel::module::ProductModules;
use stoa_kernel::money::Currency;
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use super::queries;
use super::{ImportInto, ImportSettings, written};
use crate::file::{LayOverError, Progress, Remark, RemarkKind, Summary};
use crate::write::Mode;

/// Large files take minutes and wait for nobody else.
const IMPORTS: Lane = Lane::new("imports", 1, "catalog");

/// How often it is written down how far the reading has come.
const NOTED: Duration = Duration::from_secs(1);

/// Imports a file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunImport {
    pub(super) import_id: i64,
}

impl Task for RunImport {
    const KIND: &'static str = "catalog.import";
    const LANE: Lane = IMPORTS;
}

#[derive(sqlx::FromRow)]
struct Begun {
    file_name: String,
    settings: Json<ImportSettings>,
    content: Option<Vec<u8>>,
    actor: String,
    address: Option<String>,
}

from_shop! {
    /// What imports work with.
    pub(super) struct Works {
        db: Db,
        config: Arc<Config>,
        modules: Arc<ProductModules>,
        currency: Currency,
        clock: Clock,
    }
}

/// How far the reading has come, for whoever writes it down.
struct Counted(Arc<AtomicU64>);

impl Progress for Counted {
    fn bytes(&mut self, read: u64) {
        self.0.store(read, Ordering::Relaxed);
    }

    fn remark(&mut self, _: RemarkKind, _: &Remark) {}
}

pub(super) struct Importer;

impl HandleTask<RunImport> for Importer {
    type Uses = Works;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 30]);

    /// What was imported before a crash is found unchanged when it comes again.
    async fn handle(&self, task: &RunImport, works: &Works) -> Result<(), TaskError> {
        let id = task.import_id;
        let begun = works.db.write(async |tx| tx.run(queries::BEGIN).bind(id).optional::<Begun>().await).await?;
        let Some(Begun { file_name, settings, content: Some(content), actor, address }) = begun else { return Ok(()) };
        let db = works.db.clone().acting_as(acting(&actor, address.as_deref()));
        let into = ImportInto {
            db: &db,
            modules: &works.modules,
            config: &works.config,
            currency: works.currency,
            now: works.clock.now(),
        };
        let read = Arc::new(AtomicU64::new(0));
        let mut progress = Counted(Arc::clone(&read));
        let laid = into.lay_over(&file_name, content, &settings.0, Mode::Write, &mut progress);
        tokio::pin!(laid);
        let summary = loop {
            tokio::select! {
                summary = &mut laid => break summary,
                () = tokio::time::sleep(NOTED) => note(&works.db, id, &read).await?,
            }
        };
        match summary {
            Ok(summary) => finish(&works.db, id, Ok(&summary)).await?,
            Err(LayOverError::Unreadable { problem, .. }) => finish(&works.db, id, Err(&problem.to_string())).await?,
            Err(error) => return Err(TaskError::Later(stoa_kernel::error_chain(&error))),
        }
        Ok(())
    }
}

/// Who asked for it; the shop itself for an actor of another kind.
fn acting(actor: &str, address: Option<&str>) -> Acting {
    let actor = match actor.split_once(':') {
        Some(("staff", email)) => Actor::Staff(email.into()),
        Some(("cli", user)) => Actor::CommandLine(user.into()),
        _ => Actor::System,
    };
    Acting { actor, address: address.and_then(|address| address.parse().ok()) }
}

async fn note(db: &Db, id: i64, read: &AtomicU64) -> Result<(), DbError> {
    let read = i64::try_from(read.load(Ordering::Relaxed)).unwrap_or(i64::MAX);
    db.write(async |tx| tx.run(queries::NOTE_PROGRESS).bind(id).bind(read).execute().await.map(drop)).await
}

async fn finish(db: &Db, id: i64, came: Result<&Summary, &str>) -> Result<(), DbError> {
    let (state, report, problem) = match came {
        Ok(summary) => ("done", Some(written(summary)), None),
        Err(problem) => ("failed", None, Some(problem)),
    };
    db.write(async |tx| {
        let now = tx.now();
        let finish = tx.run(queries::FINISH).bind(id).bind(state).bind(report.clone()).bind(problem);
        finish.bind(now).execute().await.map(drop)
    })
    .await
}
