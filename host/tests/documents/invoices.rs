//! Invoices as customers read them (contract 2.3).

use chrono::{TimeZone, Utc};
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::testing::both_databases;

use crate::shelf::{TAXES, builder, buyer, id, shop, stocked};

both_databases!(an_order_has_an_invoice_from_the_start);
async fn an_order_has_an_invoice_from_the_start(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 2), ("book", 1)]).await;
    assert_eq!(
        (&order["invoice"]["number"], &order["invoice"]["status"]),
        (&json!("INV-2026-000001"), &json!("issued"))
    );
    let mut invoice = ada.read("invoices", &order["invoice"]).await;
    let invoice_id = invoice["id"].take();
    let expected = json!({
        "id": null, "number": "INV-2026-000001", "status": "issued", "issued_at": "2026-01-15", "order_id": order["id"],
        "currency": "EUR", "subtotal_amount": 5500, "discount_amount": 0, "shipping_amount": 495, "tax_amount": 904,
        "total_amount": 5995, "total_formatted": "€59.95", "credited_amount": 0,
        "vat_id": null, "reverse_charge": false,
        "items": [
            {"label": "Lamp", "quantity": 2, "unit_amount": 2000, "line_total_amount": 4000},
            {"label": "Book", "quantity": 1, "unit_amount": 1500, "line_total_amount": 1500},
        ],
        "credit_notes": [],
    });
    assert_eq!(invoice, expected);
    ada.pay(&order).await;
    let paid = ada.read("invoices", &json!({"id": invoice_id})).await;
    assert_eq!(paid["status"], "paid");
    assert_eq!(ada.read("orders", &order).await["invoice"]["status"], "paid");
}

both_databases!(what_costs_nothing_is_paid_with_its_invoice);
async fn what_costs_nothing_is_paid_with_its_invoice(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("sample", 1)]).await;
    assert_eq!((&order["status"], &order["invoice"]["status"]), (&json!("paid"), &json!("paid")));
    assert_eq!(ada.read("invoices", &order["invoice"]).await["total_amount"], 0);
}

both_databases!(the_invoice_of_a_cancelled_order_is_void_whatever_comes_later);
async fn the_invoice_of_a_cancelled_order_is_void_whatever_comes_later(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await.expect("it is not paid");
    assert_eq!(ada.read("invoices", &order["invoice"]).await["status"], "void");
    let next = ada.place(&shop, &[("book", 1)]).await;
    assert_eq!(next["invoice"]["number"], "INV-2026-000002", "a void invoice keeps its number");
}

both_databases!(an_order_that_is_not_placed_takes_no_number);
async fn an_order_that_is_not_placed_takes_no_number(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    eve.try_to_place(&shop, &[("broken", 1)], &Value::Null).await.expect_status(500);
    let refused = json!({"expected_total_amount": 1});
    ada.try_to_place(&shop, &[("book", 1)], &refused).await.expect_error(409, "invalid_state");
    let order = ada.place(&shop, &[]).await;
    assert_eq!(order["invoice"]["number"], "INV-2026-000001");
}

both_databases!(each_year_begins_at_one_in_utc);
async fn each_year_begins_at_one_in_utc(backend: Backend) {
    let clock = Clock::manual(Utc.with_ymd_and_hms(2026, 12, 31, 23, 59, 59).single().expect("a time"));
    let shop = stocked(builder(backend).config(TAXES).clock(&clock)).await;
    let ada = buyer(&shop).await;
    let mut numbers = Vec::new();
    for _ in 0..3 {
        numbers.push(ada.place(&shop, &[("book", 1)]).await["invoice"]["number"].clone());
        shop.advance(chrono::TimeDelta::milliseconds(600));
    }
    assert_eq!(numbers, ["INV-2026-000001", "INV-2026-000002", "INV-2027-000001"]);
}

both_databases!(another_prefix_goes_on_with_the_count);
async fn another_prefix_goes_on_with_the_count(backend: Backend) {
    let shop = shop(backend).await;
    buyer(&shop).await.place(&shop, &[("book", 1)]).await;
    let config = format!("{TAXES}\n[invoices]\nprefix = 'RE-A'");
    let other = stocked(builder(backend).config(&config).on(shop.database()).seed(2)).await;
    let order = buyer(&other).await.place(&other, &[("book", 1)]).await;
    assert_eq!(order["invoice"]["number"], "RE-A-2026-000002");
}

both_databases!(invoices_are_the_customers_own_newest_first);
async fn invoices_are_the_customers_own_newest_first(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    let mut own = Vec::new();
    for _ in 0..22 {
        own.insert(0, ada.place(&shop, &[("book", 1)]).await["invoice"]["id"].clone());
    }
    let foreign = eve.place(&shop, &[("book", 1)]).await;
    let page = ada.client.get("/invoices").await.expect_status(200).json();
    let ids =
        |page: &Value| page["data"].as_array().expect("a list").iter().map(|row| row["id"].clone()).collect::<Vec<_>>();
    assert_eq!((ids(&page), &page["meta"]["total"]), (own[..20].to_vec(), &json!(22)));
    let second = ada.client.get("/invoices?page=2").await.expect_status(200).json();
    assert_eq!(ids(&second), own[20..]);
    let path = format!("/invoices/{}", foreign["invoice"]["id"]);
    ada.client.get(&path).await.expect_error(404, "not_found");
    ada.client.with_header("accept", "application/pdf").get(&path).await.expect_error(404, "not_found");
    ada.client.get("/invoices/0").await.expect_error(404, "not_found");
}

both_databases!(an_invoice_stays_as_it_was_issued);
async fn an_invoice_stays_as_it_was_issued(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let before = ada.read("invoices", &order["invoice"]).await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Other", "price_amount": 1})]).await;
    let config = "[tax]\nrates = { NL = 500 }\n[seller]\nname = 'Somebody else'";
    let later = builder(backend).config(config).on(shop.database()).seed(2).open().await;
    let client = later.client().token(&ada.customer, &["invoices.read"]).await;
    let after = client.get(&format!("/invoices/{}", before["id"])).await.expect_status(200).json();
    assert_eq!(after["data"], before);
}
