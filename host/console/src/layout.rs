//! The frame of every page: navigation, who is logged in, and what was done.

use stoa_core::config::Config;
use stoa_kernel::console::{Menu, Staff, Told, WayBack};

use crate::assets::Files;

/// An entry of the navigation, and the ability that opens its page.
struct Entry {
    key: &'static str,
    label: &'static str,
    path: &'static str,
    ability: Option<&'static str>,
}

const fn entry(key: &'static str, label: &'static str, path: &'static str, ability: Option<&'static str>) -> Entry {
    Entry { key, label, path, ability }
}

/// Entries that belong together, below a heading.
struct Group {
    heading: Option<&'static str>,
    entries: &'static [Entry],
}

/// The groups in their order.
const GROUPS: [Group; 5] = [
    Group { heading: None, entries: &[entry("today", "Today", "", None)] },
    Group {
        heading: Some("Sell"),
        entries: &[
            entry("orders", "Orders", "/orders", Some("orders.view")),
            entry("products", "Products", "/products", Some("products.view")),
            entry("categories", "Categories", "/categories", Some("products.view")),
            entry("imports", "Imports", "/imports", Some("products.import")),
            entry("discounts", "Discounts", "/discounts", Some("discounts.view")),
        ],
    },
    Group {
        heading: Some("People"),
        entries: &[
            entry("customers", "Customers", "/customers", Some("customers.view")),
            entry("support", "Support", "/support", Some("support.view")),
            entry("staff", "Staff", "/staff", Some("staff.view")),
        ],
    },
    Group {
        heading: Some("Documents"),
        entries: &[
            entry("invoices", "Invoices", "/invoices", Some("invoices.view")),
            entry("payments", "Payments", "/payments", Some("payments.view")),
            entry("withdrawals", "Withdrawals", "/withdrawals", Some("withdrawals.view")),
            entry("reports", "Reports", "/reports", Some("reports.view")),
        ],
    },
    Group {
        heading: Some("Technical"),
        entries: &[
            entry("webhooks", "Webhooks", "/webhooks", Some("webhooks.view")),
            entry("jobs", "Jobs", "/jobs", Some("jobs.view")),
            entry("events", "Events", "/events", Some("events.view")),
            entry("mails", "Mails", "/mails", Some("mails.view")),
            entry("modules", "Modules", "/modules", Some("modules.view")),
            entry("settings", "Settings", "/settings", Some("settings.view")),
            entry("audit", "Audit log", "/audit", Some("audit.view")),
            entry("health", "Health", "/health", Some("health.view")),
        ],
    },
];

/// What somebody may open of a group.
pub(crate) struct ShownGroup {
    pub(crate) heading: Option<&'static str>,
    pub(crate) entries: Vec<Shown>,
}

/// An entry that somebody may open.
pub(crate) struct Shown {
    pub(crate) label: &'static str,
    pub(crate) path: String,
    pub(crate) current: bool,
    /// Whether it belongs to the entry before it.
    pub(crate) is_below: bool,
}

/// What templates see of the frame.
pub(crate) struct Layout {
    pub(crate) title: String,
    pub(crate) shop: String,
    pub(crate) console: String,
    pub(crate) csrf: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) navigation: Vec<ShownGroup>,
    /// What the form before has come to.
    pub(crate) told: Option<Told>,
    /// The way back to the list that was narrowed last.
    pub(crate) way_back: WayBack,
    pub(crate) files: Files,
    /// Whether the shop has pages on which people buy.
    pub(crate) has_storefront: bool,
    /// Whether the shop serves its documentation.
    pub(crate) has_documentation: bool,
}

impl Layout {
    pub(crate) fn new(staff: &Staff, config: &Config, title: String, current: &str) -> Self {
        Self {
            title,
            shop: config.shop.name.clone(),
            console: staff.console.to_string(),
            csrf: staff.csrf.to_string(),
            name: staff.session.name.clone(),
            role: staff.session.role.clone(),
            navigation: navigation(staff, current),
            told: staff.told.clone(),
            way_back: staff.way_back.clone(),
            files: Files::default(),
            has_storefront: is_on(config, "storefront"),
            has_documentation: is_on(config, "documentation"),
        }
    }

    /// The way back to a list of the console, such as `/orders`, as it was narrowed.
    pub(crate) fn way_to(&self, path: &str) -> String {
        self.way_back.to(&format!("{}{path}", self.console))
    }
}

/// Whether a module is switched on.
fn is_on(config: &Config, module: &str) -> bool {
    config.modules.get(module).is_some_and(|module| module.enabled)
}

/// What somebody may open: the console's own entries, each with those of modules behind it; no group of which that is nothing.
fn navigation(staff: &Staff, current: &str) -> Vec<ShownGroup> {
    let groups = GROUPS.iter().map(|group| {
        let entries = group.entries.iter().flat_map(|entry| shown(staff, entry, current)).collect();
        ShownGroup { heading: group.heading, entries }
    });
    groups.filter(|group| !group.entries.is_empty()).collect()
}

/// An entry and those of modules behind it, as far as somebody may open them.
fn shown(staff: &Staff, entry: &Entry, current: &str) -> Vec<Shown> {
    let console = &staff.console;
    let mut shown = Vec::new();
    if entry.ability.is_none_or(|ability| staff.may(ability)) {
        let path = format!("{console}{}", entry.path);
        shown.push(Shown { label: entry.label, path, current: entry.key == current, is_below: false });
    }
    let near = staff.menu.iter().filter(|module| place_of(module.near) == entry.key && staff.may(module.ability));
    shown.extend(near.map(|module| Shown {
        label: module.label,
        path: format!("{console}{}", module.path),
        current: module.path.trim_start_matches('/') == current,
        is_below: true,
    }));
    shown
}

/// The entry that modules' pages stand behind.
fn place_of(near: Menu) -> &'static str {
    let there = GROUPS.iter().flat_map(|group| group.entries).find(|entry| entry.key == near.key());
    there.map_or("orders", |entry| entry.key)
}

/// The entry that a path below the console's belongs to: `orders` of `/orders/12`, `m/inventory/stock` of a page of a module and what
/// is below it.
pub(crate) fn section(path: &str) -> &str {
    let path = path.trim_start_matches('/');
    let parts = if path.starts_with("m/") { 3 } else { 1 };
    path.match_indices('/').nth(parts - 1).map_or(path, |(end, _)| &path[..end])
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_path_belongs_to_an_entry_of_the_menu() {
        for (path, expected) in [
            ("/orders/12", "orders"),
            ("/orders", "orders"),
            ("", ""),
            ("/m/inventory/stock", "m/inventory/stock"),
            ("/m/inventory/stock/adjust", "m/inventory/stock"),
        ] {
            assert_eq!(section(path), expected, "{path}");
        }
    }
}
