//! Notes about a customer who is anonymized or exported.

use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::queries;
use super::store::list_notes;
use crate::customers::{CustomerAnonymizing, CustomerExporting};

/// Deletes what was noted about whoever is anonymized.
pub(super) struct EraseNotes;

impl InTransaction<CustomerAnonymizing> for EraseNotes {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::ERASE).bind(event.customer_id).execute().await?;
        Ok(())
    }
}

/// Adds the part `notes` to an export, the newest first.
pub(super) struct ExportNotes;

impl Preflight<CustomerExporting> for ExportNotes {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let notes = list_notes(db, event.customer_id, i64::MAX).await?;
        event.add("notes", &notes)
    }
}
