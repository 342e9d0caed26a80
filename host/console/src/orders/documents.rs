//! Invoices and credit notes as PDF.

use std::sync::Arc;

use axum::response::IntoResponse;
use http::header;
use stoa_core::credit_notes::find_credit_note;
use stoa_core::db::Db;
use stoa_core::i18n::Texts;
use stoa_core::invoices::{DocumentReference, find_invoice, invoice_document};
use stoa_core::money::MoneyFormatter;
use stoa_core::pdf::render;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_pages::answer::PageResponse;

/// `GET /console/documents/{number}`.
pub(super) async fn pdf(
    db: Db,
    Uses((money, texts)): Uses<(Arc<MoneyFormatter>, Texts)>,
    Name(number): Name,
) -> ApiResult<PageResponse> {
    let reference: DocumentReference = number.parse().map_err(|_| ApiError::not_found())?;
    let document = match find_invoice(&db, &money, &reference).await? {
        Some(record) => invoice_document(&db, record.invoice.id).await?,
        None => match find_credit_note(&db, &money, &reference).await? {
            Some(record) => Some(record.document),
            None => None,
        },
    };
    let document = document.ok_or_else(ApiError::not_found)?;
    let bytes = render(&document, &texts).map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, String::from("application/pdf")),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{}.pdf\"", document.number)),
        (header::CACHE_CONTROL, String::from("private, no-store")),
    ];
    Ok(PageResponse((headers, bytes).into_response()))
}
