//! `/console/customers`.

mod acts;
mod create;
mod data;
mod list;
mod one;
mod token;

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::Routes;

use crate::page::ConsoleState;

/// The routes.
pub(crate) fn routes(routes: Routes<ConsoleState>) -> Routes<ConsoleState> {
    routes
        .get("console.customers", "/customers", list::show)
        .console(Some("customers.view"))
        .get("console.customers.new", "/customers/new", create::show)
        .console(Some("customers.edit"))
        .post("console.customers.create", "/customers/new", create::create)
        .console(Some("customers.edit"))
        .get("console.customers.show", "/customers/{id}", one::show)
        .console(Some("customers.view"))
        .post("console.customers.edit", "/customers/{id}", acts::edit)
        .console(Some("customers.edit"))
        .post("console.customers.address", "/customers/{id}/address", acts::set_address)
        .console(Some("customers.edit"))
        .post("console.customers.verify", "/customers/{id}/verify", acts::verify)
        .console(Some("customers.edit"))
        .post("console.customers.password", "/customers/{id}/password", acts::set_new_password)
        .console(Some("customers.edit"))
        .post("console.customers.log_out", "/customers/{id}/log-out", acts::log_out)
        .console(Some("customers.edit"))
        .post("console.customers.note", "/customers/{id}/note", acts::note)
        .console(Some("customers.edit"))
        .post("console.customers.revoke", "/customers/{id}/revoke", acts::revoke)
        .console(Some("customers.tokens"))
        .post("console.customers.export", "/customers/{id}/export", data::export)
        .console(Some("customers.export"))
        .post("console.customers.anonymize", "/customers/{id}/anonymize", data::anonymize)
        .console(Some("customers.anonymize"))
        .and(token::form().routes("/customers/token", "/customers"))
}
