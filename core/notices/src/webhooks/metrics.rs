//! Webhooks as Prometheus text: the queue from the database, attempts as this process has made them.

use std::fmt::Write;

use stoa_kernel::db::{Db, DbError};

use super::deliveries::queue_state;
use super::endpoints::list_endpoints;
use super::sender::Sender;

/// The part of `GET /metrics` about webhooks.
pub async fn metrics_text(db: &Db, sender: &Sender) -> Result<String, DbError> {
    let queue = queue_state(db).await?;
    let endpoints = list_endpoints(db).await?;
    let age = queue.oldest_due_at.map_or(0.0, |since| (db.now() - since).as_seconds_f64().max(0.0));
    let mut text = String::new();
    let mut gauge = |name: &str, help: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
    };
    gauge("stoa_webhook_deliveries_pending", "Deliveries that have not come to an end.", &queue.pending);
    gauge("stoa_webhook_deliveries_due", "Deliveries that are due.", &queue.due);
    gauge("stoa_webhook_oldest_due_seconds", "How long the oldest of them is due.", &age);
    gauge("stoa_webhook_dead_letters", "Deliveries that were given up and are kept.", &queue.dead_letters);
    let counts = sender.counts();
    let name = "stoa_webhook_attempts_total";
    let _ = writeln!(text, "# HELP {name} Attempts of this process, by outcome.\n# TYPE {name} counter");
    for (outcome, count) in [
        ("delivered", counts.delivered),
        ("retried", counts.retried),
        ("dead_letter", counts.given_up),
        ("lost_lease", counts.lost_leases),
    ] {
        let _ = writeln!(text, "{name}{{outcome=\"{outcome}\"}} {count}");
    }
    let name = "stoa_webhook_endpoint_consecutive_failures";
    let _ = writeln!(text, "# HELP {name} Attempts that failed since one succeeded.\n# TYPE {name} gauge");
    for endpoint in &endpoints {
        let _ = writeln!(text, "{name}{{endpoint=\"{}\"}} {}", endpoint.id, endpoint.consecutive_failures);
    }
    let name = "stoa_webhook_endpoint_last_success_timestamp_seconds";
    let _ = writeln!(text, "# HELP {name} When an attempt last succeeded.\n# TYPE {name} gauge");
    for (endpoint, time) in endpoints.iter().filter_map(|endpoint| Some((endpoint.id, endpoint.last_success_at?))) {
        let _ = writeln!(text, "{name}{{endpoint=\"{endpoint}\"}} {}", time.timestamp());
    }
    Ok(text)
}
