//! What a customer may use because it was bought, and how modules tell one another when that changes.
//!
//! A unit of an order line is the same thing to every module: the one that bills it tells here when it may not be used
//! any longer, and those that deliver something for it listen. None of them knows which others there are. Those that deliver
//! also tell here which units were used, so that a refund takes others first.

mod deliveries;
mod queries;
mod uses;

pub use deliveries::{DeliveryDue, held_units, note_delivered};
pub use uses::{SoldUnit, undo_use, use_units};

use serde::{Deserialize, Serialize};

use stoa_kernel::events::{CommittedEvent, Event};

use crate::orders::subject_of;

/// Makes a committed event about a unit of an order line.
macro_rules! entitlement_event {
    ($(#[$meta:meta])* $event:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $event {
            /// The order that the unit was sold with.
            pub order_id: i64,
            /// The item of that order.
            #[serde(alias = "order_item_id")]
            pub order_line_id: i64,
            /// Which unit of the item, from 1 to its quantity.
            pub unit: i64,
            /// Whose it is.
            pub customer_id: i64,
        }

        impl Event for $event {
            const NAME: &'static str = stringify!($event);
        }

        impl CommittedEvent for $event {
            fn order_key(&self) -> Option<String> {
                Some(subject_of(self.order_id))
            }
        }
    };
}

entitlement_event! {
    /// What was sold with this unit must not be used for the time being, for example because it is not paid for any more.
    EntitlementSuspended
}

entitlement_event! {
    /// What was sold with this unit may be used again after it was suspended.
    EntitlementResumed
}

entitlement_event! {
    /// What was sold with this unit is over, for good.
    EntitlementEnded
}
