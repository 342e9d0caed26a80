//! A shop with a lamp for 20.00, and who buys it.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::payments::record_payment;
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};
use stoa_loyalty::Loyalty;
use stoa_storefront::StorefrontModule;

/// A point for each 1.00, which takes 0.05 off.
const CONFIG: &str = "[modules.loyalty]\npoint_amount = 5\n[limits]\nprotected = { requests = 0, per_seconds = 60 }";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let shop = TestShop::builder(backend).module::<Loyalty>().module::<StorefrontModule>().config(CONFIG);
    shop.console(Arc::new(stoa_console::register))
}

pub(crate) async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000})]).await;
    shop
}

pub(crate) async fn fill_cart(client: &TestClient) {
    client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
}

/// Orders what is in the cart.
pub(crate) async fn order(client: &TestClient) -> Value {
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    client.post("/checkout", &json!({"billing": billing})).await.expect_status(201).json()["data"].clone()
}

pub(crate) fn id(order: &Value) -> i64 {
    order["id"].as_i64().expect("an id")
}

pub(crate) async fn pay(shop: &TestShop, order: &Value) {
    record_payment(&shop.uses(), id(order)).await.expect("it is recorded");
    shop.run_jobs().await;
}

/// Orders and pays a lamp.
pub(crate) async fn buy(shop: &TestShop, client: &TestClient) -> Value {
    fill_cart(client).await;
    let order = order(client).await;
    pay(shop, &order).await;
    order
}

pub(crate) async fn refund(shop: &TestShop, order: &Value, amount: i64) {
    let scope = RefundScope::Amount(amount);
    let new = NewRefund { order_id: id(order), scope, reason: String::from("returned") };
    refund_order(&shop.uses(), &new).await.expect("it is refunded");
    shop.run_jobs().await;
}

/// How many points there are.
pub(crate) async fn points(client: &TestClient) -> i64 {
    client.get("/loyalty").await.expect_status(200).json()["data"]["points"].as_i64().expect("a number")
}

/// What has changed them, the newest first.
pub(crate) async fn changes(client: &TestClient) -> Vec<(String, i64)> {
    let entries = client.get("/loyalty/entries").await.expect_status(200).json();
    let change = |entry: &Value| {
        (entry["kind"].as_str().expect("a word").to_owned(), entry["points"].as_i64().expect("a number"))
    };
    entries["data"].as_array().expect("a list").iter().map(change).collect()
}
