//! `/console/jobs`: scheduled work, and doing it now.

use std::sync::Arc;

use serde::Deserialize;
use stoa_core::db::ListDb;
use stoa_core::from_shop::{FromShop, ShopParts};
use stoa_core::http::extract::Input;
use stoa_core::http::rules::{Rules, field};
use stoa_core::jobs::{JobStatus, JobTable, RunOutcome, list_jobs, run_job};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, Refused, RowAct, Told, form};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// `GET /console/jobs`.
pub(super) async fn show(db: ListDb, Uses(jobs): Uses<Arc<JobTable>>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let rows = list_jobs(&db, &jobs).await?;
    let list = List::keyed("Jobs", |job: &JobStatus| job.name.to_owned())
        .about("Work that the shop does by itself, and when it is done next.")
        .column("Job", |job| Cell::from(job.name).over(job.schedule()))
        .column("State", |job| match (&job.last_error, job.enabled) {
            (_, false) => Cell::state("off"),
            (Some(_), true) => Cell::state("failed"),
            (None, true) => Cell::state("ok"),
        })
        .column("Last run", |job| job.last_run_at)
        .column("Next run", |job| match (job.enabled, job.next_run_at) {
            (false, _) => Cell::from(format!("never: {} is off", job.owner)),
            (true, Some(next)) => next.into(),
            (true, None) => "now".into(),
        })
        .column("Problem", |job| job.last_error.clone().map(Cell::Code))
        .act("jobs.run", |job| {
            job.enabled.then(|| RowAct::send("Run now", "/jobs/run", [("name", job.name.to_owned())]))
        });
    list.show_all(query, rows).await
}

#[derive(Deserialize)]
struct Run {
    name: String,
}

impl Input for Run {
    const NAME: &'static str = "ConsoleJobRun";

    fn rules() -> Rules {
        Rules::new([field("name").label("Job").required()])
    }
}

/// The shop as a job works on it.
struct AtWork(ShopParts);

impl FromShop for AtWork {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

/// `GET` and `POST /console/jobs/run`.
pub(super) fn forms() -> Vec<Routes<ConsoleState>> {
    vec![form("console.jobs.run", "Run now", "jobs.run", run).routes("/jobs/run", "/jobs")]
}

async fn run(new: Run, AtWork(shop): AtWork) -> Result<Told, Refused> {
    let clock = shop.clock.clone();
    match run_job(&shop, &shop.shown.jobs, &new.name, clock).await? {
        RunOutcome::Done => Ok(format!("{} is done.", new.name).into()),
        RunOutcome::Failed(error) => Ok(Told::sentence(&format!("{} failed: {error}", new.name)).bad()),
        RunOutcome::Unknown => Err(Refused::field("name", &"there is no such job, or its module is off")),
    }
}
