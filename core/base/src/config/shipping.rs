//! `[[shipping.methods]]`: the ways in which goods are sent.

use std::collections::{BTreeSet, HashSet};

use serde::Deserialize;
use serde::de::Deserializer;

use super::check::Check;
use super::country::{self, CountryCode};
use super::value;

/// Settings of shipping.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShippingConfig {
    /// The shipping methods, in the order in which customers see them.
    pub methods: Vec<ShippingMethod>,
    /// Who carries what is sent.
    #[serde(default)]
    pub carriers: Vec<Carrier>,
}

/// Somebody who carries what is sent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `id` and `label`")]
pub struct Carrier {
    /// Lasting name that shipments refer to.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// What customers read.
    #[serde(deserialize_with = "value::line")]
    pub label: String,
    /// The page that follows a parcel, with `{number}` in place of the tracking number.
    #[serde(default, deserialize_with = "tracking_url")]
    pub tracking_url: Option<String>,
}

impl Carrier {
    /// The page that follows the parcel with this number; none without a number, or a page.
    pub fn tracking_url(&self, number: &str) -> Option<String> {
        let template = self.tracking_url.as_deref().filter(|_| !number.is_empty())?;
        let number = url::form_urlencoded::byte_serialize(number.as_bytes()).collect::<String>().replace('+', "%20");
        Some(template.replace(NUMBER, &number))
    }
}

/// What stands for the tracking number.
const NUMBER: &str = "{number}";

fn tracking_url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let expected =
        "a web address with {number} in place of the tracking number, such as \"https://track.example/{number}\"";
    value::text(deserializer, expected, |text| {
        let url = url::Url::parse(&text.replace(NUMBER, "1")).ok();
        let is_page = url.is_some_and(|url| ["https", "http"].contains(&url.scheme()) && url.has_host());
        let fits = is_page && text.contains(NUMBER) && !text.contains(char::is_whitespace);
        fits.then(|| Some(text.to_owned())).ok_or(value::Malformed::Unexpected)
    })
}

/// One shipping method.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `id`, `label` and `amount`")]
pub struct ShippingMethod {
    /// Lasting name that orders refer to.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// What customers read.
    #[serde(deserialize_with = "value::line")]
    pub label: String,
    /// Price in minor units.
    #[serde(deserialize_with = "value::amount")]
    pub amount: i64,
    /// Countries it is offered for; all when absent.
    #[serde(default, deserialize_with = "country::countries")]
    pub countries: Option<BTreeSet<CountryCode>>,
    /// Undiscounted subtotal in minor units from which on it is free (contract 2.2).
    #[serde(default, deserialize_with = "value::amount")]
    pub free_from: Option<i64>,
}

impl ShippingConfig {
    /// The carrier of this id.
    pub fn carrier(&self, id: &str) -> Option<&Carrier> {
        self.carriers.iter().find(|carrier| carrier.id == id)
    }

    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if !check.is_sound() {
            return;
        }
        let mut ids = HashSet::new();
        for (index, method) in self.methods.iter().enumerate() {
            if !ids.insert(&method.id) {
                check
                    .element("methods", index)
                    .refuse("id", "another shipping method has this id already; choose a new one");
            }
        }
        let mut carriers = HashSet::new();
        for (index, carrier) in self.carriers.iter().enumerate() {
            if !carriers.insert(&carrier.id) {
                check.element("carriers", index).refuse("id", "another carrier has this id already; choose a new one");
            }
        }
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::name(deserializer, "1 to 40 letters, digits, `-` and `_`, such as \"express\"")
}
