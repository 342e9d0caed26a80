//! What a product that is deleted does not sell any more.

use stoa_core::catalog::write::ProductDeleting;
use stoa_core::prelude::*;

use super::queries;

/// Deletes the ticket types of a product that nobody has ordered. The events stay, for other products may sell them.
pub(crate) struct Withdraw;

impl InTransaction<ProductDeleting> for Withdraw {
    async fn in_transaction(&self, event: &ProductDeleting, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_OFFER).bind(event.product_id).execute().await?;
        tx.run(queries::DELETE_TYPES).bind(event.product_id).execute().await?;
        Ok(())
    }
}
