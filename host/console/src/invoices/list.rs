//! The lists of invoices and of credit notes.

use stoa_core::credit_notes::{CreditNoteListed, count_credit_notes, search_credit_notes};
use stoa_core::db::ListDb;
use stoa_core::invoices::{DocumentSearch, InvoiceListed, InvoiceStatus, count_invoices, search_invoices};
use stoa_core::orders::OrderNumber;
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, RowAct};
use stoa_kernel::http::error::ApiResult;

fn search(query: &ListQuery) -> DocumentSearch {
    DocumentSearch {
        text: query.get("q").map(str::to_owned),
        status: query.get("status").and_then(|status| InvoiceStatus::try_from(status.to_owned()).ok()),
        from: query.from_day("from"),
        until: query.until_day("to"),
        ..DocumentSearch::default()
    }
}

fn order(number: OrderNumber) -> Cell {
    let number = number.to_string();
    let path = format!("/orders/{number}");
    Cell::link(number, path)
}

fn pdf(number: &str) -> RowAct {
    RowAct::open("PDF", format!("/documents/{number}"))
}

fn xml(number: &str) -> RowAct {
    RowAct::open("XML", format!("/documents/{number}/xml"))
}

/// `GET /console/invoices`.
pub(super) async fn invoices(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = search(&query);
    let counted = count_invoices(&db, &search).await?;
    let list = List::new("Invoices", |invoice: &InvoiceListed| invoice.id)
        .way("invoices.view", "Credit notes", "/invoices/credit-notes")
        .search("Number, order or name")
        .choice("status", "Status", InvoiceStatus::ALL.iter().map(|status| status.as_str()))
        .day("from", "From")
        .day("to", "To")
        .empty("There are no invoices yet. Each order has one.")
        .column("Invoice", |invoice| Cell::link(&invoice.number, format!("/documents/{}", invoice.number)))
        .column("Issued", |invoice| invoice.issued_at.date_naive())
        .column("Status", |invoice| Cell::state(invoice.status.as_str()))
        .column("Customer", |invoice| Cell::link(&invoice.customer_name, format!("/customers/{}", invoice.customer_id)))
        .column("Order", |invoice| order(invoice.order()))
        .number("Net", |invoice| Cell::money(invoice.net_amount, &invoice.currency))
        .number("Tax", |invoice| Cell::money(invoice.tax_amount, &invoice.currency))
        .number("Gross", |invoice| Cell::money(invoice.total_amount, &invoice.currency))
        .number("Credited", |invoice| {
            (invoice.credited_amount != 0).then(|| Cell::money(invoice.credited_amount, &invoice.currency))
        })
        .act("invoices.view", |invoice| Some(pdf(&invoice.number)))
        .act("invoices.view", |invoice| Some(xml(&invoice.number)));
    list.show(query, counted, move |after, limit| {
        let (db, search) = (db.clone(), DocumentSearch { after, limit, ..search.clone() });
        async move { search_invoices(&db, &search).await }
    })
    .await
}

/// `GET /console/invoices/credit-notes`.
pub(super) async fn credit_notes(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = search(&query);
    let counted = count_credit_notes(&db, &search).await?;
    let list = List::new("Credit notes", |note: &CreditNoteListed| note.id)
        .way("invoices.view", "Invoices", "/invoices")
        .search("Number, order or name")
        .day("from", "From")
        .day("to", "To")
        .empty("There are no credit notes yet. They come with refunds.")
        .column("Credit note", |note| Cell::link(&note.number, format!("/documents/{}", note.number)))
        .column("Issued", |note| note.issued_at.date_naive())
        .column("Customer", |note| Cell::link(&note.customer_name, format!("/customers/{}", note.customer_id)))
        .column("Order", |note| order(note.order()))
        .column("Invoice", |note| Cell::link(&note.invoice_number, format!("/documents/{}", note.invoice_number)))
        .column("Reason", |note| Cell::from(&note.reason))
        .number("Net", |note| Cell::money(note.net_amount, &note.currency))
        .number("Tax", |note| Cell::money(note.tax_amount, &note.currency))
        .number("Gross", |note| Cell::money(note.total_amount, &note.currency))
        .act("invoices.view", |note| Some(pdf(&note.number)))
        .act("invoices.view", |note| Some(xml(&note.number)));
    list.show(query, counted, move |after, limit| {
        let (db, search) = (db.clone(), DocumentSearch { after, limit, ..search.clone() });
        async move { search_credit_notes(&db, &search).await }
    })
    .await
}
