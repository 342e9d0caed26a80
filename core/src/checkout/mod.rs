//! Checkout: from a cart to an order (contract 2.2).

mod destination;
mod lines;
mod place;
mod requirements;
mod routes;
mod rules;

pub use requirements::CheckoutRequirements;

pub(crate) use routes::checkout_routes;
