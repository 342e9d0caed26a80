//! What becomes of what is kept about a person.

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::Entry;
use crate::{NAME, queries};

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
