//! The states of a support ticket, and how they follow one another.
//!
//! | From | Staff replies | Customer replies | Closed | Reopened |
//! |---|---|---|---|---|
//! | `open` | `answered` | `open` | `closed` | stays |
//! | `pending` | `answered` | `pending` | `closed` | stays |
//! | `answered` | `answered` | `pending` | `closed` | stays |
//! | `closed` | refused | `pending` | stays | `pending` |

use stoa_kernel::states;

states! {
    /// Who has to say something next.
    TicketStatus, "status of a support ticket":
    /// Asked, and not answered yet.
    Open = "open",
    /// The customer has replied to an answer, or the ticket was opened again: it is the shop's turn.
    Pending = "pending",
    /// The shop has answered: it is the customer's turn.
    Answered = "answered",
    /// Nothing is left to be said.
    Closed = "closed",
}

states! {
    /// How urgent a support ticket is.
    TicketPriority, "priority of a support ticket":
    /// It can wait.
    Low = "low",
    /// As most.
    Normal = "normal",
    /// Before others.
    High = "high",
}

states! {
    /// Who wrote a message of a support ticket.
    TicketAuthor, "author of a message":
    /// The customer.
    Customer = "customer",
    /// Somebody of the shop.
    Staff = "staff",
}

impl TicketStatus {
    /// Whether it is the shop's turn.
    pub const fn waits(self) -> bool {
        matches!(self, Self::Open | Self::Pending)
    }

    /// The state after a reply; none when nobody may reply so. Customers open a closed ticket again by replying; the shop
    /// opens it first, so that nothing is sent to somebody who believes that the matter is over by mistake.
    pub const fn after_reply(self, author: TicketAuthor) -> Option<Self> {
        match (self, author) {
            (Self::Closed, TicketAuthor::Staff) => None,
            (_, TicketAuthor::Staff) => Some(Self::Answered),
            (Self::Open, TicketAuthor::Customer) => Some(Self::Open),
            (_, TicketAuthor::Customer) => Some(Self::Pending),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::TicketAuthor::{Customer, Staff};
    use super::TicketStatus::{Answered, Closed, Open, Pending};
    use super::*;

    #[test]
    fn each_reply_tells_whose_turn_it_is() {
        let after = |author| TicketStatus::ALL.iter().map(|from| from.after_reply(author)).collect::<Vec<_>>();
        assert_eq!(TicketStatus::ALL, [Open, Pending, Answered, Closed]);
        assert_eq!(after(Staff), [Some(Answered), Some(Answered), Some(Answered), None]);
        assert_eq!(after(Customer), [Some(Open), Some(Pending), Some(Pending), Some(Pending)]);
    }
}
