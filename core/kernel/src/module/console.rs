//! What features and modules bring to the console.

use std::sync::Arc;

use super::context::{ModuleContext, RegisterError};
use super::registry::CORE;
use crate::console::{ConsoleAbility, ConsolePages, OwnedConsoleAbility, ShowConsole};
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
            self.tables.console_abilities.push(OwnedConsoleAbility { owner: self.module, ability });
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

    /// Has the console's pages that are data, and its errors, shown by these.
    pub fn console_shown_by(&mut self, view: impl ShowConsole, errors: impl ShowErrors) {
        self.tables.console_pages = ConsolePages { view: Some(Arc::new(view)), errors: Some(Arc::new(errors)) };
    }
}
