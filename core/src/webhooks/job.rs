//! Sending webhooks as a scheduled job (S6.5.5).

use std::time::Duration;

use super::sender::Sender;
use crate::error_chain;
use crate::jobs::Job;
use crate::services::Services;

/// `webhooks.deliver`: sends what is due. Where the process sends in the background anyway, it only looks up from that,
/// so that a slow destination does not keep other jobs waiting.
pub(crate) struct DeliverWebhooks {
    pub(crate) sender: Sender,
}

impl Job for DeliverWebhooks {
    const NAME: &'static str = "webhooks.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the webhooks that wait";

    async fn run(&self, services: &Services) -> Result<(), String> {
        if self.sender.is_running() {
            self.sender.wake();
            return Ok(());
        }
        self.sender.run_due(services).await.map(drop).map_err(|error| error_chain(&error))
    }
}
