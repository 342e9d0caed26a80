//! Credit notes of a customer who is exported. Whoever is anonymized keeps them: they are kept by law.

use sqlx::types::Json;

use stoa_customers::customers::CustomerExporting;
use stoa_documents::pdf::Document;
use stoa_kernel::db::Db;
use stoa_kernel::events::{ListenerError, Preflight};

use super::queries;

/// Adds the part `credit_notes` to an export: everything that stands on them, oldest first.
pub(super) struct ExportCreditNotes;

impl Preflight<CustomerExporting> for ExportCreditNotes {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let documents = db.read(queries::DOCUMENTS_OF_CUSTOMER).bind(event.customer_id);
        let documents = documents.scalars::<Json<Document>>().await?;
        event.add("credit_notes", &documents)
    }
}
