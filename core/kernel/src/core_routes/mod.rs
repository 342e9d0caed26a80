//! What only routes of core's own features are: open without an ability, or no part of the API.
//!
//! The face for authors does not show this module, so that no module opens a route by itself.

mod callback;
mod page_language;

pub use callback::{Arrived, Unverified};
pub use page_language::PageLanguage;

use crate::auth::LimitClass;
use crate::http::table::{Access, Routes};

/// Says of a route who may use it, and where it stands.
pub trait CoreRoutes {
    /// Opens the route just added to everybody.
    #[must_use]
    fn public(self, limit: LimitClass) -> Self;

    /// Opens the route just added to everybody, and to customers as themselves.
    #[must_use]
    fn cart(self) -> Self;

    /// Opens the route just added to whoever brings credentials in the body.
    #[must_use]
    fn credentials(self) -> Self;

    /// Opens the route just added to holders of an ability, whatever its prefix is mapped to.
    #[must_use]
    fn ability(self, ability: &'static str) -> Self;

    /// Puts the route just added beside the API, for browsers of this shop.
    #[must_use]
    fn first_party(self) -> Self;

    /// Puts the route just added beside the API, for whoever is logged in.
    #[must_use]
    fn logged_in(self) -> Self;

    /// Makes the route just added a page at the shop's own root, for everybody's browser. Reading it counts nothing. A form
    /// that is sent to it counts against the limit of protected routes, and must come from a page of the shop; its handler takes
    /// [`FormFields`](crate::http::form::FormFields).
    #[must_use]
    fn page(self) -> Self;

    /// Makes the route just added one at the shop's own root that programs of others call, who prove who they are by the body
    /// alone. Its handler takes [`Unverified`], which counts against this limit.
    #[must_use]
    fn callback(self, limit: LimitClass) -> Self;

    /// Makes the route just added a page of the console for staff with this ability; with none, for all staff. Add such routes
    /// with [`ModuleContext::console_routes`](crate::module::ModuleContext::console_routes).
    #[must_use]
    fn console(self, ability: Option<&'static str>) -> Self;

    /// Makes the route just added one of the console's that stands before its door.
    #[must_use]
    fn console_door(self) -> Self;
}

impl<S: Clone + Send + Sync + 'static> CoreRoutes for Routes<S> {
    fn public(self, limit: LimitClass) -> Self {
        self.opened(Access::Public(limit))
    }

    fn cart(self) -> Self {
        self.opened(Access::Cart)
    }

    fn credentials(self) -> Self {
        self.opened(Access::Credentials)
    }

    fn ability(self, ability: &'static str) -> Self {
        self.opened(Access::Ability(ability))
    }

    fn first_party(self) -> Self {
        self.opened(Access::FirstParty).at_the_root()
    }

    fn logged_in(self) -> Self {
        self.opened(Access::Session).at_the_root()
    }

    fn page(self) -> Self {
        self.opened(Access::Page).at_the_root()
    }

    fn callback(self, limit: LimitClass) -> Self {
        self.opened(Access::Callback).at_the_root().limited(limit)
    }

    fn console(self, ability: Option<&'static str>) -> Self {
        self.opened(Access::Console(ability)).at_the_root()
    }

    fn console_door(self) -> Self {
        self.opened(Access::ConsoleDoor).at_the_root()
    }
}
