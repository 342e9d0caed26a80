//! A delivered secret as its owner sees it (contract 2.5).

use std::borrow::Cow;

use chrono::{DateTime, Utc};
use schemars::{Schema, SchemaGenerator};
use serde::Serializer;
use stoa_core::entitlements::SoldUnit;
use stoa_core::prelude::*;
use stoa_core::secret::Secret;

use crate::vault::SealedValue;

/// The product that a secret was bought as, as it was then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "DigitalSecretProduct")]
pub(crate) struct SecretProduct {
    /// The product's id.
    #[sqlx(rename = "product_id")]
    pub(crate) id: i64,
    /// The product's name in URLs.
    pub(crate) slug: String,
    /// The product's name.
    pub(crate) name: String,
}

/// Whether a secret can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "DigitalSecretStatus")]
#[serde(rename_all = "lowercase")]
pub(crate) enum SecretStatus {
    /// It is the customer's.
    Delivered,
    /// It was refunded.
    Revoked,
}

/// A value on its way to its owner. `Debug` does not show it; it is written into the answer and nowhere else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadableValue(pub(crate) Secret);

impl Serialize for ReadableValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.expose())
    }
}

impl JsonSchema for ReadableValue {
    fn schema_name() -> Cow<'static, str> {
        String::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        String::json_schema(generator)
    }
}

/// A secret that was delivered to a customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "DigitalSecret")]
pub(crate) struct DigitalSecret {
    /// The secret's id, which stays the same when a faulty value is replaced.
    pub(crate) id: i64,
    /// What it was bought as.
    pub(crate) product: SecretProduct,
    /// Whether it can be read.
    pub(crate) status: SecretStatus,
    /// The last characters of the value, a quarter of them at most.
    pub(crate) value_hint: String,
    /// The value; null once it is revoked or erased.
    pub(crate) value: Option<ReadableValue>,
    /// When it was delivered.
    pub(crate) granted_at: DateTime<Utc>,
    /// When it was refunded; null while it was not.
    pub(crate) revoked_at: Option<DateTime<Utc>>,
    /// The order that it was bought with.
    pub(crate) order_id: i64,
}

/// A row of a delivered secret.
#[derive(Debug, sqlx::FromRow)]
pub(crate) struct SecretRow {
    pub(crate) id: i64,
    #[sqlx(flatten)]
    pub(crate) sold: SoldUnit,
    product_id: i64,
    slug: String,
    label: String,
    state: String,
    granted_at: DateTime<Utc>,
    ended_at: Option<DateTime<Utc>>,
    order_id: i64,
    value_id: i64,
    hint: String,
    sealed_value: Option<String>,
    key_id: Option<i64>,
    sealed_key: Option<Vec<u8>>,
}

impl SecretRow {
    /// The value, while there is one to be read.
    pub(crate) fn sealed(&mut self) -> Option<SealedValue> {
        let (content, key_id) = (self.sealed_value.take()?, self.key_id?);
        Some(SealedValue { value_id: self.value_id, content, key_id, sealed_key: self.sealed_key.take()? })
    }

    /// Whether there is a value to be read.
    pub(crate) fn is_readable(&self) -> bool {
        self.sealed_value.as_ref().is_some_and(|sealed| !sealed.is_empty()) && self.key_id.is_some()
    }

    /// Takes the value away: the unit's money is on its way back.
    pub(crate) fn withhold(&mut self) {
        self.sealed_value = None;
        self.state = String::from("revoked");
    }

    /// What the owner sees.
    pub(crate) fn into_secret(self, value: Option<Secret>) -> DigitalSecret {
        DigitalSecret {
            id: self.id,
            product: SecretProduct { id: self.product_id, slug: self.slug, name: self.label },
            status: if self.state == "revoked" { SecretStatus::Revoked } else { SecretStatus::Delivered },
            value_hint: self.hint,
            value: value.map(ReadableValue),
            granted_at: self.granted_at,
            revoked_at: self.ended_at,
            order_id: self.order_id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_a_value_and_the_answer_does() {
        let secret = DigitalSecret {
            id: 1,
            product: SecretProduct { id: 2, slug: String::from("font"), name: String::from("Font") },
            status: SecretStatus::Delivered,
            value_hint: String::from("…2222"),
            value: Some(ReadableValue(Secret::new("KEY-1111-2222"))),
            granted_at: DateTime::UNIX_EPOCH,
            revoked_at: None,
            order_id: 3,
        };
        assert!(!format!("{secret:?}").contains("1111"), "{secret:?}");
        assert_eq!(serde_json::to_value(&secret).expect("it is written")["value"], "KEY-1111-2222");
    }
}
