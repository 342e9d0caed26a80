//! Discount codes: what they take off, who may still use them, and which order did (contract 2.2).
//!
//! Checkout finds the discount of a code, [checks](Discount::check) it early so that the customer knows why it cannot be
//! used, and [redeems](redeem) it in the transaction that places the order, where everything is looked at once more
//! while nobody else can use the code. Cancelling an order [releases](release) what it used.

mod code;
mod model;
mod oversight;
mod queries;
mod redeem;
mod refusal;
mod search;
mod share;
mod store;

pub use code::{DiscountCode, InvalidCode, MAX_CODE};
pub use model::{Discount, DiscountState, DiscountTerms, DiscountTimesError, NewDiscount};
pub(crate) use redeem::check_code;
pub use redeem::{RedeemError, Redemption, count_uses, redeem, release};
pub use refusal::DiscountRefusal;
pub use search::{DiscountSearch, Redeemed, count_discounts, find_discount_by_id, redemptions_of, search_discounts};
pub use share::{read_percent, written_percent};
pub use store::{
    ChangeDiscountError, CreateDiscountError, Removal, Switch, change_discount, create_discount, list_discounts,
    look_up_discount, remove_discount, switch_discount,
};

use stoa_kernel::module::ModuleContext;

/// What must hold of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.claims_from_guests("discounts.claim", &[queries::CLAIM]);
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
}
