//! A shop with a console, people who work there, and what was bought.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::payments::record_payment;
use stoa_core::prelude::*;
pub(crate) use stoa_core::testing::{
    STAFF_PASSWORD as PASSWORD, csrf_of, staff, staff_browser as browser, submit_from as submit,
    try_staff_login as try_to_log_in,
};
use stoa_core::testing::{TestBrowser, TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_kernel::audit::{AuditFilter, AuditRow, list_audit};

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

/// All modules of the stock program that have pages.
pub(crate) const MODULES: [&str; 6] =
    ["digital_secrets", "downloads", "event_tickets", "inventory", "services", "subscriptions"];

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let limits =
        "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n";
    let shipping = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 495\n";
    TestShop::builder(backend).config(limits).config(shipping).console(Arc::new(stoa_console::register))
}

/// A shop with a lamp and a chair.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    filled(builder(backend)).await
}

pub(crate) async fn filled(builder: TestShopBuilder) -> TestShop {
    let shop = builder.open().await;
    let product = |slug: &str, name: &str, price: i64| json!({"type": "product", "slug": slug, "name": name, "price_amount": price, "capabilities": ["shippable"]});
    shop.stock(&[product("lamp", "Lamp", 2000), product("chair", "Chair", 5000)]).await;
    shop
}

/// What the page says first that an answer leads to.
pub(crate) async fn told(browser: &mut TestBrowser, answer: TestResponse) -> String {
    let location = answer.expect_status(303).header("location").expect("another page").to_owned();
    let page = browser.get(&location).await.expect_status(200).text();
    let told = page.split_once("<p class=\"told").and_then(|(_, rest)| rest.split_once('>'));
    let (_, rest) = told.unwrap_or_else(|| panic!("nothing is told: {page}"));
    rest.split('<').next().expect("it ends").to_owned()
}

/// Places an order of lamps.
pub(crate) async fn order(shop: &TestShop, quantity: i64) -> Value {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    order_of(shop, &client, quantity, json!({})).await
}

/// Places an order with a discount code.
pub(crate) async fn order_with_code(shop: &TestShop, code: &str) {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    order_of(shop, &client, 1, json!({"discount_code": code})).await;
}

/// Places an order, pays it or not, and withdraws from it.
pub(crate) async fn withdrawn(shop: &TestShop, quantity: i64, is_paid: bool) -> Value {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    let order = order_of(shop, &client, quantity, json!({})).await;
    if is_paid {
        record_payment(&shop.uses(), order["id"].as_i64().expect("an id")).await.expect("it is recorded");
    }
    client.post("/withdrawals", &json!({"order_id": order["id"]})).await.expect_status(201);
    order
}

async fn order_of(shop: &TestShop, client: &TestClient, quantity: i64, more: Value) -> Value {
    let id = shop.parts.db.read(PRODUCT_ID).bind("lamp").scalar::<i64>().await.expect("it is there");
    client.post("/cart", &json!({"product_id": id, "quantity": quantity})).await.expect_status(200);
    let mut body = json!({"shipping_method_id": "standard", "payment_method": "manual",
        "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                    "postal_code": "1015 AA", "country": "NL"}});
    for (member, value) in more.as_object().into_iter().flatten() {
        body[member] = value.clone();
    }
    client.post("/checkout", &body).await.expect_status(201).json()["data"].clone()
}

/// Places an order of lamps and pays it.
pub(crate) async fn paid_order(shop: &TestShop, quantity: i64) -> Value {
    let order = order(shop, quantity).await;
    record_payment(&shop.uses(), order["id"].as_i64().expect("an id")).await.expect("it is recorded");
    order
}

pub(crate) fn number(order: &Value) -> String {
    order["number"].as_str().expect("a number").to_owned()
}

/// All rows of the audit log, the newest first.
pub(crate) async fn audit(shop: &TestShop) -> Vec<AuditRow> {
    list_audit(&shop.parts.db, &AuditFilter::default()).await.expect("the log can be read")
}
