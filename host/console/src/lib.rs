//! The operator's console: HTML pages, rendered by the server and complete without script.
//!
//! Its routes stand in the table of all routes, and the kernel's guard decides who is let in. A page reads with functions of the
//! features and changes by the same functions that the command line calls.

mod amount;
mod assets;
mod audit;
mod catalog;
mod customers;
mod discounts;
mod door;
mod error_page;
mod filled;
mod form;
mod gateway_names;
mod invoices;
mod layout;
mod list;
mod operation;
mod orders;
mod page;
mod paging;
mod panels;
mod payments;
mod people;
mod question;
mod reports;
mod show;
mod support;
mod today;
mod withdrawals;

use stoa_core::config::Config;
use stoa_core::webhooks::Sender;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::AssetPath;
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_pages::answer::PageResponse;
use stoa_staff::StaffCredentials;

use page::ConsoleState;

/// Registers the pages of the console.
pub fn register(
    cx: &mut ModuleContext<'_>,
    config: &Config,
    credentials: &StaffCredentials,
    sender: &Sender,
) -> Result<(), RegisterError> {
    let state = ConsoleState::new(config, credentials);
    cx.console_shown_by(list::ConsoleView(state.clone()), error_page::ConsoleErrors(state.clone()));
    cx.console_routes(state, operation::routes(pages(), sender))
}

async fn nothing(AssetPath(_): AssetPath) -> ApiResult<PageResponse> {
    Err(ApiError::not_found())
}

fn pages() -> Routes<ConsoleState> {
    let routes = door::routes(routes())
        .get("console.assets", "/assets/{file}", assets::file)
        .console_door()
        .get("console.home", "", door::go_home)
        .console_door()
        .get("console.today", "/", today::show)
        .console(None);
    let routes = people::routes(routes).get("console.audit", "/audit", audit::show).console(Some("audit.view"));
    let routes = catalog::routes(orders::routes(routes));
    let routes = support::routes(customers::routes(routes));
    let routes = payments::routes(invoices::routes(discounts::routes(routes)));
    let routes = reports::routes(withdrawals::routes(routes));
    // What is nowhere is told by the console itself, to who is logged in.
    routes.get("console.nothing", "/{*path}", nothing).console(None)
}
