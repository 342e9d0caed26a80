//! What is sold of events, as operators see it.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

/// A ticket type with what is left of it.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub(crate) struct TypeRow {
    pub(crate) id: i64,
    #[serde(rename = "event")]
    pub(crate) event_slug: String,
    pub(crate) name: String,
    pub(crate) product_id: i64,
    pub(crate) product: Option<String>,
    pub(crate) capacity: i64,
    pub(crate) taken: i64,
    pub(crate) quota: Option<String>,
    pub(crate) quota_capacity: Option<i64>,
    pub(crate) quota_taken: Option<i64>,
    pub(crate) on_sale_from: Option<DateTime<Utc>>,
    pub(crate) on_sale_until: Option<DateTime<Utc>>,
    pub(crate) offered: bool,
}

impl TypeRow {
    /// The capacity that it is sold within besides its own, with what is taken of it; empty without one.
    pub(crate) fn shared(&self) -> String {
        match (&self.quota, self.quota_taken, self.quota_capacity) {
            (Some(name), Some(taken), Some(capacity)) => format!("{name} ({taken} of {capacity})"),
            _ => String::new(),
        }
    }
}

/// A shared capacity with what is left of it.
#[derive(Debug, Clone, Serialize, sqlx::FromRow)]
pub(crate) struct QuotaRow {
    #[serde(rename = "event")]
    pub(crate) event_slug: String,
    pub(crate) name: String,
    pub(crate) capacity: i64,
    pub(crate) taken: i64,
}
