//! What the module keeps about a person: erased and told with them.

use stoa_core::catalog::details_changed;
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::OwnReview;
use crate::queries;

/// Forgets and tells what a person has written.
pub(crate) struct Personal;

impl InTransaction<CustomerAnonymizing> for Personal {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// Has the catalog count the stars anew, which has to come first in a transaction; and does the same for those who were anonymized
/// while the module was off.
impl AfterCommit<CustomerAnonymized> for Personal {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        let forget = db.write(async |tx| {
            details_changed(tx).await?;
            tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await
        });
        forget.await?;
        Ok(())
    }
}

impl Preflight<CustomerExporting> for Personal {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let all = db.read(queries::LIST_OWN).bind(event.customer_id).bind(i64::MAX).bind(0_i64);
        let written = all.all::<OwnReview>().await?;
        event.add("reviews", &written)
    }
}
