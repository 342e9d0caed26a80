//! `[tax]`: what is added to prices, or contained in them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};

use super::address::ServiceUrl;
use super::country::CountryCode;
use super::value::hundredths;

/// Settings of taxes.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaxConfig {
    /// Whether product prices include tax; when not, it is added at checkout.
    pub prices_include_tax: bool,
    /// Whether VIES is asked about customers' VAT identification numbers; else only their form is looked at.
    pub vies: bool,
    /// Where VIES answers, or what stands in for it.
    pub vies_base: ServiceUrl,
    /// The rates of products without a tax class.
    pub rates: TaxRates,
    /// The rates of products with a tax class, by its name; where a class does not name a country, that of `rates` holds.
    #[serde(default)]
    pub classes: BTreeMap<String, TaxRates>,
}

/// Tax rates by country of delivery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaxRates(BTreeMap<CountryCode, BasisPoints>);

impl TaxRates {
    /// The rate for `country`; 0 when it is not named.
    pub fn of(&self, country: CountryCode) -> BasisPoints {
        self.named(country).unwrap_or_default()
    }

    /// The rate for `country`, if it is named.
    pub fn named(&self, country: CountryCode) -> Option<BasisPoints> {
        self.0.get(&country).copied()
    }

    /// The countries that are named, with their rates, by code.
    pub fn iter(&self) -> impl Iterator<Item = (CountryCode, BasisPoints)> {
        self.0.iter().map(|(country, rate)| (*country, *rate))
    }
}

impl FromIterator<(CountryCode, BasisPoints)> for TaxRates {
    fn from_iter<I: IntoIterator<Item = (CountryCode, BasisPoints)>>(rates: I) -> Self {
        Self(rates.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for TaxRates {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TaxRatesVisitor)
    }
}

struct TaxRatesVisitor;

impl<'de> Visitor<'de> for TaxRatesVisitor {
    type Value = TaxRates;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of rates by country, such as { NL = 2100 }")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TaxRates, A::Error> {
        let mut rates = BTreeMap::new();
        while let Some((country, rate)) = map.next_entry::<CountryCode, BasisPoints>()? {
            // `NL` and `nl` are two keys in TOML, and one country.
            if rates.insert(country, rate).is_some() {
                return Err(A::Error::custom(format!("{country} has two rates; leave one of them out")));
            }
        }
        Ok(TaxRates(rates))
    }
}

/// A rate from nothing to all, in basis points, hundredths of a percent: 2100 is 21 %.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct BasisPoints(u16);

impl BasisPoints {
    /// All of it: 100 %.
    pub const ALL: u16 = 10_000;

    /// The rate of so many basis points; none above [`ALL`](Self::ALL).
    pub fn new(points: u16) -> Option<Self> {
        (points <= Self::ALL).then_some(Self(points))
    }

    /// The rate as a number from 0 to 10,000.
    pub fn get(self) -> u16 {
        self.0
    }
}

impl<'de> Deserialize<'de> for BasisPoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rate = hundredths::<_, _, 0, 10_000>(deserializer, |percent, points| {
            Some(format!("rates are whole numbers, in hundredths of a percent: {percent} % is {points}"))
        });
        rate.map(Self)
    }
}
