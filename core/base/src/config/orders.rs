//! `[orders]`: the life of an order.

use serde::Deserialize;

use super::value::{MAX_MINUTES, within};

/// Settings of orders.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrdersConfig {
    /// Minutes after which an unpaid order is cancelled; 0 is never (contract 2.3).
    #[serde(deserialize_with = "within::<_, _, 0, MAX_MINUTES>")]
    pub unpaid_expiry_minutes: u32,
}
