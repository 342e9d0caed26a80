//! What others take part in when a customer is anonymized or exported.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::events::{CommittedEvent, Event, ListenerError, PreflightEvent, TransactionEvent};

/// A customer is about to be anonymized; announced inside the transaction, before the account itself is erased.
///
/// Whoever keeps something personal erases it here. A veto keeps everything as it is.
#[derive(Debug, Clone)]
pub struct CustomerAnonymizing {
    /// The customer's id, which stays valid: orders and invoices keep it.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
    /// The address as it was, to find what is kept by it alone.
    pub email: String,
}

impl Event for CustomerAnonymizing {
    const NAME: &'static str = "CustomerAnonymizing";
}

impl TransactionEvent for CustomerAnonymizing {}

/// A customer was anonymized. It reaches modules that were switched off at the time as well, once they are on again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CustomerAnonymized {
    /// The customer's id.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
}

impl Event for CustomerAnonymized {
    const NAME: &'static str = "CustomerAnonymized";
}

impl CommittedEvent for CustomerAnonymized {
    fn order_key(&self) -> Option<String> {
        Some(format!("customer:{}", self.customer_id))
    }
}

/// Everything that the shop keeps about a customer is gathered for them.
#[derive(Debug)]
pub struct CustomerExporting {
    /// The customer's id.
    pub customer_id: i64,
    /// The id of the user behind the customer.
    pub user_id: i64,
    /// What was gathered so far, by the name of the feature or module that keeps it.
    pub parts: Map<String, Value>,
}

impl CustomerExporting {
    /// Adds what `name` keeps, the name of a feature or module. Nothing secret belongs here: no hashes, no keys.
    pub fn add(&mut self, name: &str, kept: &impl Serialize) -> Result<(), ListenerError> {
        let part = serde_json::to_value(kept).map_err(|error| ListenerError::Failed(format!("{name}: {error}")))?;
        if self.parts.insert(name.to_owned(), part).is_some() {
            return Err(ListenerError::Failed(format!("two listeners export a part named `{name}`")));
        }
        Ok(())
    }
}

impl Event for CustomerExporting {
    const NAME: &'static str = "CustomerExporting";
}

impl PreflightEvent for CustomerExporting {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_takes_the_place_of_another() {
        let mut event = CustomerExporting { customer_id: 1, user_id: 2, parts: Map::new() };
        event.add("notes", &["a"]).expect("the first of this name");
        event.add("pins", &["b"]).expect("another name");
        let refused = event.add("notes", &["c"]).expect_err("the second of this name");
        assert!(refused.to_string().contains("`notes`"), "{refused}");
    }
}
