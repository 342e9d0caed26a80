//! The cart (S4.1, S8, contract 2.1): of a guest by its token, of a customer without.
//!
//! A cart keeps products, selections and quantities; every price comes from the catalog at the moment of reading. Whoever
//! changes a cart updates its row first, which makes all others wait: so nothing that happens at the same time is lost.

mod accept;
mod choice;
mod error;
mod lines;
mod model;
mod options;
mod personal;
mod queries;
mod routes;
mod rules;
mod selections;
mod showing;
mod store;
mod token;
mod uses;

use chrono::TimeDelta;

pub use choice::{CartChoice, CartRow, take_cart};
pub use lines::{AmountOverflow, PricedCart, PricedLine, priced_lines, read_priced_lines};
pub use model::{CartLine, CartResource};
pub use options::SelectedOption;
pub use rules::{AddToCart, SetQuantity};
pub use selections::{Selection, Selections};
pub use showing::{CartShowing, ShownLine};
pub use store::{MAX_LINES, MAX_QUANTITY, empty_placed_cart};
pub use token::{CartToken, PresentedCart};
pub use uses::Prices;

pub(crate) use showing::mark_lines;

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_customers::guests::GuestLeftBehind;
use stoa_kernel::module::{ModuleContext, RegisterError};
use stoa_kernel::retention::Expired;

/// Days after its last change for which a cart is kept (contract 2.1).
const KEPT_DAYS: i64 = 30;

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] = &[Expired {
    what: "carts that nobody has changed for a month",
    delete: queries::PRUNE,
    before: |_, now| now - TimeDelta::days(KEPT_DAYS),
}];

/// The routes and listeners of this feature, and what it need not keep for ever.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.on_transaction::<CustomerAnonymizing>("cart.erase", personal::EraseCart);
    cx.on_preflight::<CustomerExporting>("cart.export", personal::ExportCart);
    cx.claims_from_guests("cart.claim", &[queries::CLAIM]);
    cx.on_transaction::<GuestLeftBehind>("cart.take-along", personal::TakeCartAlong);
    cx.expires(EXPIRED);
    cx.routes((), routes::cart_routes())
}
