//! `/console/discounts`: codes that customers get something off with.

mod list;
mod one;
mod terms;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.discounts", "/discounts", list::show)
        .console(Some("discounts.view"))
        .get("console.discounts.new", "/discounts/new", terms::show)
        .console(Some("discounts.edit"))
        .post("console.discounts.create", "/discounts/new", terms::create)
        .console(Some("discounts.edit"))
        .get("console.discounts.show", "/discounts/{id}", one::show)
        .console(Some("discounts.view"))
        .get("console.discounts.change", "/discounts/{id}/edit", terms::show_change)
        .console(Some("discounts.edit"))
        .post("console.discounts.change", "/discounts/{id}/edit", terms::change)
        .console(Some("discounts.edit"))
        .post("console.discounts.switch", "/discounts/{id}/switch", one::switch)
        .console(Some("discounts.edit"))
        .post("console.discounts.remove", "/discounts/{id}/remove", one::remove)
        .console(Some("discounts.edit"))
}
