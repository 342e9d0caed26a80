//! Writing the rows of a document.

use serde::Serialize;

use stoa_documents::pdf::Document;
use stoa_kernel::db::{DbError, Tx};

use super::queries;

/// A row of a document: what is taxed with one rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
struct Row {
    tax_rate: i64,
    base_amount: i64,
    tax_amount: i64,
}

/// The rows of a document, which add up to its tax and its total; one without taxes has a row of the rate 0.
fn rows(document: &Document) -> Vec<Row> {
    if document.tax_lines.is_empty() {
        let base_amount = document.total_amount - document.tax_amount;
        return vec![Row { tax_rate: 0, base_amount, tax_amount: document.tax_amount }];
    }
    let lines = document.tax_lines.iter();
    lines.map(|line| Row { tax_rate: line.rate, base_amount: line.net_amount, tax_amount: line.tax_amount }).collect()
}

fn written(document: &Document) -> Result<String, DbError> {
    serde_json::to_string(&rows(document)).map_err(|error| sqlx::Error::Encode(error.into()).into())
}

/// Writes what an invoice adds. The country is the one that decides about its taxes.
pub(crate) async fn book_invoice(
    tx: &mut Tx,
    order_id: i64,
    country: &str,
    document: &Document,
) -> Result<(), DbError> {
    let now = tx.now();
    let book = tx.run(queries::BOOK_INVOICE).bind(order_id).bind(now).bind(country).bind(document.reverse_charge);
    book.bind(document.currency.code()).bind(written(document)?).execute().await?;
    Ok(())
}

/// Writes what a credit note takes off, in the country of its invoice.
pub(crate) async fn book_credit_note(
    tx: &mut Tx,
    order_id: i64,
    refund_id: i64,
    document: &Document,
) -> Result<(), DbError> {
    let now = tx.now();
    let book = tx.run(queries::BOOK_CREDIT_NOTE).bind(order_id).bind(refund_id).bind(now);
    book.bind(written(document)?).execute().await?;
    Ok(())
}

/// Takes off what an invoice has added that nobody has to pay any more.
pub(crate) async fn book_cancellation(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::BOOK_CANCELLATION).bind(order_id).bind(now).execute().await?;
    Ok(())
}
