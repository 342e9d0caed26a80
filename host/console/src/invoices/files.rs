//! Invoices and credit notes as files: PDF, and electronic invoices (EN 16931).

use std::sync::Arc;

use http::StatusCode;
use stoa_core::credit_notes::find_credit_note;
use stoa_core::db::Db;
use stoa_core::electronic::{Syntax, electronic_invoice};
use stoa_core::i18n::Texts;
use stoa_core::invoices::{DocumentReference, find_invoice, invoice_document};
use stoa_core::money::MoneyFormatter;
use stoa_core::pdf::{Document, render};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::file::{attachment, inline, private_file};
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::{Frame, Named};

type Desk = (Db, Arc<MoneyFormatter>, Texts);

async fn found((db, money, _): &Desk, reference: &DocumentReference) -> ApiResult<Document> {
    let document = match find_invoice(db, money, reference).await? {
        Some(record) => invoice_document(db, record.invoice.id).await?,
        None => find_credit_note(db, money, reference).await?.map(|record| record.document),
    };
    document.ok_or_else(ApiError::not_found)
}

/// `GET /console/documents/{number}`.
pub(super) async fn pdf(Uses(desk): Uses<Desk>, Named(number): Named<DocumentReference>) -> ApiResult<PageResponse> {
    let document = found(&desk, &number).await?;
    let bytes = render(&document, &desk.2).map_err(ApiError::internal)?;
    let name = inline(&format!("{}.pdf", document.number));
    Ok(PageResponse(private_file("application/pdf", name, bytes)))
}

/// Why a document has no electronic form.
#[derive(askama::Template)]
#[template(path = "no_electronic_form.html")]
struct Missing {
    layout: Layout,
    number: String,
    why: String,
}

/// `GET /console/documents/{number}/xml`: XRechnung (UBL), or with `?syntax=cii` what stands in the PDF.
pub(super) async fn xml(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<DocumentReference>,
) -> ApiResult<PageResponse> {
    let document = found(&desk, &number).await?;
    let syntax = if frame.query.get("syntax") == "cii" { Syntax::Cii } else { Syntax::Ubl };
    match electronic_invoice(&document, &desk.2, syntax) {
        Ok(written) => {
            let name = attachment(&format!("{}.xml", document.number));
            Ok(PageResponse(private_file("application/xml", name, written)))
        }
        Err(error) => {
            let layout = frame.layout("No electronic form", "invoices");
            let page = Missing { layout, number: document.number, why: error.to_string() };
            frame.show_as(StatusCode::CONFLICT, &page)
        }
    }
}
