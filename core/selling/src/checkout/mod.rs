//! Checkout: from a cart to an order (contract 2.2).

mod added;
mod consents;
mod destination;
mod follow_up;
mod lines;
mod order_writer;
mod payment;
mod place;
mod quote;
mod requirements;
mod requirements_query;
mod routes;
mod rules;
mod totals;
mod uses;
mod vat_id;

pub use follow_up::{FollowUpError, FollowUpLine, FollowUpOrder, PlacedFollowUp, place_follow_up};
pub use requirements::CheckoutRequirements;
use stoa_kernel::module::{ModuleContext, RegisterError};
pub use uses::Checkout;

/// The routes of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.routes((), routes::checkout_routes())
}
