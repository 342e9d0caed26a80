//! Pages that modules bring to the console: a list or something else to look at, and forms that do something.

use std::sync::Arc;

use axum::handler::Handler;

use super::form::ConsoleForm;
use crate::core_routes::CoreRoutes;
use crate::http::shape::Shape;
use crate::http::table::{Base, Routes, routes};

/// The entry of the console's menu that a module's page stands behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is an entry of the menu, called the same")]
pub enum Menu {
    Today,
    Orders,
    Products,
    Customers,
    Support,
    Discounts,
    Reports,
    Webhooks,
}

impl Menu {
    /// What the console calls the entry in paths.
    pub fn key(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Orders => "orders",
            Self::Products => "products",
            Self::Customers => "customers",
            Self::Support => "support",
            Self::Discounts => "discounts",
            Self::Reports => "reports",
            Self::Webhooks => "webhooks",
        }
    }
}

/// An entry of a module in the console's menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MenuEntry {
    /// What it says.
    pub label: &'static str,
    /// The page below the console's path, such as `/m/inventory/stock`.
    pub path: String,
    /// Who sees it.
    pub ability: &'static str,
    /// What it stands behind.
    pub near: Menu,
}

/// A page of the console, made by [`page`].
pub struct ConsolePage<S> {
    name: &'static str,
    title: &'static str,
    ability: &'static str,
    near: Menu,
    is_listed: bool,
    shown: Routes<S>,
    forms: Vec<ConsoleForm>,
}

/// A page of the console that those who hold the ability may open. Its name is that of the module and one of its own: `inventory.stock`
/// is shown at `/m/inventory/stock` below the console's path, under this title. The handler takes a
/// [`ListQuery`](super::ListQuery) and answers a [`List`](super::List).
pub fn page<S: Clone + Send + Sync + 'static, T: 'static, H: Handler<T, S> + Shape<T>>(
    name: &'static str,
    title: &'static str,
    ability: &'static str,
    handler: H,
) -> ConsolePage<S> {
    let shown = routes().get(name, "/", handler).console(Some(ability));
    ConsolePage { name, title, ability, near: Menu::Products, is_listed: true, shown, forms: Vec::new() }
}

impl<S: Clone + Send + Sync + 'static> ConsolePage<S> {
    /// Puts its entry of the menu behind another than that of the products.
    #[must_use]
    pub fn near(self, near: Menu) -> Self {
        Self { near, ..self }
    }

    /// Leaves it out of the menu: another page leads to it.
    #[must_use]
    pub fn unlisted(self) -> Self {
        Self { is_listed: false, ..self }
    }

    /// Adds a form. It stands at a path of its own below the page's: `inventory.adjust` of the page `inventory.stock` at
    /// `/m/inventory/stock/adjust`.
    #[must_use]
    pub fn form(mut self, form: ConsoleForm) -> Self {
        self.forms.push(form);
        self
    }

    /// What is wrong with its names.
    pub(crate) fn problems(&self, module: &str) -> Vec<String> {
        let names = std::iter::once(self.name).chain(self.forms.iter().map(|form| form.name));
        let wrong = names
            .filter(|name| !matches!(name.split_once('.'), Some((owner, own)) if owner == module && is_label(own)));
        let named = wrong.map(|name| format!("the console's page `{name}` must be named `{module}.<page>`"));
        named.chain(self.forms.iter().flat_map(ConsoleForm::problems)).collect()
    }

    /// Its path below the console's.
    fn path(&self) -> String {
        format!("/m/{}", self.name.replacen('.', "/", 1))
    }

    /// Its entry of the menu, unless another page leads to it.
    pub(crate) fn entry(&self) -> Option<MenuEntry> {
        let entry = || MenuEntry { label: self.title, path: self.path(), ability: self.ability, near: self.near };
        self.is_listed.then(entry)
    }

    /// Its routes in the console at this path.
    pub(crate) fn into_routes(self, console: &str) -> Routes<S> {
        let page = self.path();
        let path: Arc<str> = format!("{console}{page}").into();
        let mut all = below(self.shown, &path);
        for form in self.forms {
            let own = form.name.rsplit('.').next().unwrap_or(form.name);
            let at: Arc<str> = format!("{path}/{own}").into();
            let both = form.routes("/", &page);
            all.entries.extend(below(both, &at).entries);
        }
        all
    }
}

fn below<S>(mut routes: Routes<S>, path: &Arc<str>) -> Routes<S> {
    for (route, _) in &mut routes.entries {
        (route.base, route.below) = (Base::Site, Arc::clone(path));
    }
    routes
}

fn is_label(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}
