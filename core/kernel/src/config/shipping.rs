//! `[[shipping.methods]]`: the ways in which goods are sent.

use std::collections::{BTreeSet, HashSet};

use serde::Deserialize;
use serde::de::Deserializer;

use super::check::{Check, Section};
use super::country::{self, CountryCode};
use super::value::{self, Malformed};

/// Settings of shipping.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShippingConfig {
    /// The ways of shipping, in the order in which customers see them.
    pub methods: Vec<ShippingMethod>,
}

/// One way of shipping.
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
    #[serde(default, deserialize_with = "country::optional_countries")]
    pub countries: Option<BTreeSet<CountryCode>>,
    /// Undiscounted subtotal in minor units from which on it is free (contract 2.2).
    #[serde(default, deserialize_with = "value::optional_amount")]
    pub free_from: Option<i64>,
}

impl Default for ShippingConfig {
    fn default() -> Self {
        Self {
            methods: vec![ShippingMethod {
                id: "standard".to_owned(),
                label: "Standard shipping".to_owned(),
                amount: 0,
                countries: None,
                free_from: None,
            }],
        }
    }
}

impl Section for ShippingConfig {
    const KEY: &'static str = "shipping";

    fn check(&self, check: &mut Check<'_>) {
        if !check.is_sound() {
            return;
        }
        let mut ids = HashSet::new();
        for (index, method) in self.methods.iter().enumerate() {
            if !ids.insert(&method.id) {
                check.element("methods", index).refuse("id", "another shipping method has this id already");
            }
        }
    }
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::text(deserializer, "1 to 40 letters, digits, `-` and `_`, such as \"express\"", |text| {
        let is_id = (1..=40).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        is_id.then(|| text.to_owned()).ok_or(Malformed::Unexpected)
    })
}
