//! A shop that sells files, for the tests of this module.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::module::ModuleEntry;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_downloads::Downloads;

/// Without the limit of ten requests a minute, which has a test of its own.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let unlimited =
        "[limits]\ncheckout = { requests = 0, per_seconds = 60 }\nprotected = { requests = 0, per_seconds = 60 }";
    TestShop::builder(backend).module::<Downloads>().config(unlimited)
}

/// The same with the module linked and off.
pub(crate) fn without_module(backend: Backend, shop: &TestShop) -> TestShopBuilder {
    let entry = ModuleEntry::of::<Downloads>("stoa-downloads", "0.1.0");
    TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2)
}

/// The line of a product that comes with files.
pub(crate) fn digital(slug: &str, settings: &Value) -> Value {
    json!({"type": "product", "slug": slug, "name": format!("The {slug}"), "price_amount": 1000,
           "capabilities": ["digital"], "modules": {"downloads": settings}})
}

/// A shop with the digital products `songs`, whose limits nothing says, and `book` with 3 downloads in 30 days.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    let plain = json!({"type": "product", "slug": "mug", "name": "Mug", "price_amount": 900});
    shop.stock(&[digital("songs", &json!({})), digital("book", &json!({"limit": 3, "days": 30})), plain]).await;
    shop
}

/// Bytes that differ all over.
pub(crate) fn bytes(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    };
    (0..length).map(|_| next()).collect()
}

pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Writes a file where commands look for it.
pub(crate) fn write(shop: &TestShop, name: &str, content: &[u8]) {
    std::fs::write(shop.folder().join(name), content).expect("the folder can be written");
}

/// Writes a file and attaches it; gives what the command says.
pub(crate) async fn attach(shop: &TestShop, product: &str, name: &str, content: &[u8], options: &[&str]) -> Value {
    write(shop, name, content);
    let command = [&["downloads", "attach", product, name, "--json"], options].concat();
    let end = shop.command(&command).await;
    assert_eq!(end.code, 0, "{end:?}");
    end.json()
}

pub(crate) async fn command(shop: &TestShop, arguments: &[&str]) -> Value {
    let end = shop.command(&[&["downloads"], arguments, &["--json"]].concat()).await;
    assert_eq!(end.code, 0, "{end:?}");
    end.json()
}

/// A customer with a client that may do everything.
pub(crate) async fn customer(shop: &TestShop) -> (CustomerRecord, TestClient) {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    (customer, client)
}

pub(crate) fn billing() -> Value {
    json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"})
}

/// Orders units of a product; gives the order.
pub(crate) async fn order(client: &TestClient, product: &str, quantity: i64) -> Value {
    let id = client.get(&format!("/products/{product}")).await.expect_status(200).json()["data"]["id"].clone();
    client.post("/cart", &json!({"product_id": id, "quantity": quantity})).await.expect_status(200);
    client.post("/checkout", &json!({"billing": billing()})).await.expect_status(201).json()["data"].clone()
}

/// Orders and pays; gives the order's id.
pub(crate) async fn buy(shop: &TestShop, client: &TestClient, product: &str, quantity: i64) -> i64 {
    let id = order(client, product, quantity).await["id"].as_i64().expect("an id");
    record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
    shop.run_jobs().await;
    id
}

/// Refunds units of an order's first item.
pub(crate) async fn refund(shop: &TestShop, client: &TestClient, order_id: i64, quantity: i64) {
    let order = client.get(&format!("/orders/{order_id}")).await.expect_status(200).json();
    let item_id = order["data"]["items"][0]["id"].as_i64().expect("an id");
    let scope = RefundScope::Lines { lines: vec![RefundLine::any(item_id, quantity)], shipping: false };
    let new = NewRefund { order_id, scope, reason: String::from("Not wanted") };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
}

/// The first page of the customer's downloads.
pub(crate) async fn downloads(client: &TestClient) -> Vec<Value> {
    let list = client.get("/downloads").await.expect_status(200).json();
    list["data"].as_array().expect("a list").clone()
}

/// The newest of them.
pub(crate) async fn newest(client: &TestClient) -> Value {
    downloads(client).await.first().expect("there is one").clone()
}

pub(crate) fn path(download: &Value) -> String {
    format!("/downloads/{}", download["token"].as_str().expect("a token"))
}

/// Fetches a part of a file.
pub(crate) async fn range(client: &TestClient, path: &str, range: &str) -> TestResponse {
    client.with_header("range", range).get(path).await
}
