//! What becomes of the files of a product that is deleted.

use stoa_core::catalog::write::ProductDeleting;
use stoa_core::prelude::*;

use crate::queries;

/// Lets go of the files of a product that nobody has ordered. What is in the storage is then like an upload that was broken off:
/// the job `downloads.cleanup` removes it.
pub(crate) struct DropFiles;

impl InTransaction<ProductDeleting> for DropFiles {
    async fn in_transaction(&self, event: &ProductDeleting, tx: &mut Tx) -> Result<(), ListenerError> {
        let (product_id, now) = (event.product_id, tx.now());
        // Whoever attaches a file right now is waited for.
        tx.run(queries::LOCK_PRODUCT).bind(product_id).execute().await?;
        tx.run(queries::ABANDON_VERSIONS).bind(product_id).bind(now).execute().await?;
        tx.run(queries::DELETE_VERSIONS_OF_PRODUCT).bind(product_id).execute().await?;
        tx.run(queries::DELETE_ASSETS_OF_PRODUCT).bind(product_id).execute().await?;
        tx.run(queries::DELETE_PRODUCT).bind(product_id).execute().await?;
        Ok(())
    }
}
