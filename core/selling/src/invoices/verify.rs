//! Looking through all invoices and credit notes for what must not be.

use std::fmt;

use serde::Serialize;
use sqlx::types::Json;

use stoa_documents::pdf::Document;
use stoa_kernel::db::{Db, DbError, Sql};

use super::queries;
use super::series::Numbered;

/// Documents that are added up together.
const BATCH: i64 = 500;

/// Something that must not be about an invoice or a credit note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentProblem {
    /// What it is about: a number, or an order, refund or series.
    pub about: String,
    /// What is wrong.
    pub problem: String,
}

impl fmt::Display for DocumentProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.about, self.problem)
    }
}

fn problem(about: impl Into<String>, problem: impl Into<String>) -> DocumentProblem {
    DocumentProblem { about: about.into(), problem: problem.into() }
}

/// Looks for gaps and repeated numbers, for orders without an invoice and refunds without a credit note, for documents that
/// do not add up or do not say what their orders do, and for more credited than was invoiced.
pub async fn verify_documents(db: &Db) -> Result<Vec<DocumentProblem>, DbError> {
    let mut found = series(db).await?;
    for number in db.read(queries::REPEATED_NUMBERS).all::<(String, i64)>().await? {
        found.push(problem(number.0, format!("{} documents have this number", number.1)));
    }
    for order_id in db.read(queries::ORDERS_WITHOUT_INVOICE).scalars::<i64>().await? {
        found.push(problem(format!("order {order_id}"), "it has no invoice"));
    }
    for number in db.read(queries::UNLIKE_THEIR_ORDERS).scalars::<String>().await? {
        found.push(problem(number, "status, customer or amounts are not those of its order"));
    }
    for (number, kept, credited) in db.read(queries::CREDITED_OTHERWISE).all::<(String, i64, i64)>().await? {
        let text = format!("{kept} counts as credited, and its credit notes come to {credited}");
        found.push(problem(number, text));
    }
    for refund_id in db.read(queries::REFUNDS_WITHOUT_CREDIT_NOTE).scalars::<i64>().await? {
        found.push(problem(format!("refund {refund_id}"), "it has no credit note of its amount"));
    }
    for sql in [queries::INVOICES_TO_ADD_UP, queries::CREDIT_NOTES_TO_ADD_UP] {
        found.extend(sums(db, sql).await?);
    }
    Ok(found)
}

#[derive(sqlx::FromRow)]
struct Counted {
    series: String,
    year: i64,
    last: i64,
    documents: i64,
    highest: i64,
}

/// Counters against the documents that carry their numbers.
async fn series(db: &Db) -> Result<Vec<DocumentProblem>, DbError> {
    let mut found = Vec::new();
    for Counted { series, year, last, documents, highest } in db.read(queries::SERIES).all::<Counted>().await? {
        let (of, instance) = series.split_once(':').unwrap_or((&series, ""));
        let (name, sequences) = match of {
            name if name == Numbered::Invoices.as_str() => ("invoices", queries::SEQUENCES_OF_INVOICES),
            name if name == Numbered::CreditNotes.as_str() => ("credit notes", queries::SEQUENCES_OF_CREDIT_NOTES),
            // A series of somebody else's.
            _ => continue,
        };
        let about = if instance.is_empty() {
            format!("{name} of {year}")
        } else {
            format!("{name} of {year} of the instance {instance}")
        };
        if last != highest {
            found.push(problem(&about, format!("the counter stands at {last}, and the highest number is {highest}")));
        }
        // No two documents of a year have one number, so as many as the highest means that none is missing.
        if documents != highest {
            let given = db.read(sequences).bind(instance).bind(year).scalars::<i64>().await?;
            found.push(problem(&about, format!("these numbers are missing: {}", missing(&given))));
        }
    }
    Ok(found)
}

/// The numbers that are left out of these, which are sorted: `2, 5 to 7`.
fn missing(given: &[i64]) -> String {
    let mut expected = 1;
    let mut gaps = Vec::new();
    for number in given {
        match *number - expected {
            0 => {}
            1 => gaps.push(expected.to_string()),
            _ => gaps.push(format!("{expected} to {}", number - 1)),
        }
        expected = number + 1;
    }
    gaps.join(", ")
}

#[derive(sqlx::FromRow)]
struct ToAddUp {
    id: i64,
    number: String,
    subtotal_amount: i64,
    tax_amount: i64,
    total_amount: i64,
    document: Json<Document>,
}

async fn sums(db: &Db, sql: Sql) -> Result<Vec<DocumentProblem>, DbError> {
    let (mut after, mut found) = (0, Vec::new());
    loop {
        let page = db.read(sql).bind(after).bind(BATCH).all::<ToAddUp>().await?;
        let Some(last) = page.last() else { return Ok(found) };
        after = last.id;
        for row in page {
            found.extend(wrong_sums(&row).into_iter().map(|text| problem(&row.number, text)));
        }
    }
}

/// Sums are made in 128 bits, so that none of them can be right by chance.
fn wrong_sums(row: &ToAddUp) -> Vec<&'static str> {
    let document = &row.document.0;
    let sum = |amounts: &mut dyn Iterator<Item = i64>| amounts.map(i128::from).sum::<i128>();
    let mut wrong = Vec::new();
    let mut check = |is_right: bool, text: &'static str| {
        if !is_right {
            wrong.push(text);
        }
    };
    check(document.number == row.number, "its document has another number");
    let stored = (row.subtotal_amount, row.tax_amount, row.total_amount);
    let written = (document.subtotal_amount, document.tax_amount, document.total_amount);
    check(stored == written, "its document has other amounts");
    let lines = sum(&mut document.lines.iter().map(|line| line.line_total_amount));
    check(lines == i128::from(document.subtotal_amount), "its lines do not add up to the subtotal");
    let discounts = sum(&mut document.lines.iter().map(|line| line.discount_amount));
    check(discounts == i128::from(document.discount_amount), "the discounts of its lines do not add up");
    let mut total = sum(&mut [document.subtotal_amount, document.shipping_amount].into_iter());
    total -= i128::from(document.discount_amount);
    if !document.prices_include_tax {
        total += i128::from(document.tax_amount);
    }
    check(total == i128::from(document.total_amount), "its amounts do not add up to the total");
    if !document.tax_lines.is_empty() {
        let tax = sum(&mut document.tax_lines.iter().map(|line| line.tax_amount));
        check(tax == i128::from(document.tax_amount), "its taxes by rate do not add up to its tax");
        let net = sum(&mut document.tax_lines.iter().map(|line| line.net_amount));
        check(net + tax == i128::from(document.total_amount), "its taxes by rate do not add up to the total");
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_in_ranges() {
        assert_eq!(missing(&[1, 2, 3]), "");
        assert_eq!(missing(&[1, 3, 4, 8]), "2, 5 to 7");
        assert_eq!(missing(&[4]), "1 to 3");
    }
}
