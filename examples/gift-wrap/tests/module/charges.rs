//! What wrapping costs: as the wish says, in the price before the order, in the order, on its invoice and in refunds.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{builder, checkout, ordered, stocked, wish};

const TAX: &str = "[tax]\nprices_include_tax = false\nrates = { NL = 2100 }";

both_databases!(an_order_charges_what_the_wish_says_and_the_price_before_it_too);
async fn an_order_charges_what_the_wish_says_and_the_price_before_it_too(backend: Backend) {
    let shop = stocked(builder(backend).config(TAX)).await;
    let ada = shop.client().token(&shop.customer().await, &["*"]).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    // A wish for a product that is not in the cart waits.
    ada.post("/gift-wraps", &wish(2)).await.expect_status(201);
    ada.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let shown = ada.get("/checkout/requirements?country=NL").await.expect_status(200).json()["data"]["totals"].clone();
    let added = json!([{"module": "gift_wrap", "label": "Gift wrapping: teapot", "amount": 250}]);
    assert_eq!((&shown["added_lines"], &shown["subtotal_amount"]), (&added, &json!(1250)));
    assert_eq!((&shown["tax_amount"], &shown["total_amount"]), (&json!(210 + 53), &json!(1250 + 263)));
    let mut body = checkout();
    body["expected_total_amount"] = shown["total_amount"].clone();
    let order = ada.post("/checkout", &body).await.expect_status(201).json()["data"].clone();
    assert_eq!((&order["added_lines"], &order["taxes"]), (&added, &shown["taxes"]));
    let item = &order["items"][1];
    assert_eq!((&item["product_id"], &item["slug"], &item["label"]), (&json!(null), &json!(null), &added[0]["label"]));
    assert_eq!((&item["quantity"], &item["line_total_amount"]), (&json!(1), &json!(250)));
    let invoice = ada.get(&format!("/invoices/{}", order["invoice"]["id"])).await.expect_status(200).json();
    assert_eq!(invoice["data"]["items"][1]["label"], added[0]["label"]);
    assert_eq!(ada.get(&format!("/orders/{}", order["id"])).await.json()["data"], order);
    assert_eq!(ada.get("/gift-wraps/1").await.json()["data"]["order_id"], order["id"]);
    assert_eq!(ada.get("/gift-wraps/2").await.json()["data"]["order_id"], json!(null));
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(an_order_without_a_wish_costs_no_more);
async fn an_order_without_a_wish_costs_no_more(backend: Backend) {
    let shop = stocked(builder(backend)).await;
    let ada = shop.client().token(&shop.customer().await, &["*"]).await;
    let order = ordered(&ada).await;
    assert_eq!((&order["data"]["total_amount"], &order["data"]["added_lines"]), (&json!(1000), &json!([])));
}
