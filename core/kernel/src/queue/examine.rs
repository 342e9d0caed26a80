//! Whether events reach those who listen, and tasks those who do them.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::kinds::TaskKinds;
use super::lane::{EVENTS, JOBS, MAIL};
use super::lanes::count_lanes;
use super::queries;
use crate::config::Config;
use crate::db::{Db, DbError};
use crate::doctor::{Examine, Finding, OVERDUE, START_A_WORKER, counted};
use crate::events::EventBus;

#[derive(sqlx::FromRow)]
struct PendingByListener {
    listener: String,
    count: i64,
}

/// Looks for events that listeners gave up on, or have not been given.
pub(super) struct ExamineEvents;

impl Examine for ExamineEvents {
    type Uses = (Db, Arc<EventBus>);

    async fn examine(&self, (db, events): &Self::Uses) -> Result<Vec<Finding>, DbError> {
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
        let enabled = events.enabled_listeners();
        let waiting = db.read(queries::OVERDUE_DELIVERIES).bind(db.now() - OVERDUE);
        let waiting = waiting.all::<PendingByListener>().await?;
        // Those for disabled modules wait until the module is on again.
        let overdue = waiting.iter().filter(|waiting| enabled.contains(&waiting.listener.as_str()));
        let overdue = overdue.map(|waiting| waiting.count).sum::<i64>();
        if overdue > 0 {
            let message = format!("{} for more than a minute", counted(overdue, "event waits", "events wait"));
            findings.push(Finding::warning(CHECK, message, START_A_WORKER));
        }
        if findings.is_empty() {
            findings.push(Finding::ok(CHECK, "none has failed"));
        }
        Ok(findings)
    }
}

/// Lanes that are looked at where more is known of what waits in them.
const TOLD_ELSEWHERE: [&str; 4] = [EVENTS.name, JOBS.name, MAIL.name, "webhooks"];

/// Looks for tasks of the other lanes that nobody does.
pub(super) struct ExamineLanes;

impl Examine for ExamineLanes {
    type Uses = (Db, Arc<TaskKinds>);

    async fn examine(&self, (db, kinds): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        let (now, enabled) = (db.now(), kinds.lanes());
        let lanes = count_lanes(db).await?.into_iter().filter(|counts| {
            // Those of modules that are off wait until the module is on again.
            let is_ours = enabled.iter().any(|lane| lane.name == counts.lane);
            is_ours && !TOLD_ELSEWHERE.contains(&counts.lane.as_str())
        });
        let overdue = lanes.filter(|counts| counts.due_since.is_some_and(|since| now - since > OVERDUE));
        let told = overdue.map(|counts| {
            let due = counted(counts.due, "task is", "tasks are");
            let message = format!("{due} due in the lane `{}`, one of them for more than a minute", counts.lane);
            Finding::warning("queue", message, START_A_WORKER)
        });
        Ok(told.collect())
    }
}

/// Looks whether anybody does the background work that `stoa serve` leaves to others.
pub(super) struct ExamineWorker;

impl Examine for ExamineWorker {
    type Uses = (Db, Arc<TaskKinds>, Arc<Config>);

    async fn examine(&self, (db, kinds, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "worker";
        if config.worker.enabled {
            return Ok(vec![Finding::ok(CHECK, "`stoa serve` does the background work too")]);
        }
        let now = db.now();
        let oldest = db.read(queries::OLDEST_DUE).bind(now).bind(kinds.enabled_as_json());
        let oldest = oldest.scalar::<Option<DateTime<Utc>>>().await?.filter(|since| now - *since > OVERDUE);
        let Some(since) = oldest else {
            let message = "`worker.enabled` is off: background work is left to `stoa worker`; nothing waits";
            return Ok(vec![Finding::ok(CHECK, message)]);
        };
        let message = format!(
            "nothing does background work here: `worker.enabled` is off, no `stoa worker` seems to run, and the oldest task \
             is due since {}",
            since.format("%Y-%m-%d %H:%M UTC")
        );
        Ok(vec![Finding::warning(CHECK, message, START_A_WORKER)])
    }
}
