//! What the module keeps about a person: what was delivered to them, and when they have read it.
//!
//! Erasing takes the values themselves and the readings, and leaves that something was delivered: orders and invoices stay
//! as well. What is exported says what was delivered and read and when, with the hint of each value and not the value: that is read in the shop, and
//! does not belong into a file that lies around.

use chrono::{DateTime, Utc};
use stoa_core::customers::{CustomerAnonymized, CustomerAnonymizing, CustomerExporting};
use stoa_core::prelude::*;

use self::queries::{
    DELETE_REASONS_OF_CUSTOMER, DELETE_REVEALS_OF_CUSTOMER, ERASE_VALUES_OF_CUSTOMER, EXPORT_REVEALS, EXPORT_UNITS,
    POOLS_OF_CUSTOMER,
};
use crate::pools::lock_pool;

mod queries;

/// Erases what is personal about whoever is anonymized.
pub(crate) struct Forget;

impl InTransaction<CustomerAnonymizing> for Forget {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(forget(tx, event.customer_id).await?)
    }
}

/// The same for those who were anonymized while the module was off: their rows wait until it is on again.
impl AfterCommit<CustomerAnonymized> for Forget {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        Ok(db.write(async |tx| forget(tx, event.customer_id).await).await?)
    }
}

async fn forget(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    // Several rows at once: without the locks, this and a delivery could wait for each other.
    for pool in tx.run(POOLS_OF_CUSTOMER).bind(customer_id).scalars::<String>().await? {
        lock_pool(tx, &pool).await?;
    }
    for erase in [ERASE_VALUES_OF_CUSTOMER, DELETE_REVEALS_OF_CUSTOMER, DELETE_REASONS_OF_CUSTOMER] {
        tx.run(erase).bind(customer_id).execute().await?;
    }
    Ok(())
}

/// A secret in an export.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct ExportedSecret {
    id: i64,
    order_id: i64,
    product: String,
    status: String,
    value_hint: Option<String>,
    ordered_at: DateTime<Utc>,
    granted_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

/// A reading in an export.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct ExportedReading {
    digital_secret_id: i64,
    read_by: String,
    token_id: Option<i64>,
    route: String,
    read_at: DateTime<Utc>,
}

#[derive(Debug, Serialize)]
struct Exported {
    secrets: Vec<ExportedSecret>,
    readings: Vec<ExportedReading>,
}

/// Adds what was delivered to what a customer is told about themselves.
pub(crate) struct Export;

impl Preflight<CustomerExporting> for Export {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let exported = Exported {
            secrets: db.read(EXPORT_UNITS).bind(event.customer_id).all().await?,
            readings: db.read(EXPORT_REVEALS).bind(event.customer_id).all().await?,
        };
        event.add("digital_secrets", &exported)
    }
}
