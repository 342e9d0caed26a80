//! Whether events reach those who listen.

use std::sync::Arc;

use super::queries;
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
            let message = format!(
                "{} for more than {} minutes",
                counted(overdue, "event waits", "events wait"),
                OVERDUE.num_minutes()
            );
            findings.push(Finding::warning(CHECK, message, START_A_WORKER));
        }
        if findings.is_empty() {
            findings.push(Finding::ok(CHECK, "none has failed"));
        }
        Ok(findings)
    }
}
