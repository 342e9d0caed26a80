//! What the module keeps about a person: what was granted to them, and when they have downloaded it.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::queries;

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

/// What was granted to a customer, and the transfers. Of somebody who is anonymized the transfers are forgotten and what was granted is
/// closed, as nobody can log in for it; that it was granted is a part of the order, and stays. Tokens are keys, and not told.
pub(crate) struct GrantsAndTransfers;

impl PersonalData for GrantsAndTransfers {
    type Export = Value;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        let now = tx.now();
        tx.run(queries::FORGET_LOG).bind(customer_id).execute().await?;
        tx.run(queries::REVOKE_ALL).bind(customer_id).bind(now).execute().await?;
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Value, DbError> {
        let grants = db.read(queries::EXPORT_GRANTS).bind(customer_id).all::<ExportedGrant>().await?;
        let transfers = db.read(queries::EXPORT_LOG).bind(customer_id).all::<ExportedTransfer>().await?;
        Ok(json!({"downloads": grants, "transfers": transfers}))
    }
}
