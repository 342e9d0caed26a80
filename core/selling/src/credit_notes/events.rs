//! What others hear of credit notes (S6.1, contract 3).

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use crate::orders::subject_of;

/// A credit note was issued for money that went back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditNoteIssued {
    /// The credit note's id.
    pub credit_note_id: i64,
    /// The credit note's number.
    pub number: String,
    /// The invoice that it corrects.
    pub invoice_id: i64,
    /// The order's id.
    pub order_id: i64,
    /// The refund that it is about.
    pub refund_id: i64,
    /// What it credits, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
}

impl Event for CreditNoteIssued {
    const NAME: &'static str = "CreditNoteIssued";
}

impl CommittedEvent for CreditNoteIssued {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}
