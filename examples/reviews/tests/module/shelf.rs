//! A shop with a lamp and a chair, and who buys them.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::payments::record_payment;
use stoa_core::testing::{TestBrowser, TestClient, TestShop, TestShopBuilder, staff_browser, submit_from};
use stoa_reviews::Reviews;
use stoa_storefront::StorefrontModule;

const LIST: &str = "/console/m/reviews/list";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let shop = TestShop::builder(backend).module::<Reviews>().module::<StorefrontModule>();
    shop.console(Arc::new(stoa_console::register)).config("[limits]\nprotected = { requests = 0, per_seconds = 60 }")
}

pub(crate) async fn open(builder: TestShopBuilder) -> TestShop {
    let shop = builder.open().await;
    let product = |slug: &str| json!({"type": "product", "slug": slug, "name": slug, "price_amount": 2000});
    shop.stock(&[product("lamp"), product("chair")]).await;
    shop
}

/// Somebody who has bought and paid the lamp.
pub(crate) async fn buyer(shop: &TestShop) -> (CustomerRecord, TestClient) {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    let order = client.post("/checkout", &json!({"billing": billing})).await.expect_status(201).json();
    record_payment(&shop.uses(), order["data"]["id"].as_i64().expect("an id")).await.expect("it is recorded");
    (customer, client)
}

pub(crate) fn review(stars: i64, text: &str) -> Value {
    json!({"stars": stars, "text": text, "name": "Ada"})
}

/// What everybody reads of the lamp: the reviews, and the stars in the product.
pub(crate) async fn read(shop: &TestShop) -> (Vec<Value>, Value) {
    shop.refresh_catalog().await;
    let listed = shop.client().get("/reviews/lamp").await.expect_status(200).json();
    let product = shop.client().get("/products/lamp").await.expect_status(200).json();
    (listed["data"].as_array().expect("a list").clone(), product["data"]["details"]["reviews"].clone())
}

/// The console's list, as somebody sees it who may do everything.
pub(crate) async fn moderator(shop: &TestShop) -> (TestBrowser, String) {
    let mut browser = staff_browser(shop, "owner").await;
    let page = browser.get(LIST).await.expect_status(200).text();
    (browser, page)
}

/// Publishes or refuses a review in the console; gives back the page that follows.
pub(crate) async fn judge(browser: &mut TestBrowser, review: &str, version: &str, status: &str) -> String {
    let fields = [("review", review), ("version", version), ("status", status)];
    let answer = submit_from(browser, LIST, &format!("{LIST}/judge"), &fields).await;
    if answer.status.as_u16() != 303 {
        return answer.text();
    }
    browser.get(LIST).await.expect_status(200).text()
}
