//! The rate of tax by what is sold and where it goes.

use stoa_kernel::config::{BasisPoints, CountryCode, TaxConfig};

/// The rate of a product with this tax class in the country of delivery.
///
/// A class overrides the standard rates where it names the country. An unknown class, or one that does not name the
/// country, leaves the standard rate: owing too little tax would be found out years later, charging too much at once.
pub fn tax_rate(config: &TaxConfig, tax_class: Option<&str>, country: CountryCode) -> BasisPoints {
    let class = tax_class.and_then(|name| config.classes.get(name));
    class.and_then(|rates| rates.named(country)).unwrap_or_else(|| config.rates.of(country))
}

/// The rate of shipping: the standard rate of the country of delivery, whatever is sent.
pub fn shipping_tax_rate(config: &TaxConfig, country: CountryCode) -> BasisPoints {
    config.rates.of(country)
}
