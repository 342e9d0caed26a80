//! Scheduled work.

use std::time::Duration;

use stoa_core::error_chain;
use stoa_core::prelude::*;

use crate::catch_up::catch_up;
use crate::config::Config;
use crate::queries;
use crate::reconcile::reconcile_missed;
use crate::stock::InventoryLow;

/// SKUs looked at together.
const BATCH: i64 = 500;

/// Looks at products and orders that were missed, and tells once of each SKU that becomes low.
pub(crate) struct Watch(pub(crate) Config);

impl Job for Watch {
    type Uses = Db;

    const NAME: &'static str = "inventory.watch";
    const EVERY: Duration = Duration::from_mins(5);
    const DOES: &'static str = "looks at missed orders and warns of low stock";

    async fn run(&self, db: &Db) -> Result<(), String> {
        let done = async {
            catch_up(db, self.0).await?;
            reconcile_missed(db, self.0).await?;
            tell_low(db, self.0.low_stock_threshold).await?;
            forget_low(db, self.0.low_stock_threshold).await
        };
        done.await.map_err(|error| error_chain(&error))
    }
}

async fn tell_low(db: &Db, threshold: i64) -> Result<(), DbError> {
    loop {
        let newly = db.read(queries::NEWLY_LOW).bind(threshold).bind(BATCH).scalars::<String>().await?;
        if newly.is_empty() {
            return Ok(());
        }
        for sku in newly {
            let marked = db.write(async |tx| -> Result<Option<i64>, DbError> {
                let now = tx.now();
                let mark = tx.run(queries::MARK_LOW).bind(sku.as_str()).bind(threshold).bind(now);
                let Some(available) = mark.optional_scalar::<i64>().await? else { return Ok(None) };
                tx.emit(&InventoryLow { sku: sku.clone(), available }).await?;
                Ok(Some(available))
            });
            if let Some(available) = marked.await? {
                tracing::warn!(sku, available, "stock is low");
            }
        }
    }
}

async fn forget_low(db: &Db, threshold: i64) -> Result<(), DbError> {
    loop {
        let no_more = db.read(queries::LOW_NO_MORE).bind(threshold).bind(BATCH).scalars::<String>().await?;
        if no_more.is_empty() {
            return Ok(());
        }
        for sku in no_more {
            let unmark =
                async |tx: &mut Tx| tx.run(queries::UNMARK_LOW).bind(sku.as_str()).bind(threshold).execute().await;
            db.write(unmark).await?;
        }
    }
}
