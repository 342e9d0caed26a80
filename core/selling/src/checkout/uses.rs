//! What checking out works with.

use std::sync::Arc;

use stoa_kernel::events::EventBus;
use stoa_kernel::from_shop;
use stoa_kernel::money::{Currency, MoneyFormatter};

use crate::cart::Prices;
use crate::payments::Payments;

from_shop! {
    /// What checking out works with.
    #[derive(Clone)]
    pub struct Checkout {
        /// What the lines are priced by.
        pub prices: Prices,
        /// What the order is paid through, and where it is written down.
        pub payments: Payments,
        /// Who is asked before an order is placed.
        pub events: Arc<EventBus>,
        /// The currency of all prices.
        pub currency: Currency,
        /// Writes amounts.
        pub money: Arc<MoneyFormatter>,
    }
}
