//! `/console/payments`: what was paid and how, and what providers have told.

mod callbacks;
mod list;
mod one;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.payments", "/payments", list::show)
        .console(Some("payments.view"))
        .get("console.payments.callbacks", "/payments/callbacks", callbacks::show)
        .console(Some("payments.view"))
        .get("console.payments.callback", "/payments/callbacks/{id}", callbacks::show_one)
        .console(Some("payments.view"))
        .post("console.payments.callback.retry", "/payments/callbacks/{id}", callbacks::retry)
        .console(Some("payments.retry"))
        .get("console.payments.show", "/payments/{number}", one::show)
        .console(Some("payments.view"))
        .post("console.payments.ask", "/payments/{number}", one::ask)
        .console(Some("payments.retry"))
}
