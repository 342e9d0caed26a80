//! The customer's own account: `GET /me` and `PATCH /me` (S2.3, S4.3).

mod model;
mod queries;
mod routes;
mod rules;

pub(crate) use model::AccountResource;
pub(crate) use routes::{account_of_user, example_account, example_guest};

use stoa_kernel::module::{ModuleContext, RegisterError};

/// The routes of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.routes((), routes::account_routes())
}
