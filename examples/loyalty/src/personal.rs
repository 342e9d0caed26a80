//! What the module keeps about a person: erased and told with them.

use serde_json::json;
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::model::{Account, Entry};
use crate::{NAME, queries};

/// Forgets and tells a person's points.
pub(crate) struct Personal;

async fn forget(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    for statement in [queries::DELETE_ENTRIES, queries::DELETE_ACCOUNT] {
        tx.run(statement).bind(customer_id).execute().await?;
    }
    Ok(())
}

impl InTransaction<CustomerAnonymizing> for Personal {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(forget(tx, event.customer_id).await?)
    }
}

/// The same for those who were anonymized while the module was off: their rows wait until it is on again.
impl AfterCommit<CustomerAnonymized> for Personal {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| forget(tx, event.customer_id).await).await?)
    }
}

impl Preflight<CustomerExporting> for Personal {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let account = db.read(queries::FIND_ACCOUNT).bind(event.customer_id).optional::<Account>().await?;
        let all = db.read(queries::LIST_ENTRIES).bind(event.customer_id).bind(i64::MAX).bind(0_i64);
        let entries = all.all::<Entry>().await?;
        event.add(NAME, &json!({"points": account.unwrap_or_default().points, "entries": entries}))
    }
}
