//! What becomes of what is kept about a person.

use stoa_core::prelude::*;

use crate::model::Entry;
use crate::queries;

/// The entries that a customer has written.
pub(crate) struct Entries;

impl PersonalData for Entries {
    type Export = Vec<Entry>;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        tx.run(queries::DELETE_OF_CUSTOMER).bind(customer_id).execute().await?;
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Vec<Entry>, DbError> {
        db.read(queries::LIST_ALL).bind(customer_id).all().await
    }
}
