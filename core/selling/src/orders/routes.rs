//! `/orders`: the customer's own orders.

use std::sync::Arc;

use serde_json::{Value, json};

use stoa_kernel::config::Config;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::ListDb;
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Customer, Id, Uses};
use stoa_kernel::http::page::{PageRequest, Paged, example_page};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::money::MoneyFormatter;

use super::instructions::tell_instructions;
use super::model::OrderResource;
use super::read;
use crate::withdrawals::tell_rights;

pub(super) fn order_routes() -> Routes<()> {
    routes()
        .get("orders.index", "/orders", index)
        .summary("List own orders")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/orders", &example_order()))
        .ability("orders.read")
        .get("orders.show", "/orders/{order}", show)
        .summary("Read an own order")
        .path_parameter("The id of an own order, not its number.", "42")
        .description("Everything stands as it was when the order was placed, whatever has become of the products.")
        .example(|| json!({"data": example_order()}))
        .ability("orders.read")
}

/// An order as the document shows it.
pub(crate) fn example_order() -> Value {
    let address = json!({
        "name": "Ada Buyer", "company": null, "line1": "Keizersgracht 1", "line2": null, "city": "Amsterdam",
        "postal_code": "1015 AA", "region": null, "country": "NL", "phone": null,
    });
    json!({
        "id": 42, "number": "O-000042", "status": "paid", "payment_status": "paid", "fulfillment_status": "unfulfilled",
        "currency": "EUR", "subtotal_amount": 4000, "discount_amount": 0, "discount_code": null, "added_lines": [],
        "shipping_amount": 495,
        "tax_amount": 780, "total_amount": 4495, "total_formatted": "€44.95",
        "taxes": [{"label": "21%", "rate_basis_points": 2100, "base_amount": 3715, "tax_amount": 780}],
        "vat_id": null, "vat_id_check": null, "reverse_charge": false, "billing_address": address,
        "shipping_address": address, "shipping_method": "standard", "payment_method": "manual", "payment_instructions": null, "note": null,
        "consents": [{"id": "terms", "version": "2026-11", "label": "I accept the terms and conditions.",
                      "given_at": "2026-03-01T10:00:00Z"}],
        "payment": {"status": "paid", "amount": 4495, "amount_formatted": "€44.95", "refunded_amount": 0,
                    "net_amount": 4495},
        "invoice": {"id": 40, "number": "INV-2026-000040", "status": "paid"}, "credit_notes": [],
        "items": [{"id": 77, "product_id": 1, "slug": "desk-lamp", "sku": "LAMP-1", "label": "Desk lamp", "quantity": 2,
                   "unit_amount": 2000, "line_total_amount": 4000,
                   "selections": {"color": "brass"},
                   "options": [{"key": "color", "label": "Color", "display": "Brass"}], "shipped_quantity": 0,
                   "refunded_quantity": 0}],
        "shipments": [],
        "withdrawal": {
            "possible": true, "deadline": null, "within_period": true,
            "lines": [{"item_id": 77, "quantity": 2, "withdrawn_quantity": 0, "excluded_quantity": 0,
                       "excluded_reason": null, "deadline": null, "delivery_at": null}],
        },
        "created_at": "2026-03-01T10:00:00Z", "paid_at": "2026-03-01T10:02:11Z", "cancelled_at": null,
    })
}

async fn index(
    customer: Customer,
    db: ListDb,
    Uses((money, config, gateways)): Uses<(Arc<MoneyFormatter>, Arc<Config>, Arc<GatewayTable>)>,
    page: PageRequest,
) -> ApiResult<Paged<OrderResource>> {
    let (mut orders, total) = read::page_of_orders(&db, &money, customer.id, page.limit(), page.offset()).await?;
    tell_instructions(&gateways, &mut orders);
    tell_rights(&db, &config, &mut orders).await?;
    Ok(page.answer(orders, total))
}

async fn show(
    customer: Customer,
    db: ListDb,
    Uses((money, config, gateways)): Uses<(Arc<MoneyFormatter>, Arc<Config>, Arc<GatewayTable>)>,
    Id(id): Id,
) -> ApiResult<Data<OrderResource>> {
    let order = read::find_own_order(&db, &money, customer.id, id).await?;
    let mut order = order.ok_or_else(ApiError::not_found)?;
    tell_instructions(&gateways, [&mut order]);
    tell_rights(&db, &config, [&mut order]).await?;
    Ok(Data(order))
}
