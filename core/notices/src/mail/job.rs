//! Sending mail as a scheduled job.

use std::time::Duration;

use stoa_kernel::db::DbError;
use stoa_kernel::jobs::Job;

use super::delivery::Delivery;
use super::uses::MailDelivery;

/// `mail.deliver`: sends what is due. New messages are urgent, so they go out right after their commit; the schedule
/// is for those that are tried again, and for those of other processes.
pub(crate) struct DeliverMail;

impl Job for DeliverMail {
    type Uses = MailDelivery;

    const NAME: &'static str = "mail.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the mails that wait";

    async fn run(&self, uses: &MailDelivery) -> Result<(), String> {
        let delivered = Delivery::new(uses).run_due().await;
        delivered.map(drop).map_err(|error| error.to_string())
    }

    async fn is_urgent(&self, uses: &MailDelivery) -> Result<bool, DbError> {
        Delivery::new(uses).is_due().await
    }
}
