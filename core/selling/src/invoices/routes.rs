//! `/invoices`: the customer's own invoices.

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

use super::model::InvoiceResource;
use super::printed::printed;
use super::read;

pub(super) fn invoice_routes() -> Routes<()> {
    routes()
        .get("invoices.index", "/invoices", index)
        .summary("List own invoices")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/invoices", &example()))
        .ability("invoices.read")
        .get("invoices.show", "/invoices/{invoice}", show)
        .summary("Read an own invoice")
        .path_parameter("The id of an own invoice, not its number.", "40")
        .description("Everything stands as it was issued. `Accept: application/pdf` gives it as a file, with the electronic invoice \
             inside (Factur-X, ZUGFeRD); `application/xml` gives the electronic invoice alone, as UBL (XRechnung). What lacks something \
             that the norm EN 16931 asks for has no such form: 409 `not_electronic`, and a PDF with nothing inside.")
        .example(|| json!({"data": example()}))
        .fails_with(&[409])
        .ability("invoices.read")
}

fn example() -> Value {
    json!({
        "id": 40, "number": "INV-2026-000040", "status": "paid", "issued_at": "2026-03-01", "order_id": 42,
        "currency": "EUR", "subtotal_amount": 4000, "discount_amount": 0, "shipping_amount": 495, "tax_amount": 780,
        "total_amount": 4495, "total_formatted": "€44.95", "credited_amount": 2000,
        "vat_id": null, "reverse_charge": false,
        "items": [{"label": "Desk lamp", "quantity": 2, "unit_amount": 2000, "line_total_amount": 4000}],
        "credit_notes": [{"id": 3, "number": "CN-2026-000003", "total_amount": 2000}],
    })
}

async fn index(
    customer: Customer,
    db: ListDb,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    page: PageRequest,
) -> ApiResult<Paged<InvoiceResource>> {
    let (invoices, total) = read::page_of_invoices(&db, &money, customer.id, page.limit(), page.offset()).await?;
    Ok(page.answer(invoices, total))
}

async fn show(
    buyer: Buyer,
    db: ListDb,
    Uses((money, texts)): Uses<(Arc<MoneyFormatter>, Texts)>,
    Id(id): Id,
    accepted: Accepted,
) -> ApiResult<DataOrFile<InvoiceResource>> {
    let invoice = read::find_own_invoice(&db, &money, buyer, id).await?;
    let invoice = invoice.ok_or_else(ApiError::not_found)?;
    let Some(media_type) = accepted.preferred(&FORMS) else { return Ok(DataOrFile::Data(invoice)) };
    let document = read::invoice_document(&db, invoice.id).await?.ok_or_else(ApiError::not_found)?;
    Ok(DataOrFile::File(printed(document, texts, media_type).await?))
}
