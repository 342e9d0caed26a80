//! The states of an order (contract 2.3).

use stoa_kernel::states;

use super::insert::NewOrderLine;

states! {
    /// How far an order has come: `pending` becomes `paid` or `cancelled`, and nothing leaves those.
    OrderStatus, "status of an order":
    /// Placed and not paid.
    Pending = "pending",
    /// Paid.
    Paid = "paid",
    /// Cancelled by the operator, or because it was not paid in time.
    Cancelled = "cancelled",
}

states! {
    /// How much of an order was sent.
    FulfillmentStatus, "fulfillment status":
    /// There is nothing to send.
    NotRequired = "not_required",
    /// Nothing was sent yet.
    Unfulfilled = "unfulfilled",
    /// Some units were sent.
    PartiallyFulfilled = "partially_fulfilled",
    /// Everything was sent that is to be sent.
    Fulfilled = "fulfilled",
}

impl FulfillmentStatus {
    /// That of a new order with these items.
    pub(super) fn of_new(items: &[NewOrderLine]) -> Self {
        if items.iter().any(|item| item.shippable) { Self::Unfulfilled } else { Self::NotRequired }
    }

    /// Whether something was sent.
    pub const fn is_begun(self) -> bool {
        match self {
            Self::NotRequired | Self::Unfulfilled => false,
            Self::PartiallyFulfilled | Self::Fulfilled => true,
        }
    }
}
