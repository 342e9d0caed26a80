//! Sending mail as a scheduled job.

use std::time::Duration;

use super::delivery::Delivery;
use crate::db::DbError;
use crate::jobs::Job;
use crate::services::Services;

/// `mail.deliver`: sends what is due. New messages are urgent, so they go out right after their commit; the schedule
/// is for those that are tried again, and for those of other processes.
pub(crate) struct DeliverMail;

impl Job for DeliverMail {
    const NAME: &'static str = "mail.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the mails that wait";

    async fn run(&self, services: &Services) -> Result<(), String> {
        let delivered = Delivery::new(services).run_due().await;
        delivered.map(drop).map_err(|error| error.to_string())
    }

    async fn is_urgent(&self, services: &Services) -> Result<bool, DbError> {
        Delivery::new(services).is_due().await
    }
}
