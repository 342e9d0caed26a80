//! The frame of every page: navigation, who is logged in, and what was done.

use stoa_kernel::console::Staff;

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

/// The entries in their order.
const ENTRIES: [Entry; 7] = [
    entry("today", "Today", "", None),
    entry("orders", "Orders", "/orders", Some("orders.view")),
    entry("products", "Products", "/products", Some("products.view")),
    entry("categories", "Categories", "/categories", Some("products.view")),
    entry("imports", "Imports", "/imports", Some("products.import")),
    entry("staff", "Staff", "/staff", Some("staff.view")),
    entry("audit", "Audit log", "/audit", Some("audit.view")),
];

/// An entry that somebody may open.
pub(crate) struct Shown {
    pub(crate) label: &'static str,
    pub(crate) path: String,
    pub(crate) current: bool,
}

/// What templates see of the frame.
pub(crate) struct Layout {
    pub(crate) title: String,
    pub(crate) shop: String,
    pub(crate) console: String,
    pub(crate) csrf: String,
    pub(crate) name: String,
    pub(crate) role: String,
    pub(crate) navigation: Vec<Shown>,
    /// What the form before has come to.
    pub(crate) done: Option<String>,
    pub(crate) files: Files,
}

impl Layout {
    pub(crate) fn new(staff: &Staff, shop: &str, title: String, current: &str, done: Option<String>) -> Self {
        let console = staff.console.to_string();
        let open = ENTRIES.iter().filter(|entry| entry.ability.is_none_or(|ability| staff.may(ability)));
        let navigation = open
            .map(|entry| Shown {
                label: entry.label,
                path: format!("{console}{}", entry.path),
                current: entry.key == current,
            })
            .collect();
        Self {
            title,
            shop: shop.to_owned(),
            console,
            csrf: staff.csrf.to_string(),
            name: staff.session.name.clone(),
            role: staff.session.role.clone(),
            navigation,
            done,
            files: Files::default(),
        }
    }
}
