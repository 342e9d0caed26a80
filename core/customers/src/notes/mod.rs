//! What the operator notes about customers. Customers do not read it, but it is part of what they may ask the shop for.

mod personal;
mod queries;
mod store;

pub use store::{CustomerNote, MAX_NOTE, NoteError, list_notes, note_on_customer};

use stoa_kernel::module::ModuleContext;

use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// The listeners of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<CustomerAnonymizing>("customer_notes.erase", personal::EraseNotes);
    cx.on_preflight::<CustomerExporting>("customer_notes.export", personal::ExportNotes);
    cx.claims_from_guests("customer_notes.claim", &[queries::CLAIM]);
}
