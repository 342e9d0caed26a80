//! What the module keeps, what it is asked, and what it answers.

use stoa_core::chrono::{DateTime, Utc};
use stoa_core::prelude::*;

/// The longest text of an entry, in characters.
const LONGEST: usize = 500;

/// What an import line says about a product under `modules.guest_book`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfProduct {
    /// What is entered for whoever has bought it.
    pub(crate) text: String,
}

impl ProductSettings for OfProduct {
    fn validate(&self) -> Result<(), String> {
        if self.text.trim().is_empty() || self.text.chars().count() > LONGEST {
            return Err(format!("`text` must have 1 to {LONGEST} characters"));
        }
        Ok(())
    }
}

/// The body of a new entry.
#[derive(Debug, Deserialize)]
pub(crate) struct NewEntry {
    pub(crate) text: String,
}

impl Input for NewEntry {
    const NAME: &'static str = "GuestBookEntryInput";

    fn rules() -> Rules {
        Rules::new([field("text").required().multiline().max(LONGEST).describe("What the entry says.")])
    }
}

/// An entry as the database holds it and as the customer sees it.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "GuestBookEntry")]
pub(crate) struct Entry {
    /// The entry's id.
    pub(crate) id: i64,
    /// The order line that it came with; null for what the customer has written.
    #[serde(rename = "order_item_id")]
    pub(crate) order_line_id: Option<i64>,
    /// What it says.
    pub(crate) text: String,
    /// When it was made.
    pub(crate) created_at: DateTime<Utc>,
}
