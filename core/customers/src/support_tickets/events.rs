//! What happens with support tickets, told after the commit.

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use super::status::TicketAuthor;

/// A message was written into a support ticket; the first one opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketWritten {
    /// The ticket's id.
    pub ticket_id: i64,
    /// Whose ticket it is.
    pub customer_id: i64,
    /// The message's id.
    pub message_id: i64,
    /// Who has written it.
    pub author: TicketAuthor,
}

impl Event for TicketWritten {
    const NAME: &'static str = "TicketWritten";
}

impl CommittedEvent for TicketWritten {
    fn order_key(&self) -> Option<String> {
        Some(format!("ticket:{}", self.ticket_id))
    }
}
