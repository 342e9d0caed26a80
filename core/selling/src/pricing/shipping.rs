//! The shipping methods that an order can choose from.

use serde::Serialize;

use stoa_kernel::config::{CountryCode, ShippingConfig};

/// A shipping method with what it costs this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShippingOption {
    /// The lasting name of the method.
    pub id: String,
    /// What customers read.
    pub label: String,
    /// What it costs, in minor units; 0 from the method's `free_from` on.
    pub amount: i64,
}

/// The shipping methods to a country, in the order in which the operator wrote them; all of them while the country is
/// not known. `subtotal` is that before any discount, in minor units (contract 2.2).
pub fn shipping_methods_for(
    config: &ShippingConfig,
    country: Option<CountryCode>,
    subtotal: i64,
) -> Vec<ShippingOption> {
    let methods = config.methods.iter();
    let offered = methods.filter(|method| match (&method.countries, country) {
        (Some(countries), Some(country)) => countries.contains(&country),
        (None, _) | (_, None) => true,
    });
    let priced = offered.map(|method| ShippingOption {
        id: method.id.clone(),
        label: method.label.clone(),
        amount: if method.free_from.is_some_and(|from| subtotal >= from) { 0 } else { method.amount },
    });
    priced.collect()
}
