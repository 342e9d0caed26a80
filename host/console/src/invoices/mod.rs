//! `/console/invoices`: invoices, credit notes, and both as files.

mod files;
mod list;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.invoices", "/invoices", list::invoices)
        .console(Some("invoices.view"))
        .get("console.invoices.credit_notes", "/invoices/credit-notes", list::credit_notes)
        .console(Some("invoices.view"))
        .get("console.documents.pdf", "/documents/{number}", files::pdf)
        .console(Some("invoices.view"))
        .get("console.documents.xml", "/documents/{number}/xml", files::xml)
        .console(Some("invoices.view"))
}
