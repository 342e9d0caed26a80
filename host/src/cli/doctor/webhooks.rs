//! Webhooks: whether they are sent, and whether they arrive.

use stoa_core::config::WebhooksConfig;
use stoa_core::db::{Db, DbError};
use stoa_core::webhooks::{list_endpoints, queue_state};

use super::finding::{Finding, counted};
use super::work::{PATIENCE, START_A_WORKER};

/// Failures in a row that are more than bad luck: one delivery fails that often before it is given up.
const BROKEN_AFTER: i64 = 5;

/// Endpoints that fail, deliveries that were given up or are not sent, and destinations that need not be public.
pub(super) async fn state(db: &Db, config: &WebhooksConfig) -> Result<Vec<Finding>, DbError> {
    const CHECK: &str = "webhooks";
    let (endpoints, queue) = (list_endpoints(db).await?, queue_state(db).await?);
    let mut findings = Vec::new();
    for broken in endpoints.iter().filter(|endpoint| endpoint.consecutive_failures >= BROKEN_AFTER && endpoint.enabled)
    {
        let last = broken.last_success_at.map_or_else(
            || String::from("none ever succeeded"),
            |time| format!("the last success was at {}", time.format("%Y-%m-%d %H:%M UTC")),
        );
        let message = format!(
            "the last {} attempts to reach endpoint {} failed, {last}; the latest: {}",
            broken.consecutive_failures,
            broken.id,
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
    if queue.oldest_due_at.is_some_and(|since| db.now() - since > PATIENCE) {
        let message = format!(
            "{} due, one of them for more than {} minutes",
            counted(queue.due, "delivery is", "deliveries are"),
            PATIENCE.num_minutes()
        );
        findings.push(Finding::warning(CHECK, message, START_A_WORKER));
    }
    if config.allow_private_destinations {
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
