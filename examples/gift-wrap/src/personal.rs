//! What the module keeps about a person: the wishes, whose cards may say anything.
//!
//! Every module whose tables name a customer has these listeners.

use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::Wish;
use crate::queries;

/// Forgets the wishes of whoever is anonymized.
pub(crate) struct ForgetWishes;

impl InTransaction<CustomerAnonymizing> for ForgetWishes {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// The same for those who were anonymized while the module was off: their rows wait until it is on again.
impl AfterCommit<CustomerAnonymized> for ForgetWishes {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        let forget = db.write(async |tx| tx.run(queries::DELETE_OF_CUSTOMER).bind(event.customer_id).execute().await);
        forget.await?;
        Ok(())
    }
}

/// Adds the wishes to what a customer is told about themselves.
pub(crate) struct ExportWishes;

impl Preflight<CustomerExporting> for ExportWishes {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let wishes = db.read(queries::LIST_ALL).bind(event.customer_id).all::<Wish>().await?;
        event.add("gift_wrap", &wishes)
    }
}
