//! `/console/reports`: what was sold, what of it is tax, and what consumers abroad have bought (C10.4).

mod oss;
mod plots;
mod sheet;
mod show;

pub(crate) use plots::{days_until, plots};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.reports", "/reports", show::show)
        .console(Some("reports.view"))
        .get("console.reports.oss", "/reports/oss", oss::show)
        .console(Some("reports.view"))
}
