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
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
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
    value::name(deserializer, "1 to 40 letters, digits, `-` and `_`, such as \"express\"")
}
