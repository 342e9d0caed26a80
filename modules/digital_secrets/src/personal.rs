//! What the module keeps about a person: what was delivered to them, and when they have read it.
//!
//! Erasing takes the values themselves and the readings, and leaves that something was delivered: orders and invoices stay
//! as well. What is exported says what was delivered and read and when, with the hint of each value and not the value: that is read in the shop, and
//! does not belong into a file that lies around.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use self::queries::{
    DELETE_REASONS_OF_CUSTOMER, DELETE_REVEALS_OF_CUSTOMER, ERASE_VALUES_OF_CUSTOMER, EXPORT_REVEALS, EXPORT_UNITS,
    POOLS_OF_CUSTOMER,
};
use crate::pools::lock_pool;

mod queries;

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

/// What was delivered to a customer, and the readings.
#[derive(Debug, Serialize)]
pub(crate) struct Exported {
    secrets: Vec<ExportedSecret>,
    readings: Vec<ExportedReading>,
}

/// The secrets of a customer.
pub(crate) struct Secrets;

impl PersonalData for Secrets {
    type Export = Exported;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        // Several rows at once: without the locks, this and a delivery could wait for each other.
        for pool in tx.run(POOLS_OF_CUSTOMER).bind(customer_id).scalars::<String>().await? {
            lock_pool(tx, &pool).await?;
        }
        for erase in [ERASE_VALUES_OF_CUSTOMER, DELETE_REVEALS_OF_CUSTOMER, DELETE_REASONS_OF_CUSTOMER] {
            tx.run(erase).bind(customer_id).execute().await?;
        }
        Ok(())
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Exported, DbError> {
        Ok(Exported {
            secrets: db.read(EXPORT_UNITS).bind(customer_id).all().await?,
            readings: db.read(EXPORT_REVEALS).bind(customer_id).all().await?,
        })
    }
}
