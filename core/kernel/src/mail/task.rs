//! A message as a task of the queue.

use serde::{Deserialize, Serialize};

use crate::queue::{Lane, MAIL, Task};

/// A message that the mail server is to take over.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct SendMail {
    /// The message's id.
    pub mail_message_id: i64,
}

impl Task for SendMail {
    const KIND: &'static str = "mail.send";
    const LANE: Lane = MAIL;

    fn subject(&self) -> Option<i64> {
        Some(self.mail_message_id)
    }
}
