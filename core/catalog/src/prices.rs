//! What products cost after the modules have had their say, as the cart says it too.

use serde_json::{Map, Value};

use stoa_kernel::module::{Buyer, ListedUnits, SellingRules};

/// What one unit of a product costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnitAmount {
    pub(super) amount: i64,
    /// Whether it may be another for another customer or at another time, so that it cannot be kept.
    pub(super) varies: bool,
}

impl UnitAmount {
    /// What the operator has set.
    pub(super) fn listed(amount: i64) -> Self {
        Self { amount, varies: false }
    }
}

/// What one unit of a product costs a buyer, without options. What cannot be bought is shown at its list price.
pub(super) fn unit_amount(
    selling: &SellingRules,
    buyer: &Buyer,
    list_amount: i64,
    capabilities: &[String],
    settings: &Map<String, Value>,
) -> UnitAmount {
    let amount = selling.unit_amount(&ListedUnits { list_amount, quantity: 1, capabilities, settings }, buyer);
    UnitAmount { amount: if amount < 0 { list_amount } else { amount }, varies: selling.vary(settings) }
}
