//! `[shop]`: name, currency, language and countries.

use std::collections::BTreeSet;
use std::path::PathBuf;

use icu_locale::Locale;
use iso_currency::Currency;
use serde::Deserialize;
use serde::de::Deserializer;

use super::address::OrderUrl;
use super::check::Check;
use super::consents::ConsentConfig;
use super::consumer_rights::{ConsumerRights, DigitalWithoutWaiver};
use super::country::{self, CountryCode};
use super::value::{self, Malformed};
use crate::money::{self, MoneyFormatter};

/// Settings of the shop itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShopConfig {
    /// Name of the shop, for customers.
    #[serde(deserialize_with = "value::line")]
    pub name: String,
    /// The one currency of all prices.
    #[serde(deserialize_with = "currency")]
    pub currency: Currency,
    /// Language and region in which amounts are written.
    #[serde(deserialize_with = "locale_setting")]
    pub locale: Locale,
    /// The page of another website that shows one order by the key of its link, in place of a storefront's own (contract 6.3).
    #[serde(default, deserialize_with = "order_url")]
    pub order_url: Option<OrderUrl>,
    /// Folder with texts of the shop's own, in place of those that come with it or in more languages.
    #[serde(default, deserialize_with = "value::path")]
    pub texts: Option<PathBuf>,
    /// Countries that orders may be billed and shipped to; never empty.
    #[serde(default = "CountryCode::all", deserialize_with = "country::countries")]
    pub countries: BTreeSet<CountryCode>,
    /// What customers agree to with an order.
    #[serde(default)]
    pub consents: Vec<ConsentConfig>,
    /// Which rights buyers have that follow from the law (C10).
    #[serde(default)]
    pub consumer_rights: ConsumerRights,
    /// What becomes of digital goods without a waiver.
    #[serde(default)]
    pub digital_without_waiver: DigitalWithoutWaiver,
}

impl ShopConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if check.is_sound() {
            ConsentConfig::check(&self.consents, self.locale.id.language.as_str(), check);
        }
    }
}

fn order_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<OrderUrl>, D::Error> {
    let expected =
        "an address with {number} and {key} once each, such as \"https://www.example.com/order/{number}?key={key}\"";
    value::text(deserializer, expected, |text| OrderUrl::parse(text).map(Some).ok_or(Malformed::Unexpected))
}

/// A currency that prices can be in: gold, test codes and the like have no smallest unit.
fn currency<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Currency, D::Error> {
    value::text(deserializer, "a currency (ISO 4217), such as \"EUR\"", |text| {
        let known = Currency::from_code(&text.to_ascii_uppercase()).filter(|currency| currency.exponent().is_some());
        match known {
            Some(currency) if currency.code() == text => Ok(currency),
            Some(currency) => Err(Malformed::Because(format!("did you mean \"{}\"?", currency.code()))),
            None => Err(Malformed::Unexpected),
        }
    })
}

/// A BCP 47 tag whose language has a code of two or three letters, as all that are in use do, and one in which amounts can be written.
fn locale_setting<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Locale, D::Error> {
    value::text(deserializer, "a language with or without a region (BCP 47), such as \"en\" or \"de-AT\"", |text| {
        let locale = Locale::try_from_str(text).ok();
        locale
            .filter(|locale| matches!(locale.id.language.as_str().len(), 2 | 3) && !locale.id.language.is_unknown())
            .filter(|locale| MoneyFormatter::new(&locale.to_string(), money::Currency::EUR).is_ok())
            .ok_or(Malformed::Unexpected)
    })
}
