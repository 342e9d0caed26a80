//! Checkout: from a cart to an order (contract 2.2).

mod added;
mod consents;
mod destination;
mod error;
mod follow_up;
mod lines;
mod order_writer;
mod payment;
mod place;
mod queries;
mod quote;
mod requirements;
mod requirements_query;
mod reverse_charge;
mod routes;
mod rules;
mod shipping_methods;
mod tax_rates;
mod totals;
mod uses;
mod wishes;

pub use follow_up::{FollowUpError, FollowUpLine, FollowUpOrder, PlacedFollowUp, place_follow_up};
pub use requirements::CheckoutRequirements;
use stoa_kernel::module::{ModuleContext, RegisterError};
pub use uses::Checkout;

use crate::vat_ids::VatIds;

/// The routes of this feature, and what `stoa doctor` looks at.
pub(crate) fn register(cx: &mut ModuleContext<'_>, vat_ids: VatIds) -> Result<(), RegisterError> {
    cx.examine_database("tax.rates", tax_rates::ExamineTaxRates);
    cx.examine_database("shipping.methods", shipping_methods::ExamineShippingMethods);
    cx.routes(vat_ids, routes::checkout_routes())
}
