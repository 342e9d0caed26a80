//! Issuing a credit note for a refund.

use sqlx::types::Json;

use stoa_documents::pdf::{Document, DocumentKind, DocumentLine, DocumentOption};
use stoa_kernel::config::Config;
use stoa_kernel::db::{DbError, Tx};
use stoa_notices::webhooks::{self, WebhookEvent};

use super::events::CreditNoteIssued;
use super::queries;
use crate::invoices::{Credited, Numbered, OpenInvoice, Series, credit, find_open_invoice, shown_taxes, take_number};
use crate::pricing::{AmountOverflow, TaxLine, line_unit, tax_lines};
use crate::tax_entries::book_credit_note;

/// Something that is credited: units of a product, shipping, or a share of everything.
#[derive(Debug, Clone)]
pub(crate) struct CreditedLine {
    pub(crate) label: String,
    pub(crate) sku: Option<String>,
    pub(crate) options: Vec<DocumentOption>,
    pub(crate) quantity: i64,
    /// What goes back for it.
    pub(crate) tax: TaxLine,
    /// Whether it is of goods that are sent, or of their carriage.
    pub(crate) is_shipped: bool,
}

/// A credit note to be issued.
#[derive(Debug, Clone)]
pub(crate) struct NewCreditNote {
    pub(crate) order_id: i64,
    pub(crate) refund_id: i64,
    pub(crate) reason: String,
    pub(crate) amount: i64,
    pub(crate) lines: Vec<CreditedLine>,
    /// The taxes in it, part by part.
    pub(crate) taxes: Vec<TaxLine>,
}

/// What became of a credit note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IssuedCreditNote {
    /// It was issued.
    Issued,
    /// There is no invoice that it would correct: a void one demands nothing.
    NotNeeded,
    /// The invoice does not leave so much.
    TooMuch,
}

/// Why a credit note could not be written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IssueCreditNoteError {
    /// Its amounts do not fit.
    #[error("the amounts of a credit note do not fit")]
    Amounts(#[from] AmountOverflow),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Issues the credit note of a refund that has succeeded in this transaction, and tells everybody.
///
/// Call it last: from here to the commit, nobody else can issue a credit note.
pub(crate) async fn issue(
    tx: &mut Tx,
    config: &Config,
    new: NewCreditNote,
) -> Result<IssuedCreditNote, IssueCreditNoteError> {
    let Some(invoice) = find_open_invoice(tx, new.order_id).await? else { return Ok(IssuedCreditNote::NotNeeded) };
    if credit(tx, invoice.id, new.amount).await? == Credited::TooMuch {
        return Ok(IssuedCreditNote::TooMuch);
    }
    let now = tx.now();
    let (invoice_id, customer_id) = (invoice.id, invoice.customer_id);
    let mut document = document(&new, invoice)?;
    document.paid_at = Some(now);
    document.issued_at = now.date_naive();
    // Before the number, for which others wait.
    book_credit_note(tx, new.order_id, new.refund_id, &document).await?;
    let series = Series::of(&config.invoices, Numbered::CreditNotes);
    let taken = take_number(tx, &series).await?;
    document.number = taken.text;
    let insert = tx.run(queries::INSERT).bind(document.number.as_str()).bind(taken.year).bind(taken.sequence);
    let insert = insert.bind(invoice_id).bind(new.order_id).bind(new.refund_id).bind(customer_id);
    let insert = insert.bind(new.reason.as_str()).bind(document.currency.code()).bind(document.subtotal_amount);
    let insert = insert.bind(document.tax_amount).bind(document.total_amount).bind(Json(&document));
    let credit_note_id = insert.bind(now).bind(series.instance).scalar::<i64>().await?;
    let currency = document.currency.code().to_owned();
    tx.emit(&CreditNoteIssued {
        credit_note_id,
        number: document.number,
        invoice_id,
        order_id: new.order_id,
        refund_id: new.refund_id,
        amount: new.amount,
        currency: currency.clone(),
    })
    .await?;
    let told = WebhookEvent::CreditNoteIssued {
        credit_note_id,
        invoice_id,
        order_id: new.order_id,
        amount: new.amount,
        currency,
    };
    webhooks::queue(tx, &told).await?;
    Ok(IssuedCreditNote::Issued)
}

/// What stands on the credit note, without its number and its days. Whoever sold, whoever bought and how amounts are
/// written is as on the invoice that it corrects.
pub(crate) fn document(new: &NewCreditNote, invoice: OpenInvoice) -> Result<Document, AmountOverflow> {
    let invoice = invoice.document;
    let includes_tax = invoice.prices_include_tax;
    let lines = new.lines.iter().map(|line| shown(line, includes_tax)).collect::<Result<Vec<_>, _>>()?;
    let tax_lines = tax_lines(new.taxes.iter().copied())?;
    let tax_amount = tax_lines.iter().map(|line| line.tax_amount).sum();
    Ok(Document {
        kind: DocumentKind::CreditNote,
        invoice_number: Some(invoice.number.clone()),
        invoice_issued_at: Some(invoice.issued_at),
        reason: Some(new.reason.clone()),
        ship_to: None,
        subtotal_amount: lines.iter().map(|line| line.line_total_amount).sum(),
        lines,
        discount_amount: 0,
        discount_code: None,
        further_discounts: Vec::new(),
        shipping_amount: 0,
        shipping_label: None,
        tax_lines: shown_taxes(tax_lines),
        tax_amount,
        total_amount: new.amount,
        note: None,
        ..invoice
    })
}

/// A line with amounts as the invoice shows them: with tax or without. What was discounted is credited as it was paid.
fn shown(line: &CreditedLine, includes_tax: bool) -> Result<DocumentLine, AmountOverflow> {
    let value = if includes_tax { line.tax.gross_amount()? } else { line.tax.net_amount };
    Ok(DocumentLine {
        label: line.label.clone(),
        sku: line.sku.clone(),
        options: line.options.clone(),
        quantity: line.quantity,
        unit_amount: line_unit(value, line.quantity)?,
        discount_amount: 0,
        tax_rate: i64::from(line.tax.rate.get()),
        line_total_amount: value,
        tax_amount: Some(line.tax.tax_amount),
        is_shipped: line.is_shipped,
    })
}
