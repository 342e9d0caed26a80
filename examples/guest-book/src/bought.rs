//! Entries that come with what is bought.

use stoa_core::orders::{OrderPaid, sold_lines_in};
use stoa_core::prelude::*;
use stoa_core::serde_json::from_value;

use crate::model::{LONGEST, add_entry};
use crate::{NAME, queries};

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

/// Adds an entry for each item that comes with one. Delivered at least once: a second time changes nothing.
pub(crate) struct AddBought;

impl AfterCommit<OrderPaid> for AddBought {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderPaid, db: &Db) -> Result<(), ListenerError> {
        let added = db.write(async |tx| -> Result<(), ListenerError> {
            for line in sold_lines_in(tx, event.order_id).await? {
                // The settings are those of the moment of ordering, as the order keeps them.
                let Some(settings) = line.settings(NAME) else { continue };
                let settings = from_value::<OfProduct>(settings.clone());
                let settings = settings.map_err(|error| ListenerError::Failed(error.to_string()))?;
                if tx.run(queries::NOTE_BOUGHT).bind(line.order_line_id).execute().await? > 0 {
                    add_entry(tx, event.customer_id, &settings.text).await?;
                }
            }
            Ok(())
        });
        added.await
    }
}
