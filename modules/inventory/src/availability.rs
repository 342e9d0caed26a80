//! Keeping what the catalog says about products up with the stock.

use stoa_core::catalog::{lock_catalog, set_availability};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::parts::{StockedPart, availability};
use crate::queries;
use crate::settings::INVENTORY;
use crate::stock::{InventoryLevelChanged, as_json};

/// Tells the catalog after the commit of what has changed the stock.
pub(crate) struct ShowAvailability(pub(crate) Config);

impl AfterCommit<InventoryLevelChanged> for ShowAvailability {
    type Uses = Db;

    async fn after_commit(&self, event: &InventoryLevelChanged, db: &Db) -> Result<(), ListenerError> {
        let shown = db.write(async |tx| -> Result<(), DbError> {
            // Before the stock is read: whoever tells later has read later.
            lock_catalog(tx).await?;
            show(tx, self.0, &event.skus).await
        });
        Ok(shown.await?)
    }
}

/// Tells the catalog about the products that these SKUs are parts of; its lock is held.
pub(crate) async fn show(tx: &mut Tx, config: Config, skus: &[String]) -> Result<(), DbError> {
    let parts = tx.run(queries::PARTS_OF_SKUS).bind(as_json(skus)).all::<StockedPart>().await?;
    let states = availability(&parts, config.low_stock_threshold).into_iter().collect::<Vec<_>>();
    if states.is_empty() {
        return Ok(());
    }
    set_availability(tx, INVENTORY, &states).await.map(drop)
}
