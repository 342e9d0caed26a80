//! What a customer has selected of a product's options, in the one form that equal selections have.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Number;
use sha2::{Digest, Sha256};

/// Bytes of a digest that make a line's key; 144 bits do not meet by chance.
const KEY_BYTES: usize = 18;

/// The value of one option (contract 2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Selection {
    /// Of a toggle that is on.
    Flag(bool),
    /// Of a number.
    Number(Number),
    /// A text, or the value of the one choice of a list.
    Text(String),
    /// Values of several choices, sorted, each once.
    Values(Vec<String>),
}

/// Any value, for clients: generators make nothing that can be used of an alternative between types without names.
impl JsonSchema for Selection {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Selection".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"description": "A boolean, a number, a text or a list of texts, as the option's type wants it."})
    }
}

impl Selection {
    /// A number; a whole one is the same however it was written.
    pub(super) fn number(number: &Number) -> Self {
        let whole = number.as_f64().filter(|value| number.is_f64() && value.fract() == 0.0).and_then(whole);
        Self::Number(whole.map_or_else(|| number.clone(), Number::from))
    }

    /// Values of several choices.
    pub(super) fn values(mut values: Vec<String>) -> Self {
        values.sort_unstable();
        values.dedup();
        Self::Values(values)
    }
}

/// The whole number that a floating-point number stands for, as far as every one of its kind is exact.
fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    #[expect(clippy::cast_possible_truncation, reason = "it has no fraction and lies within 54 bits")]
    (value.abs() <= EXACT).then_some(value as i64)
}

/// What was selected, by option key. What was left out is not there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Selections(pub BTreeMap<String, Selection>);

impl Selections {
    /// What was selected of an option.
    pub fn get(&self, key: &str) -> Option<&Selection> {
        self.0.get(key)
    }

    /// The key of the line that holds this product with these selections, URL-safe.
    pub(super) fn line_key(&self, product_id: i64) -> String {
        let canonical = serde_json::to_vec(self).expect("selections serialize");
        let digest = Sha256::new().chain_update(product_id.to_be_bytes()).chain_update(canonical).finalize();
        URL_SAFE_NO_PAD.encode(&digest[..KEY_BYTES])
    }
}
