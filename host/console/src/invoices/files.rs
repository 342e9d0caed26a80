//! Invoices and credit notes as files: PDF, and electronic invoices (EN 16931).

use std::sync::Arc;

use axum::response::IntoResponse;
use http::{StatusCode, header};
use stoa_core::credit_notes::find_credit_note;
use stoa_core::db::Db;
use stoa_core::electronic::{Syntax, electronic_invoice};
use stoa_core::i18n::Texts;
use stoa_core::invoices::{DocumentReference, find_invoice, invoice_document};
use stoa_core::money::MoneyFormatter;
use stoa_core::pdf::{Document, render};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::Frame;

type Desk = (Db, Arc<MoneyFormatter>, Texts);

async fn found((db, money, _): &Desk, number: &str) -> ApiResult<Document> {
    let reference: DocumentReference = number.parse().map_err(|_| ApiError::not_found())?;
    let document = match find_invoice(db, money, &reference).await? {
        Some(record) => invoice_document(db, record.invoice.id).await?,
        None => find_credit_note(db, money, &reference).await?.map(|record| record.document),
    };
    document.ok_or_else(ApiError::not_found)
}

fn file(media_type: &str, disposition: String, content: Vec<u8>) -> PageResponse {
    let headers = [
        (header::CONTENT_TYPE, media_type.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, String::from("private, no-store")),
    ];
    PageResponse((headers, content).into_response())
}

/// `GET /console/documents/{number}`.
pub(super) async fn pdf(Uses(desk): Uses<Desk>, Name(number): Name) -> ApiResult<PageResponse> {
    let document = found(&desk, &number).await?;
    let bytes = render(&document, &desk.2).map_err(ApiError::internal)?;
    Ok(file("application/pdf", format!("inline; filename=\"{}.pdf\"", document.number), bytes))
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
pub(super) async fn xml(frame: Frame, Uses(desk): Uses<Desk>, Name(number): Name) -> ApiResult<PageResponse> {
    let document = found(&desk, &number).await?;
    let syntax = if frame.query.get("syntax") == "cii" { Syntax::Cii } else { Syntax::Ubl };
    match electronic_invoice(&document, &desk.2, syntax) {
        Ok(written) => {
            let disposition = format!("attachment; filename=\"{}.xml\"", document.number);
            Ok(file("application/xml", disposition, written.into_bytes()))
        }
        Err(error) => {
            let layout = frame.layout("No electronic form", "invoices");
            let page = Missing { layout, number: document.number, why: error.to_string() };
            frame.show_as(StatusCode::CONFLICT, &page)
        }
    }
}
