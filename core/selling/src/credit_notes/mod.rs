//! Credit notes: what of an invoice was taken back, with numbers of their own (contract 2.3).

mod events;
mod issue;
mod model;
mod personal;
mod queries;
mod read;
mod routes;
mod search;
mod status;

pub use events::CreditNoteIssued;
pub use model::{CreditNoteRecord, CreditNoteResource};
pub use read::{CreditNoteFilter, find_credit_note, find_credit_note_of_refund, list_credit_notes};
pub use search::{CreditNoteListed, count_credit_notes, search_credit_notes};
pub use status::CreditNoteStatus;

#[cfg(test)]
pub(crate) use issue::document;
pub(crate) use issue::{CreditedLine, IssueCreditNoteError, IssuedCreditNote, NewCreditNote, issue};

use stoa_customers::customers::CustomerExporting;
use stoa_kernel::module::{ModuleContext, RegisterError};

/// The routes and the listener of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.on_preflight::<CustomerExporting>("credit_notes.export", personal::ExportCreditNotes);
    cx.claims_from_guests("credit_notes.claim", &[queries::CLAIM]);
    cx.routes((), routes::credit_note_routes())
}
