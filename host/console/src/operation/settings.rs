//! `/console/settings`: the configuration that is in force, and where each setting was written.

use std::sync::Arc;

use stoa_core::config::{Config, SettingInForce};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

/// `GET /console/settings`.
pub(super) async fn show(Uses(config): Uses<Arc<Config>>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let (wanted, own) = (query.get("q").unwrap_or_default().to_lowercase(), query.is_on("changed"));
    let fits = |setting: &&SettingInForce| setting.key.contains(&wanted) && (setting.origin.is_some() || !own);
    let rows = config.in_force.iter().filter(fits).cloned().collect();
    let list = List::keyed("Settings", |setting: &SettingInForce| setting.key.clone())
        .about("What is in force, and where it was written. A change takes effect when the shop is started again. Secrets are not shown.")
        .search("Name of a setting, such as mail.")
        .flag("changed", "Changed only")
        .column("Setting", |setting| Cell::Code(setting.key.clone()))
        .column("Value", |setting| setting.value.clone())
        .column("Written in", |setting| match &setting.origin {
            Some(origin) => Cell::from(origin),
            None => Cell::from("the default"),
        });
    list.show_all(query, rows).await
}
