//! What the module keeps about a person: the wishes, whose cards may say anything.
//!
//! Every module whose tables name a customer says so.

use stoa_core::prelude::*;

use crate::model::Wish;
use crate::queries;

/// The wishes of a customer.
pub(crate) struct Wishes;

impl PersonalData for Wishes {
    type Export = Vec<Wish>;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        tx.run(queries::DELETE_OF_CUSTOMER).bind(customer_id).execute().await?;
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Vec<Wish>, DbError> {
        db.read(queries::LIST_ALL).bind(customer_id).all().await
    }
}
