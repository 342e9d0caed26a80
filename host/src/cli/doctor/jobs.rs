//! Scheduled jobs: whether they are run, and whether they succeed.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::db::{Db, DbError};
use stoa_core::doctor::START_A_WORKER;
use stoa_core::jobs::{JobStatus, list_jobs};
use stoa_core::module::Registry;

use super::finding::Finding;

/// Jobs that are due for longer than this are not being run. A worker may have to finish with others first.
const OVERDUE: TimeDelta = TimeDelta::minutes(10);

/// Scheduled jobs that are not run, or fail.
pub(super) async fn state(db: &Db, registry: &Registry) -> Result<Vec<Finding>, DbError> {
    Ok(judge_jobs(&list_jobs(db, &registry.jobs).await?, db.now()))
}

fn judge_jobs(jobs: &[JobStatus], now: DateTime<Utc>) -> Vec<Finding> {
    const CHECK: &str = "jobs";
    let running = jobs.iter().filter(|job| job.enabled).collect::<Vec<_>>();
    let mut findings = Vec::new();
    let overdue = running.iter().filter(|job| job.next_run_at.is_some_and(|next| next < now - OVERDUE));
    let overdue = overdue.map(|job| format!("`{}`", job.name)).collect::<Vec<_>>();
    if !overdue.is_empty() {
        let message = format!(
            "due for more than {} minutes: {}; no worker seems to run",
            OVERDUE.num_minutes(),
            overdue.join(", ")
        );
        findings.push(Finding::warning(CHECK, message, START_A_WORKER));
    }
    findings.extend(running.iter().filter_map(|job| {
        let error = job.last_error.as_ref()?;
        let message = format!("`{}` failed when it last ran: {error}", job.name);
        Some(Finding::warning(CHECK, message, format!("mend the cause, then `stoa jobs run {}`", job.name)))
    }));
    if findings.is_empty() {
        let message = match running.iter().filter_map(|job| job.last_run_at).max() {
            Some(last) => format!("the latest ran at {}", last.format("%Y-%m-%d %H:%M UTC")),
            None => String::from("none has run on this database yet"),
        };
        findings.push(Finding::ok(CHECK, message));
    }
    findings
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::doctor::finding::State;

    #[test]
    fn a_job_that_is_long_due_or_failed_is_told_unless_its_module_is_off() {
        let now = "2026-05-01T12:00:00Z".parse::<DateTime<Utc>>().expect("a time");
        let job = JobStatus {
            name: "orders.expire",
            owner: "core",
            enabled: true,
            every: Duration::from_mins(1),
            last_run_at: Some(now),
            next_run_at: Some(now),
            last_error: None,
        };
        let states = |job: JobStatus| judge_jobs(&[job], now).iter().map(|found| found.state).collect::<Vec<_>>();
        assert_eq!(states(job.clone()), [State::Ok]);
        let overdue = JobStatus { next_run_at: Some(now - TimeDelta::hours(1)), ..job.clone() };
        assert_eq!(states(overdue.clone()), [State::Warning]);
        let failed = JobStatus { last_error: Some("no".into()), ..overdue };
        assert_eq!(states(failed.clone()), [State::Warning, State::Warning]);
        assert_eq!(states(JobStatus { enabled: false, ..failed }), [State::Ok]);
    }
}
