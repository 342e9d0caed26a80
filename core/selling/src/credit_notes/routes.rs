//! `/credit-notes`: the customer's own credit notes.

use std::sync::Arc;

use serde_json::{Value, json};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::ListDb;
use stoa_kernel::http::accept::Accepted;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Customer, Id, Uses};
use stoa_kernel::http::file::{DataOrFile, FORMS};
use stoa_kernel::http::page::{PageRequest, Paged, example_page};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::i18n::Texts;
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::Buyer;

use super::model::CreditNoteResource;
use super::read;
use crate::invoices::printed;

pub(super) fn credit_note_routes() -> Routes<()> {
    routes()
        .get("credit-notes.index", "/credit-notes", index)
        .summary("List own credit notes")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/credit-notes", &example()))
        .ability("credit_notes.read")
        .get("credit-notes.show", "/credit-notes/{creditNote}", show)
        .summary("Read an own credit note")
        .path_parameter("The id of an own credit note, not its number.", "3")
        .description("Everything stands as it was issued. `Accept: application/pdf` gives it as a file, with the electronic invoice \
             inside (Factur-X, ZUGFeRD); `application/xml` gives the electronic invoice alone, as UBL (XRechnung). What lacks something \
             that the norm EN 16931 asks for has no such form: 409 `not_electronic`, and a PDF with nothing inside.")
        .example(|| json!({"data": example()}))
        .fails_with(&[409])
        .ability("credit_notes.read")
}

fn example() -> Value {
    json!({
        "id": 3, "number": "CN-2026-000003", "status": "issued", "reason": "The glass was broken",
        "issued_at": "2026-03-08", "invoice_id": 40, "currency": "EUR", "subtotal_amount": 2000, "tax_amount": 347,
        "total_amount": 2000, "total_formatted": "€20.00", "vat_id": null, "reverse_charge": false,
        "items": [{"label": "Desk lamp", "quantity": 1, "unit_amount": 2000, "line_total_amount": 2000}],
    })
}

async fn index(
    customer: Customer,
    db: ListDb,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    page: PageRequest,
) -> ApiResult<Paged<CreditNoteResource>> {
    let (notes, total) = read::page_of_credit_notes(&db, &money, customer.id, page.limit(), page.offset()).await?;
    Ok(page.answer(notes, total))
}

async fn show(
    buyer: Buyer,
    db: ListDb,
    Uses((money, texts)): Uses<(Arc<MoneyFormatter>, Texts)>,
    Id(id): Id,
    accepted: Accepted,
) -> ApiResult<DataOrFile<CreditNoteResource>> {
    let found = read::find_own_credit_note(&db, &money, buyer, id).await?;
    let record = found.ok_or_else(ApiError::not_found)?;
    let Some(media_type) = accepted.preferred(&FORMS) else { return Ok(DataOrFile::Data(record.credit_note)) };
    Ok(DataOrFile::File(printed(record.document, texts, media_type).await?))
}
