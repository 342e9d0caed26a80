//! `/console/support`: what customers ask, and what the shop answers.

mod create;
mod list;
mod one;

pub(crate) use list::tickets;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.support", "/support", list::show)
        .console(Some("support.view"))
        .get("console.support.new", "/support/new", create::show)
        .console(Some("support.reply"))
        .post("console.support.create", "/support/new", create::create)
        .console(Some("support.reply"))
        .get("console.support.show", "/support/{number}", one::show)
        .console(Some("support.view"))
        .post("console.support.reply", "/support/{number}/reply", one::reply)
        .console(Some("support.reply"))
        .post("console.support.close", "/support/{number}/close", one::close)
        .console(Some("support.reply"))
        .post("console.support.reopen", "/support/{number}/reopen", one::reopen)
        .console(Some("support.reply"))
}
