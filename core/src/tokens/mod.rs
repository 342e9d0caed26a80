//! Creating access tokens by password: `POST /auth/tokens` (S5.2).

mod routes;
mod rules;

pub(crate) use routes::{TokenState, token_routes};
