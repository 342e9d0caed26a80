//! A shop with something to buy, and its visitors.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};

const COUNT_CARTS: Sql = sql!("SELECT COUNT(*) FROM carts");
const COUNT_LINES: Sql = sql!("SELECT COUNT(*) FROM cart_lines");
const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");
const SET_PRICE: Sql = sql!("UPDATE products SET price_amount = $2 WHERE slug = $1");

/// A shop that does not limit requests.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).config("[limits]\nprotected = { requests = 0, per_seconds = 60 }")
}

/// Such a shop with products on its shelf.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    fill(&shop).await;
    shop
}

/// Puts the usual products on the shelf.
pub(crate) async fn fill(shop: &TestShop) {
    shop.stock(&[
        product("book", "Book", 1500),
        with(
            product("lamp", "Lamp", 2000),
            &json!({"capabilities": ["shippable"], "images": ["https://img.example/lamp.jpg"]}),
        ),
        product("pencil", "Pencil", 99),
        with(product("plan", "Plan", 500), &json!({"capabilities": ["subscribable"]})),
        with(product("hidden", "Hidden", 500), &json!({"active": false})),
        server(),
    ])
    .await;
}

/// A line of an import.
pub(crate) fn product(slug: &str, name: &str, price_amount: i64) -> Value {
    json!({"type": "product", "slug": slug, "name": name, "price_amount": price_amount})
}

/// The same with other or more members.
pub(crate) fn with(mut line: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().expect("an object") {
        line[name] = value.clone();
    }
    line
}

/// A choice with what it adds to the price.
pub(crate) fn choice(value: &str, label: &str, price_adjustment_amount: i64) -> Value {
    json!({"value": value, "label": label, "price_adjustment_amount": price_adjustment_amount})
}

/// A product with an option of each type.
pub(crate) fn server() -> Value {
    with(
        product("server", "Server", 1000),
        &json!({"options": [
            {"key": "os", "label": "System", "type": "select", "required": true, "choices": [
                choice("debian", "Debian", 0), choice("ubuntu", "Ubuntu", 250),
                with(choice("retired", "Retired", 0), &json!({"active": false})),
            ]},
            {"key": "backup", "label": "Backup", "type": "radio", "choices": [choice("none", "None", 0), choice("daily", "Daily", 500)]},
            {"key": "extras", "label": "Extras", "type": "checkbox", "choices": [
                with(choice("panel", "Panel", 300), &json!({"sku": "EX-PANEL"})), choice("ipv4", "IPv4", 100),
            ]},
            {"key": "managed", "label": "Managed", "type": "toggle"},
            {"key": "hostname", "label": "Hostname", "type": "text"},
            {"key": "cores", "label": "Cores", "type": "number"},
            {"key": "gone", "label": "Gone", "type": "text", "active": false},
        ]}),
    )
}

/// The id of a product, whether it can be seen or not.
pub(crate) async fn id_of(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// Sets a price that no import would take.
pub(crate) async fn set_price(shop: &TestShop, slug: &str, price_amount: i64) {
    let set = shop.parts.db.write(async |tx| tx.run(SET_PRICE).bind(slug).bind(price_amount).execute().await);
    assert_eq!(set.await.expect("the price is set"), 1);
}

/// How many rows carts and their lines have.
pub(crate) async fn rows(shop: &TestShop) -> (i64, i64) {
    let db = &shop.parts.db;
    let carts = db.read(COUNT_CARTS).scalar().await.expect("they are counted");
    (carts, db.read(COUNT_LINES).scalar().await.expect("they are counted"))
}

/// The same client with this cart.
pub(crate) fn with_cart(client: &TestClient, token: &str) -> TestClient {
    client.with_header("x-cart-token", token)
}

/// A new visitor, who sends the cart's token back.
pub(crate) async fn guest(shop: &TestShop) -> TestClient {
    let client = shop.client();
    let token = token_of(client.get("/cart").await);
    with_cart(&client, &token)
}

/// The token of an answer, which names it twice.
#[track_caller]
pub(crate) fn token_of(answer: TestResponse) -> String {
    let answer = answer.expect_status(200);
    let token = answer.header("x-cart-token").expect("every answer of the cart names its token").to_owned();
    assert_eq!(answer.json()["data"]["token"], token);
    assert!(token.len() == 64 && token.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')), "{token}");
    token
}

/// Tries to add units of a product.
pub(crate) async fn try_add(shop: &TestShop, client: &TestClient, slug: &str, quantity: i64) -> TestResponse {
    client.post("/cart", &json!({"product_id": id_of(shop, slug).await, "quantity": quantity})).await
}

/// Adds units of a product and gives back the cart.
pub(crate) async fn add(shop: &TestShop, client: &TestClient, slug: &str, quantity: i64) -> Value {
    try_add(shop, client, slug, quantity).await.expect_status(200).json()["data"].clone()
}

/// Tries to add a server.
pub(crate) async fn try_select(shop: &TestShop, client: &TestClient, selections: &Value) -> TestResponse {
    client.post("/cart", &json!({"product_id": id_of(shop, "server").await, "selections": selections})).await
}

/// Adds a server and gives back the cart.
pub(crate) async fn select(shop: &TestShop, client: &TestClient, selections: &Value) -> Value {
    try_select(shop, client, selections).await.expect_status(200).json()["data"].clone()
}

/// What is in the cart.
pub(crate) async fn read(client: &TestClient) -> Value {
    client.get("/cart").await.expect_status(200).json()["data"].clone()
}

/// The lines of a cart.
pub(crate) fn lines(cart: &Value) -> &Vec<Value> {
    cart["lines"].as_array().expect("a list")
}

/// The quantities of a cart by slug.
pub(crate) fn quantities(cart: &Value) -> BTreeMap<String, i64> {
    let pairs = lines(cart)
        .iter()
        .map(|line| (line["slug"].as_str().unwrap_or_default().to_owned(), line["quantity"].as_i64()));
    pairs.map(|(slug, quantity)| (slug, quantity.expect("a number"))).collect()
}

/// The path of a cart's line.
pub(crate) fn path_of(line: &Value) -> String {
    format!("/cart/{}", line["line_key"].as_str().expect("a key"))
}

/// The fields that an answer refuses, sorted.
#[track_caller]
pub(crate) fn refused_fields(answer: TestResponse) -> Vec<String> {
    let body = answer.expect_error(422, "validation_error").json();
    body["errors"].as_object().map(|errors| errors.keys().cloned().collect()).unwrap_or_default()
}
