//! A shop with a storefront, and what visitors do.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, TestShop, TestShopBuilder};
use stoa_storefront::StorefrontModule;

pub(crate) const CONFIG: &str = "[limits]\nprotected = { requests = 0, per_seconds = 60 }\n\
     checkout = { requests = 0, per_seconds = 60 }\ncatalog = { requests = 0, per_seconds = 60 }";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<StorefrontModule>().config(CONFIG)
}

/// A shop with a lamp of two colours, and a book that is not sent.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&goods()).await;
    shop
}

pub(crate) fn goods() -> Vec<Value> {
    vec![
        json!({"type": "category", "slug": "light", "name": "Light"}),
        json!({"type": "category", "slug": "lamps", "name": "Lamps", "parent": "light"}),
        json!({"type": "product", "slug": "desk-lamp", "name": "Desk lamp <b>bright</b>", "price_amount": 4900,
               "active": true, "category": "lamps", "brand": "Lumina", "options": [
                   {"key": "color", "label": "Color", "type": "select", "required": true, "choices": [
                       {"value": "brass", "label": "Brass", "price_adjustment_amount": 250},
                       {"value": "steel", "label": "Steel"}]}]}),
        json!({"type": "product", "slug": "reading-book", "name": "Reading book", "price_amount": 1500,
               "active": true, "category": "light"}),
    ]
}

/// A browser that asks for pages.
pub(crate) fn browser(shop: &TestShop) -> TestBrowser {
    shop.browser().with_header("accept", "text/html,application/xhtml+xml")
}

/// Where an answer leads.
pub(crate) fn leads_to(answer: &TestResponse) -> &str {
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    answer.header("location").expect("a redirect has a location")
}

/// The value of a field of a form.
pub(crate) fn value_of(page: &str, name: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}

/// What a guest types at the checkout.
pub(crate) fn guest<'a>(key: &'a str, total: &'a str) -> Vec<(&'a str, &'a str)> {
    vec![
        ("order", "1"),
        ("idempotency_key", key),
        ("expected_total_amount", total),
        ("email", "ada@example.com"),
        ("billing.name", "Ada Buyer"),
        ("billing.line1", "Keizersgracht 1"),
        ("billing.city", "Amsterdam"),
        ("billing.postal_code", "1015 AA"),
        ("billing.country", "NL"),
        ("payment_method", "manual"),
    ]
}

/// A guest buys a book, and is on the page of the order.
pub(crate) async fn buy_a_book(browser: &mut TestBrowser) -> String {
    let added = browser.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    assert_eq!(leads_to(&added), "/cart");
    let page = browser.get("/checkout").await.expect_status(200).text();
    let key = value_of(&page, "idempotency_key");
    let placed = browser.submit("/checkout", &guest(&key, "1500")).await;
    leads_to(&placed).to_owned()
}
