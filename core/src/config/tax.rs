//! `[tax]`: what is added to prices, or contained in them.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::check::Section;
use super::country::CountryCode;
pub use super::value::BasisPoints;

/// Tax rates by country of delivery; a country that is not named has none.
pub type TaxRates = BTreeMap<CountryCode, BasisPoints>;

/// Settings of taxes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub struct TaxConfig {
    /// Whether product prices include tax; when not, it is added at checkout.
    pub prices_include_tax: bool,
    /// The rates of products without a tax class.
    pub rates: TaxRates,
    /// The rates of products with a tax class, by its name.
    pub classes: BTreeMap<String, TaxRates>,
}

impl Default for TaxConfig {
    fn default() -> Self {
        Self {
            prices_include_tax: true,
            rates: TaxRates::new(),
            classes: BTreeMap::new(),
        }
    }
}

impl Section for TaxConfig {
    const KEY: &'static str = "tax";
}
