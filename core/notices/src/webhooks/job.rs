//! Sending webhooks as a scheduled job (S6.5.5).

use std::time::Duration;

use stoa_kernel::error_chain;
use stoa_kernel::jobs::Job;

use super::sender::{Sender, WebhookDelivery};

/// `webhooks.deliver`: sends what is due. Where the process sends in the background anyway, it only looks up from that,
/// so that a slow destination does not keep other jobs waiting.
pub(super) struct DeliverWebhooks {
    pub(super) sender: Sender,
}

impl Job for DeliverWebhooks {
    type Uses = WebhookDelivery;

    const NAME: &'static str = "webhooks.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the webhooks that wait";

    async fn run(&self, uses: &WebhookDelivery) -> Result<(), String> {
        if self.sender.is_running() {
            self.sender.wake();
            return Ok(());
        }
        self.sender.run_due(uses).await.map(drop).map_err(|error| error_chain(&error))
    }
}
