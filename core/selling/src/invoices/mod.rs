//! Invoices: what orders cost, numbered without a gap, and kept as they were issued (contract 2.3).

mod credit;
mod draft;
mod issue;
mod model;
mod personal;
mod printed;
mod queries;
mod read;
mod reference;
mod routes;
mod search;
mod series;
mod status;
mod verify;

#[cfg(test)]
mod tests;

pub use model::{DocumentItem, InvoiceCreditNote, InvoiceRecord, InvoiceResource};
pub use read::{InvoiceFilter, find_invoice, invoice_document, list_invoices};
pub use reference::{DocumentReference, NotADocument};
pub use search::{DocumentSearch, InvoiceListed, count_invoices, search_invoices};
pub use series::{SeriesError, check_series};
pub use status::InvoiceStatus;
pub use verify::{DocumentProblem, verify_documents};

pub(crate) use credit::{Credited, OpenInvoice, credit, find_open_invoice};
pub(crate) use draft::{InvoiceDraft, shown_taxes};
pub(crate) use issue::{issue, mark_paid, mark_void};
pub(crate) use printed::printed;
pub(crate) use series::{Numbered, Series, take_number};

use stoa_customers::customers::CustomerExporting;
use stoa_kernel::module::{ModuleContext, RegisterError};

/// The routes and the listener of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.on_preflight::<CustomerExporting>("invoices.export", personal::ExportInvoices);
    cx.claims_from_guests("invoices.claim", &[queries::CLAIM]);
    cx.routes((), routes::invoice_routes())
}
