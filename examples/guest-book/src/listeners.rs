//! What the module does when something happens in the shop.

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::orders::{OrderPaid, sold_lines_in};
use stoa_core::prelude::*;
use stoa_core::serde_json::from_value;

use crate::model::{Entry, OfProduct};
use crate::{NAME, queries};

/// Adds an entry for each item that comes with one. Delivered at least once: a second time changes nothing.
pub(crate) struct AddBought;

impl AfterCommit<OrderPaid> for AddBought {
    type Uses = Db;

    async fn after_commit(&self, event: &OrderPaid, db: &Db) -> Result<(), ListenerError> {
        let added = db.write(async |tx| -> Result<(), ListenerError> {
            let now = tx.now();
            for line in sold_lines_in(tx, event.order_id).await? {
                // The settings are those of the moment of ordering, as the order keeps them.
                let Some(settings) = line.settings(NAME) else { continue };
                let settings = from_value::<OfProduct>(settings.clone());
                let settings = settings.map_err(|error| ListenerError::Failed(error.to_string()))?;
                let insert = tx.run(queries::INSERT_BOUGHT).bind(event.customer_id).bind(line.order_line_id);
                insert.bind(settings.text).bind(now).execute().await?;
            }
            Ok(())
        });
        added.await
    }
}

/// Forgets and tells what is kept about a person.
pub(crate) struct Personal;

impl InTransaction<CustomerAnonymizing> for Personal {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// The same for those who were anonymized while the module was off: their rows wait until it is on again.
impl AfterCommit<CustomerAnonymized> for Personal {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        let forget = db.write(async |tx| tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await);
        forget.await?;
        Ok(())
    }
}

impl Preflight<CustomerExporting> for Personal {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let entries = db.read(queries::LIST_ALL).bind(event.customer_id).all::<Entry>().await?;
        event.add(NAME, &entries)
    }
}
