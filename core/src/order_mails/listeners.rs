//! From an event to a mail.

use std::sync::Arc;

use chrono::TimeDelta;

use super::kind::MailKind;
use super::queries;
use super::templates::Templates;
use super::texts::{about, payment_instructions};
use crate::db::DbError;
use crate::events::{AfterCommit, ListenerError};
use crate::invoices::invoice_document;
use crate::mail::{self, Attachment, MAX_ATTACHMENT, WrittenMessage};
use crate::orders::{OrderCreated, OrderPaid, OrderRecord, find_order};
use crate::pdf::{Document, render};
use crate::refunds::{RefundRecorded, find_refund};
use crate::services::Services;

/// How long a mail waits for a mail server that does not answer.
const LIFETIME: TimeDelta = TimeDelta::days(7);

/// Tells the customer that an order was placed.
pub(super) struct TellPlaced(pub(super) Arc<Templates>);

/// Tells the customer that an order was paid, with the invoice.
pub(super) struct TellPaid(pub(super) Arc<Templates>);

/// Tells the customer that money went back, with the credit note.
pub(super) struct TellRefunded(pub(super) Arc<Templates>);

impl AfterCommit<OrderCreated> for TellPlaced {
    async fn after_commit(&self, event: &OrderCreated, services: &Services) -> Result<(), ListenerError> {
        let Some(record) = addressed(services, event.order_id).await? else { return Ok(()) };
        let instructions = payment_instructions(&record.order, services);
        let told = Told {
            kind: MailKind::Placed,
            id: event.order_id,
            more: vec![("payment_instructions", instructions.unwrap_or_default())],
            attachment: None,
        };
        tell(&self.0, services, &record, told).await
    }
}

impl AfterCommit<OrderPaid> for TellPaid {
    async fn after_commit(&self, event: &OrderPaid, services: &Services) -> Result<(), ListenerError> {
        // Nobody has paid anything for what costs nothing.
        if event.total_amount == 0 {
            return Ok(());
        }
        let Some(record) = addressed(services, event.order_id).await? else { return Ok(()) };
        let document = match &record.order.invoice {
            Some(invoice) => invoice_document(&services.db, invoice.id).await?,
            None => None,
        };
        let attachment = printed(document).await?;
        let told = Told { kind: MailKind::Paid, id: event.order_id, more: Vec::new(), attachment };
        tell(&self.0, services, &record, told).await
    }
}

impl AfterCommit<RefundRecorded> for TellRefunded {
    async fn after_commit(&self, event: &RefundRecorded, services: &Services) -> Result<(), ListenerError> {
        let Some(record) = addressed(services, event.order_id).await? else { return Ok(()) };
        let Some(refund) = find_refund(services, event.refund_id).await? else { return Ok(()) };
        let attachment = printed(refund.credit_note.map(|note| note.document)).await?;
        let more =
            vec![("refund_amount", services.money.format(event.amount)), ("refund_reason", refund.refund.reason)];
        let told = Told { kind: MailKind::Refunded, id: event.refund_id, more, attachment };
        tell(&self.0, services, &record, told).await
    }
}

/// What a mail says besides what every mail about an order says.
struct Told {
    kind: MailKind,
    /// The id of what happened: the event may be delivered again, and this is what it has in common with itself.
    id: i64,
    more: Vec<(&'static str, String)>,
    attachment: Option<Attachment>,
}

/// The order, if its customer has an address.
async fn addressed(services: &Services, order_id: i64) -> Result<Option<OrderRecord>, DbError> {
    let record = find_order(&services.db, &services.money, order_id).await?;
    Ok(record.filter(|record| record.customer_email.is_some()))
}

/// The document as a file; none when it is too large to be sent, since the mail matters more.
async fn printed(document: Option<Document>) -> Result<Option<Attachment>, ListenerError> {
    let Some(document) = document else { return Ok(None) };
    let number = document.number.clone();
    let rendered = tokio::task::spawn_blocking(move || render(&document)).await;
    let rendered = rendered.map_err(|error| ListenerError::Failed(error.to_string()))?;
    let content = rendered.map_err(|error| ListenerError::Failed(error.to_string()))?;
    if content.len() > MAX_ATTACHMENT {
        tracing::warn!(number, bytes = content.len(), "a document is too large to be sent by mail");
        return Ok(None);
    }
    Ok(Some(Attachment { name: format!("{number}.pdf"), media_type: "application/pdf", content }))
}

async fn tell(
    templates: &Templates,
    services: &Services,
    record: &OrderRecord,
    told: Told,
) -> Result<(), ListenerError> {
    let (order, language) = (&record.order, record.language);
    let mut values = about(order, language, services);
    values.extend(told.more);
    values.insert("attachment", told.attachment.as_ref().map(|file| file.name.clone()).unwrap_or_default());
    let (subject, body) = templates.get(told.kind, language).fill(&values);
    let key = format!("{}:{}", told.kind.name(), told.id);
    let write = services.db.write(async |tx| -> Result<(), DbError> {
        let recipient = tx.run(queries::RECIPIENT).bind(order.id).optional_scalar::<String>().await?;
        let Some(recipient) = recipient else { return Ok(()) };
        let message = WrittenMessage {
            key: &key,
            recipient: &recipient,
            subject: &subject,
            body: &body,
            language,
            attachment: told.attachment.as_ref(),
            expires_at: tx.now() + LIFETIME,
        };
        mail::queue_once(tx, services, message).await
    });
    Ok(write.await?)
}
