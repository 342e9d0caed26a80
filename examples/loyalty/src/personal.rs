//! What the module keeps about a person: erased and told with them.

use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::model::{Account, Entry};
use crate::queries;

/// A customer's points, and where they are from.
pub(crate) struct Points;

impl PersonalData for Points {
    type Export = Value;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        for statement in [queries::DELETE_ENTRIES, queries::DELETE_ACCOUNT] {
            tx.run(statement).bind(customer_id).execute().await?;
        }
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Value, DbError> {
        let account = db.read(queries::FIND_ACCOUNT).bind(customer_id).optional::<Account>().await?;
        let all = db.read(queries::LIST_ENTRIES).bind(customer_id).bind(i64::MAX).bind(0_i64);
        let entries = all.all::<Entry>().await?;
        Ok(json!({"points": account.unwrap_or_default().points, "entries": entries}))
    }
}
