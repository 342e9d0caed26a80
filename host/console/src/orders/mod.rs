//! `/console/orders`.

mod acts;
mod list;
mod mails;
mod money;
mod one;
mod withdrawn;

pub(crate) use list::{Buyers, orders};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.orders", "/orders", list::show)
        .console(Some("orders.view"))
        .get("console.orders.show", "/orders/{number}", one::show)
        .console(Some("orders.view"))
        .post("console.orders.paid", "/orders/{number}/paid", acts::mark_paid)
        .console(Some("orders.pay"))
        .post("console.orders.ship", "/orders/{number}/ship", acts::ship)
        .console(Some("orders.ship"))
        .post("console.orders.refund", "/orders/{number}/refund", acts::refund)
        .console(Some("orders.refund"))
        .post("console.orders.cancel", "/orders/{number}/cancel", acts::cancel)
        .console(Some("orders.cancel"))
        .post("console.orders.note", "/orders/{number}/note", acts::note)
        .console(Some("orders.note"))
        .post("console.orders.mail", "/orders/{number}/mail", acts::send_mail_again)
        .console(Some("orders.mail"))
        .post("console.orders.reviewed", "/orders/{number}/reviewed", acts::reviewed)
        .console(Some("orders.note"))
}
