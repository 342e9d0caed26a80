//! The customer's own account: `GET /me` and `PATCH /me` (S2.3, S4.3).

mod model;
mod queries;
mod routes;
mod rules;

pub(crate) use model::AccountResource;
pub(crate) use routes::{account_of_user, account_routes, example_account};
