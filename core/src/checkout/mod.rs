//! Checkout: from a cart to an order (contract 2.2).

mod destination;
mod follow_up;
mod lines;
mod payment;
mod place;
mod requirements;
mod routes;
mod rules;
mod sale;

pub use follow_up::{FollowUpError, FollowUpLine, FollowUpOrder, PlacedFollowUp, place_follow_up};
pub use requirements::CheckoutRequirements;

pub(crate) use routes::checkout_routes;
