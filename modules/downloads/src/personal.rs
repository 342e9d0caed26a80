//! What the module keeps about a person: what was granted to them, and when they have downloaded it.

use chrono::{DateTime, Utc};
use serde_json::json;
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use crate::queries;

/// Forgets when somebody who is anonymized has downloaded what, and closes what was granted: nobody can log in for it.
/// That it was granted is a part of the order, and stays.
pub(crate) struct ForgetTransfers;

async fn forget(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::FORGET_LOG).bind(customer_id).execute().await?;
    tx.run(queries::REVOKE_ALL).bind(customer_id).bind(now).execute().await?;
    Ok(())
}

impl InTransaction<CustomerAnonymizing> for ForgetTransfers {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(forget(tx, event.customer_id).await?)
    }
}

/// The same for those who were anonymized while the module was off.
impl AfterCommit<CustomerAnonymized> for ForgetTransfers {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        let done = db.write(async |tx| -> Result<(), DbError> { forget(tx, event.customer_id).await });
        Ok(done.await?)
    }
}

#[derive(Serialize, sqlx::FromRow)]
struct ExportedGrant {
    id: i64,
    product: String,
    filename: String,
    order_id: i64,
    download_count: i64,
    download_limit: Option<i64>,
    expires_at: Option<DateTime<Utc>>,
    revoked_at: Option<DateTime<Utc>>,
    granted_at: DateTime<Utc>,
}

#[derive(Serialize, sqlx::FromRow)]
struct ExportedTransfer {
    #[serde(rename = "download_id")]
    grant_id: i64,
    version: i64,
    first_byte: i64,
    last_byte: i64,
    counted: bool,
    started_at: DateTime<Utc>,
}

/// Adds both to what a customer is told about themselves. Tokens are keys, and left out.
pub(crate) struct ExportDownloads;

impl Preflight<CustomerExporting> for ExportDownloads {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let grants = db.read(queries::EXPORT_GRANTS).bind(event.customer_id).all::<ExportedGrant>().await?;
        let transfers = db.read(queries::EXPORT_LOG).bind(event.customer_id).all::<ExportedTransfer>().await?;
        event.add("downloads", &json!({"downloads": grants, "transfers": transfers}))
    }
}
