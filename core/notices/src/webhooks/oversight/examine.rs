//! Whether webhooks are sent, and whether they arrive.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::doctor::{Examine, Finding, OVERDUE, START_A_WORKER, counted};

use crate::webhooks::deliveries::queue_state;
use crate::webhooks::endpoints::list_endpoints;

/// Failures in a row that are more than bad luck: one delivery fails that often before it is given up.
const BROKEN_AFTER: i64 = 5;

/// Looks for endpoints that fail, deliveries that were given up or are not sent, and destinations that need not be public.
pub(in crate::webhooks) struct ExamineWebhooks;

impl Examine for ExamineWebhooks {
    type Uses = (Db, Arc<Config>);

    async fn examine(&self, (db, config): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "webhooks";
        let (endpoints, queue) = (list_endpoints(db).await?, queue_state(db).await?);
        let mut findings = Vec::new();
        for broken in
            endpoints.iter().filter(|endpoint| endpoint.consecutive_failures >= BROKEN_AFTER && endpoint.enabled)
        {
            let last = broken.last_success_at.map_or_else(
                || String::from("none ever succeeded"),
                |time| format!("the last success was at {}", time.format("%Y-%m-%d %H:%M UTC")),
            );
            let message = format!(
                "the last {} attempts to reach endpoint {} failed ({}), {last}; the latest: {}",
                broken.consecutive_failures,
                broken.id,
                broken.url,
                broken.last_error.clone().unwrap_or_default()
            );
            let fix = format!("try it with `stoa webhook test {0}`; `stoa webhook disable {0}` stops it", broken.id);
            findings.push(Finding::warning(CHECK, message, fix));
        }
        if queue.dead_letters > 0 {
            let message = format!("{} given up", counted(queue.dead_letters, "delivery was", "deliveries were"));
            let fix = "see why with `stoa webhook deliveries --state dead_letter`, then `stoa webhook retry`";
            findings.push(Finding::warning(CHECK, message, fix));
        }
        if queue.oldest_due_at.is_some_and(|since| db.now() - since > OVERDUE) {
            let due = counted(queue.due, "delivery is", "deliveries are");
            let message = format!("{due} due, one of them for more than a minute");
            findings.push(Finding::warning(CHECK, message, START_A_WORKER));
        }
        if config.webhooks.allow_private_destinations {
            let fix = "set `webhooks.allow_private_destinations = false` in production";
            findings.push(Finding::warning(CHECK, "they may be sent into this network, and without encryption", fix));
        }
        if findings.is_empty() {
            let message = match endpoints.iter().filter(|endpoint| endpoint.enabled).count() {
                0 => String::from("there is no endpoint"),
                count => format!(
                    "nothing is wrong with {}",
                    counted(i64::try_from(count).unwrap_or(i64::MAX), "endpoint", "endpoints")
                ),
            };
            findings.push(Finding::ok(CHECK, message));
        }
        Ok(findings)
    }
}
