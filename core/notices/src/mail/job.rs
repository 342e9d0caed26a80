//! Mails, as the job of which `stoa jobs` shows when it ran last.

use std::time::Duration;

use stoa_kernel::error_chain;
use stoa_kernel::jobs::Job;
use stoa_kernel::queue::{MAIL, Queue};

/// `mail.deliver`: sends what waits. A worker does that anyway; `stoa jobs run` does it where there is none.
pub(crate) struct DeliverMail;

impl Job for DeliverMail {
    type Uses = Queue;

    const NAME: &'static str = "mail.deliver";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "sends the mails that wait";

    async fn run(&self, queue: &Queue) -> Result<(), String> {
        let delivered = queue.work_off(MAIL).await;
        delivered.map_err(|error| format!("the database failed: {}", error_chain(&error)))
    }
}
