//! `stoa worker`: what `serve` runs beside HTTP, in a process of its own.

use std::time::Duration;

use clap::Args;
use stoa_core::config::DatabaseUrl;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Context;
use super::commands::{Commands, Group};
use super::serve::base_url;
use crate::failure::Failure;
use crate::installation::OpenMode;
use crate::output::print_line;
use crate::shutdown::{StopSignals, stop_tasks};
use crate::telemetry::Telemetry;

/// How long a delivery or job in progress may take to finish.
const STOP_LIMIT: Duration = Duration::from_secs(10);

pub(super) fn register(commands: &mut Commands) {
    commands.add("worker", Group::RunTheShop, Worker::run);
}

/// Deliver events and run jobs, without serving HTTP.
#[derive(Debug, Args)]
#[command(
    after_help = "It runs whatever `worker.enabled` says, which is about `stoa serve`. Several may run at once; with `--only`, each for some of
the work, and all of them together for all of it. `stoa doctor` shows the lanes, and what waits in them.

Examples:
  stoa worker
  stoa worker --only events,mail,webhooks,jobs
  STOA_LOG__FORMAT=json stoa --config /etc/stoa/config.toml worker"
)]
pub(super) struct Worker {
    /// Work on these lanes of the queue alone, such as events,mail,webhooks,jobs.
    #[arg(long, value_name = "LANES", value_delimiter = ',')]
    only: Vec<String>,
}

impl Worker {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        if installation.config.database.url == DatabaseUrl::SqliteMemory {
            return Err(Failure::usage(
                "`database.url` is sqlite::memory:, which no other process can see; \
                 a worker needs a file (sqlite://PATH) or PostgreSQL",
            ));
        }
        let telemetry = Telemetry::of_service(&installation.config)?;
        let signals = StopSignals::install()?;
        let db = installation.open_for_service(OpenMode::Configured).await?;
        let base_url = base_url(&installation.config, installation.config.server.listen);
        let parts = installation.parts(db.clone(), &base_url).await?;
        let lanes = if self.only.is_empty() {
            None
        } else {
            Some(
                parts
                    .tasks
                    .lanes_named(&self.only)
                    .map_err(|unknown| Failure::usage(format!("`--only`: {unknown}")))?,
            )
        };
        let mut opened = installation.program.open(parts).await?;
        let (tracker, stop) = (TaskTracker::new(), CancellationToken::new());
        let runner = opened.start_worker(lanes, &tracker, &stop).await?;
        telemetry.send_metrics(opened.instruments.as_ref(), &tracker, &stop);
        print_line("worker started")?;
        let relay = signals.watch(stop.clone());
        let ended = tokio::select! {
            biased;
            () = stop.cancelled() => Ok(()),
            // It ends only after `stop`, or by a panic, which was printed.
            _ = runner => Err(Failure::operation("the worker broke off; please report this")),
        };
        stop_tasks(&stop, &tracker, STOP_LIMIT).await;
        relay.abort();
        db.close().await;
        telemetry.stop().await;
        ended
    }
}
