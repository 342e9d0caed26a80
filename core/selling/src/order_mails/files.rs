//! Documents that go along with mails. They are rendered when a mail is sent, in no transaction.

use std::sync::Arc;

use stoa_documents::pdf::{Document, render};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::i18n::{Language, Texts};
use stoa_kernel::mail::{MailFile, MailFileError, RenderMailFile};
use stoa_kernel::money::MoneyFormatter;

use crate::credit_notes::find_credit_note;
use crate::invoices::{DocumentReference, invoice_document};

const PDF: &str = "application/pdf";

/// The invoice with this id, which has this number.
pub(super) fn invoice(id: i64, number: &str) -> MailFile {
    MailFile { kind: "invoice", id, name: format!("{number}.pdf"), media_type: PDF }
}

/// The credit note with this id, which has this number.
pub(super) fn credit_note(id: i64, number: &str) -> MailFile {
    MailFile { kind: "credit_note", id, name: format!("{number}.pdf"), media_type: PDF }
}

/// Makes invoices.
pub(super) struct Invoices;

/// Makes credit notes.
pub(super) struct CreditNotes;

impl RenderMailFile for Invoices {
    type Uses = (Db, Texts);

    async fn render(&self, id: i64, _: Language, (db, texts): &Self::Uses) -> Result<Vec<u8>, MailFileError> {
        printed(invoice_document(db, id).await, texts).await
    }
}

impl RenderMailFile for CreditNotes {
    type Uses = (Db, Texts, Arc<MoneyFormatter>);

    async fn render(&self, id: i64, _: Language, (db, texts, money): &Self::Uses) -> Result<Vec<u8>, MailFileError> {
        let found = find_credit_note(db, money, &DocumentReference::Id(id)).await;
        printed(found.map(|found| found.map(|record| record.document)), texts).await
    }
}

/// The document as a file, in its own language.
async fn printed(found: Result<Option<Document>, DbError>, texts: &Texts) -> Result<Vec<u8>, MailFileError> {
    let failed = |error: &dyn std::error::Error| MailFileError::Failed(stoa_kernel::error_chain(error));
    let document = found.map_err(|error| failed(&error))?.ok_or(MailFileError::Gone)?;
    let texts = texts.clone();
    let rendered = tokio::task::spawn_blocking(move || render(&document, &texts)).await;
    rendered.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
}
