//! Units whose money went back, or that ended without having cost any: exactly those end.

use stoa_core::entitlements::EntitlementEnded;
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
        let mut units = Vec::new();
        for of_line in &event.units {
            units.extend(of_line.ordinals.iter().map(|ordinal| (of_line.order_line_id, *ordinal)));
        }
        Ok(db.write(async |tx| self.end(tx, &units, EndReason::Refunded).await).await?)
    }
}

/// A unit that cost nothing ends without a refund, for example when its customer has withdrawn within a trial.
impl AfterCommit<EntitlementEnded> for EndRefunded {
    type Uses = Db;

    async fn after_commit(&self, event: &EntitlementEnded, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| self.end(tx, &[(event.order_line_id, event.unit)], EndReason::UnitEnded).await).await?)
    }
}

impl EndRefunded {
    /// Ends what units of these items were, or have renewed.
    async fn end(&self, tx: &mut Tx, units: &[(i64, i64)], reason: EndReason) -> Result<(), DbError> {
        let mut ids = Vec::new();
        for (order_line_id, ordinal) in units {
            let found = tx.run(queries::FIND_UNIT).bind(*order_line_id).bind(*ordinal);
            ids.extend(found.optional_scalar::<i64>().await?);
            ids.extend(tx.run(queries::FIND_RENEWED).bind(*order_line_id).scalars::<i64>().await?);
        }
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            if let Some(subscription) = lifecycle::lock_settled(tx, &self.config, id).await? {
                lifecycle::end(tx, &subscription, reason).await?;
            }
        }
        Ok(())
    }
}
