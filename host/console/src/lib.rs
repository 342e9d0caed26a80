//! The operator's console: HTML pages, rendered by the server and complete without script.
//!
//! Its routes stand in the table of all routes, and the kernel's guard decides who is let in. A page reads with functions of the
//! features and changes by the same functions that the command line calls.

mod assets;
mod audit;
mod catalog;
mod door;
mod error_page;
mod form;
mod layout;
mod list;
mod orders;
mod page;
mod paging;
mod people;
mod show;
mod today;

use stoa_core::config::Config;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_staff::StaffCredentials;

use page::ConsoleState;

/// Registers the pages of the console.
pub fn register(
    cx: &mut ModuleContext<'_>,
    config: &Config,
    credentials: &StaffCredentials,
) -> Result<(), RegisterError> {
    let state = ConsoleState::new(config, credentials);
    cx.console_shown_by(list::ConsoleView(state.clone()), error_page::ConsoleErrors(state.clone()));
    cx.console_routes(state, pages())
}

fn pages() -> Routes<ConsoleState> {
    let routes = door::routes(routes())
        .get("console.assets", "/assets/{file}", assets::file)
        .console_door()
        .get("console.today", "/", today::show)
        .console(None);
    let routes = people::routes(routes).get("console.audit", "/audit", audit::show).console(Some("audit.view"));
    catalog::routes(orders::routes(routes))
}
