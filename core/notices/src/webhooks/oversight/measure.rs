//! Webhooks as `GET /metrics` shows them: the queue from the database, attempts as this process has made them.

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::metrics::{Measure, Sample};
use stoa_kernel::queue::failed_in;

use crate::webhooks::deliveries::queue_state;
use crate::webhooks::endpoints::list_endpoints;
use crate::webhooks::sender::{Sender, WEBHOOKS};

/// The part of `GET /metrics` about webhooks.
pub(in crate::webhooks) struct MeasureWebhooks(pub(in crate::webhooks) Sender);

impl Measure for MeasureWebhooks {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let (queue, endpoints, counts) = (queue_state(db).await?, list_endpoints(db).await?, self.0.counts());
        let age = queue.oldest_due_at.map_or(0.0, |since| (db.now() - since).as_seconds_f64().max(0.0));
        let mut samples = vec![
            Sample::gauge("stoa_webhook_deliveries_pending", "Deliveries that have not come to an end.", queue.pending),
            Sample::gauge("stoa_webhook_deliveries_due", "Deliveries that are due.", queue.due),
            Sample::seconds("stoa_webhook_oldest_due_seconds", "How long the oldest of them is due.", age),
            Sample::gauge(
                "stoa_webhook_dead_letters",
                "Deliveries that were given up and are kept.",
                queue.dead_letters,
            ),
            failed_in(WEBHOOKS, queue.dead_letters),
        ];
        let attempts = [
            ("delivered", counts.delivered),
            ("retried", counts.retried),
            ("dead_letter", counts.given_up),
            ("lost_lease", counts.lost_leases),
        ];
        samples.extend(attempts.map(|(outcome, count)| {
            let count = i64::try_from(count).unwrap_or(i64::MAX);
            Sample::counter("stoa_webhook_attempts_total", "Attempts of this process, by outcome.", count)
                .label("outcome", outcome)
        }));
        for endpoint in endpoints {
            let id = endpoint.id.to_string();
            let failures = Sample::gauge(
                "stoa_webhook_endpoint_consecutive_failures",
                "Attempts that failed since one succeeded.",
                endpoint.consecutive_failures,
            );
            samples.push(failures.label("endpoint", id.as_str()));
            samples.extend(endpoint.last_success_at.map(|time| {
                let name = "stoa_webhook_endpoint_last_success_timestamp_seconds";
                Sample::gauge(name, "When an attempt last succeeded.", time.timestamp()).label("endpoint", id)
            }));
        }
        Ok(samples)
    }
}
