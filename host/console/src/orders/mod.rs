//! `/console/orders`.

mod list;

pub(crate) use list::Row;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes.get("console.orders", "/orders", list::show).console(Some("orders.view"))
}
