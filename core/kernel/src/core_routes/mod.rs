//! What only routes of core's own features are: open without an ability, or no part of the API.
//!
//! The face for authors does not show this module, so that no module opens a route by itself.

mod callback;
mod form;

pub use callback::{Arrived, Unverified};
pub use form::{FormFields, PageLanguage};

use axum::response::{IntoResponse, Response};

use crate::auth::LimitClass;
use crate::http::shape::Answers;
use crate::http::table::{Access, Base, Operation, Routes};

/// Says of a route who may use it, and where it stands.
pub trait CoreRoutes {
    /// Makes the route just added a page at the shop's own root, for everybody's browser. Reading it counts nothing. A form
    /// that is sent to it counts against the limit of protected routes, and must come from a page of the shop; its handler takes
    /// [`FormFields`].
    #[must_use]
    fn page(self) -> Self;

    /// Makes the route just added one at the shop's own root that programs of others call, who prove who they are by the body
    /// alone. Its handler takes [`Unverified`], which counts against this limit.
    #[must_use]
    fn callback(self, limit: LimitClass) -> Self;
}

impl<S: Clone + Send + Sync + 'static> CoreRoutes for Routes<S> {
    fn page(mut self) -> Self {
        let route = self.last();
        route.base = Base::Site;
        route.access = Access::Page;
        self
    }

    fn callback(mut self, limit: LimitClass) -> Self {
        let route = self.last();
        route.base = Base::Site;
        route.access = Access::Callback;
        route.limit = limit;
        self
    }
}

/// The answer of a route that the API's document says nothing about.
#[derive(Debug)]
pub struct Undescribed(pub Response);

impl IntoResponse for Undescribed {
    fn into_response(self) -> Response {
        self.0
    }
}

impl Answers for Undescribed {
    fn answers(_: &mut Operation) {}
}
