//! Shops with stock, and those who buy there.

use serde_json::{Value, json};
use stoa_core::db::{Backend, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelOrderError, CancelReason, OrderNumber, ShipmentLine, cancel_order, ship_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_inventory::Inventory;

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

const STOCK: Sql = sql!("SELECT on_hand, reserved FROM inventory_stock WHERE sku = $1");

/// Nobody is limited.
pub(crate) const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<Inventory>().config(LIMITS)
}

/// A line of an import file; `members` overrides what is usual.
pub(crate) fn product(slug: &str, members: &Value) -> Value {
    let mut line = json!({"type": "product", "slug": slug, "name": slug.to_uppercase(), "price_amount": 1500,
                          "capabilities": ["shippable"]});
    for (name, value) in members.as_object().expect("members") {
        line[name] = value.clone();
    }
    line
}

/// A product of which so many pieces are counted.
pub(crate) fn counted(slug: &str, quantity: i64) -> Value {
    product(slug, &json!({"modules": {"inventory": {"quantity": quantity}}}))
}

/// A shop with these products.
pub(crate) async fn shop(backend: Backend, lines: &[Value]) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(lines).await;
    shop
}

pub(crate) async fn product_id(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// A new customer with a token for everything.
pub(crate) async fn buyer(shop: &TestShop) -> TestClient {
    let customer = shop.customer().await;
    shop.client().token(&customer, &["*"]).await
}

/// Puts units into the own cart and returns the cart.
pub(crate) async fn fill(shop: &TestShop, client: &TestClient, slug: &str, quantity: i64, selections: &Value) -> Value {
    let id = product_id(shop, slug).await;
    let body = json!({"product_id": id, "quantity": quantity, "selections": selections});
    client.post("/cart", &body).await.expect_status(200).json()["data"].clone()
}

/// Tries to place what is in the cart.
pub(crate) async fn place(client: &TestClient) -> TestResponse {
    let body = json!({"payment_method": "manual", "shipping_method_id": "standard",
                      "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                                  "postal_code": "1015 AA", "country": "NL"}});
    client.post("/checkout", &body).await
}

/// Places an order of so many units by a new customer and returns the order.
pub(crate) async fn order(shop: &TestShop, slug: &str, quantity: i64) -> Value {
    let client = buyer(shop).await;
    fill(shop, &client, slug, quantity, &json!({})).await;
    place(&client).await.expect_status(201).json()["data"].clone()
}

/// The refusal of an order for want of stock; gives what is told.
#[track_caller]
pub(crate) fn expect_short(answer: TestResponse, product: &str) -> String {
    let refused = answer.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "insufficient_stock", "{refused}");
    let told = refused["message"].as_str().expect("a message");
    assert!(told.contains(product), "{told}");
    told.to_owned()
}

pub(crate) fn id(order: &Value) -> i64 {
    order["id"].as_i64().expect("an id")
}

pub(crate) async fn cancel(shop: &TestShop, order: &Value) -> Result<(), CancelOrderError> {
    cancel_order(&Payments::from_shop(&shop.parts), id(order), CancelReason::Operator).await
}

pub(crate) async fn pay(shop: &TestShop, order: &Value) {
    record_payment(&Payments::from_shop(&shop.parts), id(order)).await.expect("it is paid");
    shop.run_jobs().await;
}

/// Sends units of the order's first item.
pub(crate) async fn ship(shop: &TestShop, order: &Value, quantity: i64) {
    let item_id = order["items"][0]["id"].as_i64().expect("an id");
    let lines = [ShipmentLine { item_id, quantity }];
    ship_order(&shop.parts.db, OrderNumber::of(id(order)), &lines, None).await.expect("it is sent");
    shop.run_jobs().await;
}

/// Refunds units of the order's first item.
pub(crate) async fn refund(shop: &TestShop, order: &Value, quantity: i64) {
    let item_id = order["items"][0]["id"].as_i64().expect("an id");
    let lines = vec![RefundLine::any(item_id, quantity)];
    refund_scope(shop, order, RefundScope::Lines { lines, shipping: false }).await;
    shop.run_jobs().await;
}

/// Refunds without looking at what follows.
pub(crate) async fn refund_scope(shop: &TestShop, order: &Value, scope: RefundScope) {
    let new = NewRefund { order_id: id(order), scope, reason: String::from("returned") };
    refund_order(&shop.uses(), &new).await.expect("it is refunded");
}

/// On hand, reserved, available: as it is stored, so that no command looks for what was missed.
pub(crate) async fn stock(shop: &TestShop, sku: &str) -> (i64, i64, i64) {
    let (on_hand, reserved) = shop.parts.db.read(STOCK).bind(sku).one::<(i64, i64)>().await.expect("it is counted");
    (on_hand, reserved, on_hand - reserved)
}

/// Everything adds up.
pub(crate) async fn assert_clean(shop: &TestShop) {
    assert_eq!(shop.breaches().await, [""; 0]);
}
