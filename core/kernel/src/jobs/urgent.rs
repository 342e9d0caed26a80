//! Jobs that have work which shall not wait until they are due again.

use super::table::JobTable;
use crate::db::DbError;
use crate::from_shop::ShopParts;
use crate::queue;

/// Has those be due at once that say so.
pub(crate) async fn hasten_urgent(parts: &ShopParts, jobs: &JobTable) -> Result<(), DbError> {
    for entry in jobs.enabled() {
        if entry.is_urgent(parts).await? {
            queue::hasten_job(&parts.db, entry.name).await?;
        }
    }
    Ok(())
}
