//! Units whose money went back: exactly those end.

use stoa_core::prelude::*;
use stoa_core::refunds::RefundRecorded;

use crate::config::Config;
use crate::model::EndReason;
use crate::{lifecycle, queries};

/// Ends what was refunded: the unit that a subscription was bought with, or its current period. A period of the past that
/// is refunded changes nothing.
pub(crate) struct EndRefunded {
    pub(crate) config: Config,
}

impl AfterCommit<RefundRecorded> for EndRefunded {
    type Uses = Db;

    async fn after_commit(&self, event: &RefundRecorded, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| self.end(tx, event).await).await?)
    }
}

impl EndRefunded {
    async fn end(&self, tx: &mut Tx, event: &RefundRecorded) -> Result<(), DbError> {
        let mut ids = Vec::new();
        for units in &event.units {
            for ordinal in &units.ordinals {
                let found = tx.run(queries::FIND_UNIT).bind(units.order_line_id).bind(*ordinal);
                ids.extend(found.optional_scalar::<i64>().await?);
                ids.extend(tx.run(queries::FIND_RENEWED).bind(units.order_line_id).scalars::<i64>().await?);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            if let Some(subscription) = lifecycle::lock_settled(tx, &self.config, id).await? {
                lifecycle::end(tx, &subscription, EndReason::Refunded).await?;
            }
        }
        Ok(())
    }
}
