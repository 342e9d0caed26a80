//! Work in the background: whether it is done, and whether it succeeds.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::config::MailConfig;
use stoa_core::db::{Db, DbError};
use stoa_core::jobs::{JobStatus, list_jobs};
use stoa_core::module::Registry;
use stoa_core::orders::count_orders_to_review;

use super::finding::{Finding, counted};
use super::queries;

/// Work that is due for longer than this is not being done.
pub(super) const PATIENCE: TimeDelta = TimeDelta::minutes(10);

pub(super) const START_A_WORKER: &str = "start `stoa serve` with `worker.enabled = true`, or `stoa worker` beside it";

#[derive(sqlx::FromRow)]
struct Waiting {
    listener: String,
    count: i64,
}

/// Events that listeners gave up on, or have not been given.
pub(super) async fn deliveries(db: &Db, registry: &Registry) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "events";
    let mut findings = Vec::new();
    let failed = db.read(queries::COUNT_FAILED_DELIVERIES).scalar::<i64>().await?;
    if failed > 0 {
        let message = format!("{} given up after several attempts", counted(failed, "event was", "events were"));
        findings.push(Finding::failure(
            CHECK,
            message,
            "see why with `stoa events --failed`, then `stoa events retry ID`",
        ));
    }
    let enabled = registry.events.enabled_listeners();
    let waiting = db.read(queries::OVERDUE_DELIVERIES).bind(db.now() - PATIENCE);
    let waiting = waiting.all::<Waiting>().await?;
    // Those for disabled modules wait until the module is on again.
    let overdue = waiting.iter().filter(|waiting| enabled.contains(&waiting.listener.as_str()));
    let overdue = overdue.map(|waiting| waiting.count).sum::<i64>();
    if overdue > 0 {
        let message = format!(
            "{} for more than {} minutes",
            counted(overdue, "event waits", "events wait"),
            PATIENCE.num_minutes()
        );
        findings.push(Finding::warning(CHECK, message, START_A_WORKER));
    }
    if findings.is_empty() {
        findings.push(Finding::ok(CHECK, "none has failed"));
    }
    Ok(findings)
}

/// Orders that something has happened to which nobody but the operator can decide about.
pub(super) async fn orders(db: &Db) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "orders.review";
    let count = count_orders_to_review(db).await?;
    if count == 0 {
        return Ok(vec![Finding::ok(CHECK, "no order needs a review")]);
    }
    let message = format!("{} a review", counted(count, "order needs", "orders need"));
    let fix = "look with `stoa order list --review` and `stoa order show N`, then `stoa order reviewed N`";
    Ok(vec![Finding::warning(CHECK, message, fix)])
}

/// Mails that were given up, or that nobody sends.
pub(super) async fn mail(db: &Db, config: &MailConfig) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "mail";
    let mut findings = Vec::new();
    let failed = db.read(queries::COUNT_FAILED_MAILS).scalar::<i64>().await?;
    if failed > 0 {
        let error = db.read(queries::LATEST_MAIL_ERROR).optional_scalar::<Option<String>>().await?.flatten();
        let message = format!(
            "{} not be delivered in the last 30 days; the latest: {}",
            counted(failed, "mail could", "mails could"),
            error.unwrap_or_default()
        );
        findings.push(Finding::warning(
            CHECK,
            message,
            "look at `mail.from` and `mail.smtp`; mistyped addresses fail too",
        ));
    }
    let overdue = db.read(queries::COUNT_OVERDUE_MAILS).bind(db.now() - PATIENCE);
    let overdue = overdue.scalar::<i64>().await?;
    if overdue > 0 {
        let message = format!(
            "{} for more than {} minutes",
            counted(overdue, "mail waits", "mails wait"),
            PATIENCE.num_minutes()
        );
        let fix =
            if config.smtp.host.is_some() { START_A_WORKER } else { "set `mail.smtp.host`, which was there before" };
        findings.push(Finding::warning(CHECK, message, fix));
    }
    if findings.is_empty() {
        let message =
            if config.smtp.host.is_some() { "none has failed" } else { "none is sent: there is no `mail.smtp.host`" };
        findings.push(Finding::ok(CHECK, message));
    }
    Ok(findings)
}

/// Scheduled jobs that are not run, or fail.
pub(super) async fn jobs(db: &Db, registry: &Registry) -> Result<Vec<Finding>, DbError> {
    Ok(judge_jobs(&list_jobs(db, &registry.jobs).await?, db.now()))
}

fn judge_jobs(jobs: &[JobStatus], now: DateTime<Utc>) -> Vec<Finding> {
    const CHECK: &str = "jobs";
    let running = jobs.iter().filter(|job| job.enabled).collect::<Vec<_>>();
    let mut findings = Vec::new();
    let overdue = running.iter().filter(|job| job.next_run_at.is_some_and(|next| next < now - PATIENCE));
    let overdue = overdue.map(|job| format!("`{}`", job.name)).collect::<Vec<_>>();
    if !overdue.is_empty() {
        let message = format!(
            "due for more than {} minutes: {}; no worker seems to run",
            PATIENCE.num_minutes(),
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
