//! What the module keeps.

use stoa_core::chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::queries;

/// The longest text of an entry, in characters.
pub(crate) const LONGEST: usize = 500;

/// An entry as the database holds it and as the customer sees it.
#[derive(Debug, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "GuestBookEntry")]
pub(crate) struct Entry {
    /// The entry's id.
    pub(crate) id: i64,
    /// What it says.
    pub(crate) text: String,
    /// When it was made.
    pub(crate) created_at: DateTime<Utc>,
}

/// Makes an entry of a customer's.
pub(crate) async fn add_entry(tx: &mut Tx, customer_id: i64, text: &str) -> Result<Entry, DbError> {
    let now = tx.now();
    tx.run(queries::INSERT).bind(customer_id).bind(text).bind(now).one().await
}
