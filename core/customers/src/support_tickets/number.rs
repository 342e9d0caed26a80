//! What people call a support ticket.

use stoa_kernel::record_number::{NumberedRecord, RecordNumber};

/// The number of a support ticket, made from its id: `T-000042`.
pub type TicketNumber = RecordNumber<NumberedTicket>;

/// The records with a [`TicketNumber`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NumberedTicket;

impl NumberedRecord for NumberedTicket {
    const PREFIX: &'static str = "T-";
    const NOUN: &'static str = "support ticket";
}
