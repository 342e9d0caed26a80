//! `/console/modules`: what is linked, and what of it is on.

use std::sync::Arc;

use stoa_core::module::ModuleDescription;
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

/// `GET /console/modules`.
pub(super) async fn show(
    Uses(modules): Uses<Arc<Vec<ModuleDescription>>>,
    query: ListQuery,
) -> ApiResult<ConsoleAnswer> {
    let list = List::keyed("Modules", |module: &ModuleDescription| module.entry.name.to_owned())
        .about("What this program has. A module is switched on and off in the configuration: [modules.NAME] enabled = true.")
        .empty("This program has no modules.")
        .column("Module", |module| {
            let name = module.entry.name;
            Cell::link(name, format!("/settings?q=modules.{name}.")).over(module.entry.crate_name)
        })
        .column("State", |module| Cell::state(if module.enabled { "on" } else { "off" }))
        .column("Version", |module| module.entry.version)
        .column("For products that are", |module| module.entry.capabilities.join(", "))
        .column("Jobs", |module| module.jobs.join(", "))
        .column("Mails", |module| module.mails.join(", "))
        .number("Routes", |module| count(module.routes.len()))
        .number("Pages", |module| count(module.pages.len()));
    list.show_all(query, modules.to_vec()).await
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
