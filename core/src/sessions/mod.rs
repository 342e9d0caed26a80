//! Logging in and out from the shop's own pages, and registering (contract 2.4).

mod answer;
mod routes;
mod rules;

pub(crate) use routes::session_routes;
