//! The states of an order (contract 2.3).

use super::insert::NewOrderItem;

/// Makes an enum of states with the lower-case words of the database and of the API.
macro_rules! states {
    ($(#[$meta:meta])* $name:ident, $what:literal: $($(#[$doc:meta])* $state:ident = $word:literal),+ $(,)?) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            $($(#[$doc])* $state),+
        }

        impl $name {
            /// All of them, in the order of the contract.
            pub const ALL: &'static [Self] = &[$(Self::$state),+];

            /// The lower-case word of the database and of the API.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$state => $word),+
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(word: String) -> Result<Self, String> {
                Self::ALL.iter().copied().find(|state| state.as_str() == word)
                    .ok_or_else(|| format!(concat!("`{}` is no ", $what), word))
            }
        }
    };
}

pub(crate) use states;

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
    pub(super) fn of_new(items: &[NewOrderItem]) -> Self {
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
