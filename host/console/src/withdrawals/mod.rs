//! `/console/withdrawals`: customers who withdraw from an order (C10.1), and what the shop says about it.

mod acts;
mod list;
mod one;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.withdrawals", "/withdrawals", list::show)
        .console(Some("withdrawals.view"))
        .get("console.withdrawals.show", "/withdrawals/{number}", one::show)
        .console(Some("withdrawals.view"))
        .post("console.withdrawals.accept", "/withdrawals/{number}/accept", acts::accept)
        .console(Some("withdrawals.decide"))
        .post("console.withdrawals.refuse", "/withdrawals/{number}/refuse", acts::refuse)
        .console(Some("withdrawals.decide"))
        .post("console.withdrawals.complete", "/withdrawals/{number}/complete", acts::complete)
        .console(Some("withdrawals.decide"))
}
