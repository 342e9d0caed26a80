//! Boxes of modules on pages of orders, products and customers.

use askama::Template;
use stoa_kernel::console::{FilledPanel, On, Panels};
use stoa_kernel::http::error::{ApiError, ApiResult};

use crate::list::{Part, Place, Table};

#[derive(Template)]
#[template(path = "panel.html")]
struct PanelShown<'a> {
    title: &'static str,
    /// What the heading is known by on the page.
    id: usize,
    facts: Vec<Place>,
    tables: Vec<Table<'a>>,
    links: Vec<(&'a str, String)>,
}

/// The HTML of the boxes on a page about the order, product or customer with this id.
pub(crate) async fn boxes(panels: &Panels, on: On, id: i64) -> ApiResult<Vec<String>> {
    let filled = panels.on(on, id).await;
    filled.iter().enumerate().map(|(number, panel)| html(panels, number, panel)).collect()
}

fn html(panels: &Panels, id: usize, panel: &FilledPanel) -> ApiResult<String> {
    let (staff, console) = (&panels.staff, &*panels.staff.console);
    let facts = panel.facts.iter().map(|(name, value)| Place::of(value, name, false, &panels.money, console));
    let shown = PanelShown {
        title: panel.title,
        id,
        facts: facts.collect(),
        tables: panel.lists.iter().map(|list| Table::of(list, staff)).collect(),
        links: panel.links.iter().map(|(text, path)| (text.as_str(), format!("{console}{path}"))).collect(),
    };
    shown.render().map_err(ApiError::internal)
}
