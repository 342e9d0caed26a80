//! Sending webhooks as a scheduled job (S6.5.5).

use std::time::Duration;

use stoa_kernel::error_chain;
use stoa_kernel::jobs::Job;
use stoa_kernel::queue::Queue;

use super::sender::WEBHOOKS;

/// `webhooks.deliver`: sends what waits. A worker does that anyway; the job does it where there is none.
pub(super) struct DeliverWebhooks;

impl Job for DeliverWebhooks {
    type Uses = Queue;

    const NAME: &'static str = "webhooks.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the webhooks that wait";

    async fn run(&self, queue: &Queue) -> Result<(), String> {
        queue.work_off(WEBHOOKS).await.map_err(|error| format!("the database failed: {}", error_chain(&error)))
    }
}
