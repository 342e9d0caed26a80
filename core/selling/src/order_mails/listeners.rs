//! From an event to a mail.

use std::sync::Arc;

use stoa_documents::pdf::{Document, render};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{AfterCommit, ListenerError};
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{Attachment, MAX_ATTACHMENT, MailNotice, Mailer};
use stoa_kernel::money::MoneyFormatter;

use super::mails::{PAID, PLACED, REFUNDED};
use super::texts::about;
use crate::invoices::invoice_document;
use crate::orders::{OrderCreated, OrderPaid, OrderRecord, find_order};
use crate::refunds::{RefundRecorded, find_refund};

/// Tells the customer that an order was placed.
pub(super) struct TellPlaced;

/// Tells the customer that an order was paid, with the invoice.
pub(super) struct TellPaid;

/// Tells the customer that money went back, with the credit note.
pub(super) struct TellRefunded;

impl AfterCommit<OrderCreated> for TellPlaced {
    type Uses = (Db, Arc<MoneyFormatter>, Texts, Mailer);

    async fn after_commit(
        &self,
        event: &OrderCreated,
        (db, money, texts, mailer): &Self::Uses,
    ) -> Result<(), ListenerError> {
        let Some(record) = addressed(db, money, event.order_id).await? else { return Ok(()) };
        let notice = MailNotice::new(&PLACED, event.order_id, event.order_id);
        tell(db, mailer, about(notice, &record, money, texts), None).await
    }
}

impl AfterCommit<OrderPaid> for TellPaid {
    type Uses = (Db, Arc<MoneyFormatter>, Texts, Mailer);

    async fn after_commit(
        &self,
        event: &OrderPaid,
        (db, money, texts, mailer): &Self::Uses,
    ) -> Result<(), ListenerError> {
        // Nobody has paid anything for what costs nothing.
        if event.total_amount == 0 {
            return Ok(());
        }
        let Some(record) = addressed(db, money, event.order_id).await? else { return Ok(()) };
        let document = match &record.order.invoice {
            Some(invoice) => invoice_document(db, invoice.id).await?,
            None => None,
        };
        let attachment = printed(document, texts).await?;
        let notice = MailNotice::new(&PAID, event.order_id, event.order_id);
        tell(db, mailer, about(notice, &record, money, texts), attachment).await
    }
}

impl AfterCommit<RefundRecorded> for TellRefunded {
    type Uses = (Db, Arc<MoneyFormatter>, Texts, Mailer);

    async fn after_commit(
        &self,
        event: &RefundRecorded,
        (db, money, texts, mailer): &Self::Uses,
    ) -> Result<(), ListenerError> {
        let Some(record) = addressed(db, money, event.order_id).await? else { return Ok(()) };
        let Some(refund) = find_refund(db, money, event.refund_id).await? else { return Ok(()) };
        let attachment = printed(refund.credit_note.map(|note| note.document), texts).await?;
        let notice = MailNotice::new(&REFUNDED, event.order_id, event.refund_id);
        let notice = notice.amount("refund_amount", event.amount).lines("refund_reason", &refund.refund.reason);
        tell(db, mailer, about(notice, &record, money, texts), attachment).await
    }
}

/// The order, if its customer has an address.
async fn addressed(db: &Db, money: &MoneyFormatter, order_id: i64) -> Result<Option<OrderRecord>, DbError> {
    let record = find_order(db, money, order_id).await?;
    Ok(record.filter(|record| record.customer_email.is_some()))
}

/// The document as a file; none when it is too large to be sent, since the mail matters more.
async fn printed(document: Option<Document>, texts: &Texts) -> Result<Option<Attachment>, ListenerError> {
    let Some(document) = document else { return Ok(None) };
    let (number, texts) = (document.number.clone(), texts.clone());
    let rendered = tokio::task::spawn_blocking(move || render(&document, &texts)).await;
    let rendered = rendered.map_err(|error| ListenerError::Failed(error.to_string()))?;
    let content = rendered.map_err(|error| ListenerError::Failed(error.to_string()))?;
    if content.len() > MAX_ATTACHMENT {
        tracing::warn!(number, bytes = content.len(), "a document is too large to be sent by mail");
        return Ok(None);
    }
    Ok(Some(Attachment { name: format!("{number}.pdf"), media_type: "application/pdf", content }))
}

async fn tell(
    db: &Db,
    mailer: &Mailer,
    notice: MailNotice<'_>,
    attachment: Option<Attachment>,
) -> Result<(), ListenerError> {
    let notice = match &attachment {
        Some(file) => notice.line("attachment", &file.name),
        None => notice,
    };
    let write = db.write(async |tx| -> Result<(), DbError> {
        mailer.notice_with_file(tx, &notice, attachment.as_ref()).await.map(drop)
    });
    Ok(write.await?)
}
