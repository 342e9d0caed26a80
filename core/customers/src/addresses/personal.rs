//! Addresses of a customer who is anonymized or exported.

use serde_json::json;

use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::model::AddressResource;
use super::store::{erase_addresses, list_addresses, rebuild_address};
use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// Erases the addresses of whoever is anonymized, and what stands in for them.
pub(super) struct EraseAddresses;

impl InTransaction<CustomerAnonymizing> for EraseAddresses {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(erase_addresses(tx, event.customer_id).await?)
    }
}

/// Adds the part `addresses` to an export, as the API shows them.
pub(super) struct ExportAddresses;

impl Preflight<CustomerExporting> for ExportAddresses {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let saved = list_addresses(db, event.customer_id).await?;
        if saved.is_empty() {
            let rebuilt = rebuild_address(db, event.customer_id).await?;
            return event.add("addresses", &json!(rebuilt.into_iter().collect::<Vec<_>>()));
        }
        event.add("addresses", &saved.into_iter().map(AddressResource::from).collect::<Vec<_>>())
    }
}
