//! What features and modules bring to the console.

use std::sync::Arc;

use super::context::{ModuleContext, RegisterError};
use super::registry::CORE;
use crate::console::{
    ConsoleAbility, ConsolePage, ConsolePages, ConsolePanel, On, OwnedConsoleAbility, OwnedConsolePanel, OwnedWaiting,
    ShowConsole,
};
use crate::db::DbError;
use crate::from_shop::FromShop;
use crate::http::table::{Base, Routes};
use crate::pages::ShowErrors;

impl ModuleContext<'_> {
    /// Adds something that can be done in the console, named `<subject>.<act>`, which roles may hold. A module's begins with its own
    /// name: `gift_wrap.edit`.
    pub fn console_ability(&mut self, name: &'static str, opens: &'static str) {
        let is_named = name.split_once('.').is_some_and(|(subject, act)| !subject.is_empty() && !act.is_empty());
        let is_own = self.module == CORE || name.split('.').next() == Some(self.module);
        if !is_named || !is_own {
            let mistake = format!("the console's ability `{name}` must be named `{}.<act>`", self.module);
            self.tables.mistakes.push((self.module, mistake));
        } else if self.enabled {
            let ability = ConsoleAbility { name, opens };
            self.tables.console.abilities.push(OwnedConsoleAbility { owner: self.module, ability });
        }
    }

    /// Adds pages below the console's path: `routes().get("console.orders", "/orders", list).console(Some("orders.view"))`. Where
    /// there is no console, they are not there.
    pub fn console_routes<S: Clone + Send + Sync + 'static>(
        &mut self,
        state: S,
        mut routes: Routes<S>,
    ) -> Result<(), RegisterError> {
        if let Some(path) = self.given.console.clone() {
            for (route, _) in &mut routes.entries {
                (route.base, route.below) = (Base::Site, Arc::clone(&path));
            }
            self.routes(state, routes)?;
        }
        Ok(())
    }

    /// Adds a page of the module to the console, with its entry of the menu: `page("gift_wrap.wishes", "Gift wraps", "gift_wrap.view",
    /// list)`. `state` is what its handler takes as `State<S>`.
    pub fn console_page<S: Clone + Send + Sync + 'static>(
        &mut self,
        state: S,
        page: ConsolePage<S>,
    ) -> Result<(), RegisterError> {
        let module = self.module;
        self.tables.mistakes.extend(page.problems(module).into_iter().map(|problem| (module, problem)));
        let Some(path) = self.given.console.clone() else { return Ok(()) };
        if self.enabled {
            self.tables.console.menu.extend(page.entry());
        }
        self.routes(state, page.into_routes(&path))
    }

    /// Adds a box to the console's page of an order, a product or a customer, for those who hold the ability. `fill` takes its id, and
    /// gives nothing where there is nothing to be shown.
    pub fn console_panel<U, F, Fut>(&mut self, on: On, ability: &'static str, fill: F)
    where
        U: FromShop,
        F: Fn(i64, U) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<ConsolePanel>, DbError>> + Send + 'static,
    {
        if self.enabled {
            self.tables.console.panels.push(OwnedConsolePanel::new(self.module, on, ability, fill));
        }
    }

    /// Has the console's first page tell those who hold the ability how much of something waits for somebody: `label` says of what, `path`
    /// is where it is done, below the console's path.
    pub fn console_waiting<U, F, Fut>(
        &mut self,
        ability: &'static str,
        label: &'static str,
        path: &'static str,
        count: F,
    ) where
        U: FromShop,
        F: Fn(U) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<i64, DbError>> + Send + 'static,
    {
        if self.enabled {
            self.tables.console.waiting.push(OwnedWaiting::new(self.module, ability, label, path, count));
        }
    }

    /// Has the console's pages that are data, and its errors, shown by these.
    pub fn console_shown_by(&mut self, view: impl ShowConsole, errors: impl ShowErrors) {
        let (view, errors) = (Some(Arc::new(view) as _), Some(Arc::new(errors) as _));
        self.tables.console_pages = ConsolePages { errors, view, ..ConsolePages::default() };
    }
}
