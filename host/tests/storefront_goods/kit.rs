//! A shop that sells one thing of each module.

use serde_json::{Value, json};
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::orders::{OrderLinks, OrderNumber};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::{TestBrowser, TestShop, TestShopBuilder, both_databases};

const CONFIG: &str = "
[shop]
consumer_rights = 'eu'
[limits]
catalog = { requests = 0, per_seconds = 60 }
protected = { requests = 0, per_seconds = 60 }
checkout = { requests = 0, per_seconds = 60 }
[modules.storefront]
enabled = true
[modules.digital_secrets]
enabled = true
[modules.downloads]
enabled = true
[modules.event_tickets]
enabled = true
[modules.services]
enabled = true
[modules.subscriptions]
enabled = true
";

/// What each of the products is.
pub(crate) const SLUGS: [&str; 5] = ["songs", "license", "concert", "hosting", "tea"];

pub(crate) async fn shop(backend: Backend) -> TestShop {
    stocked(TestShop::builder(backend)).await
}

/// The same with more settings.
pub(crate) async fn stocked(builder: TestShopBuilder) -> TestShop {
    let shop = builder.all_modules().config(CONFIG).open().await;
    shop.stock(&[
        json!({"type": "product", "slug": "songs", "name": "Songs", "price_amount": 100, "capabilities": ["digital"]}),
        json!({"type": "product", "slug": "license", "name": "License", "price_amount": 100,
               "capabilities": ["digital_secret"], "modules": {"digital_secrets": {"pattern": "KEY-XXXX-9999-****"}}}),
        json!({"type": "product", "slug": "concert", "name": "Concert", "price_amount": 100,
               "capabilities": ["event_ticket"],
               "modules": {"event_tickets": {"event": "Concert", "starts_at": "2031-05-01T19:00:00Z", "capacity": 100}}}),
        json!({"type": "product", "slug": "hosting", "name": "Hosting", "price_amount": 100,
               "capabilities": ["provisionable"], "modules": {"services": {"provider": "manual"}}}),
        json!({"type": "product", "slug": "tea", "name": "Tea", "price_amount": 100, "capabilities": ["subscribable"],
               "modules": {"subscriptions": {"interval": "month"}}}),
    ])
    .await;
    std::fs::write(shop.folder().join("songs.zip"), "all the songs").expect("the folder can be written");
    shop.command(&["downloads", "attach", "songs", "songs.zip"]).await.expect_success();
    shop
}

/// A browser that asks for pages.
pub(crate) fn browser(shop: &TestShop) -> TestBrowser {
    shop.browser().with_header("accept", "text/html,application/xhtml+xml")
}

/// Buys these on the shop's pages and pays; gives the id of the order.
pub(crate) async fn buy(shop: &TestShop, browser: &mut TestBrowser, slugs: &[&str]) -> i64 {
    let order = place(browser, slugs).await;
    record_payment(&shop.uses::<Payments>(), order).await.expect("it is paid");
    shop.run_jobs().await;
    order
}

/// Orders these on the shop's pages; gives the id of the order.
pub(crate) async fn place(browser: &mut TestBrowser, slugs: &[&str]) -> i64 {
    for slug in slugs {
        browser.submit("/cart", &[("slug", *slug), ("quantity", "1")]).await.expect_status(303);
    }
    let page = browser.get("/checkout").await.expect_status(200).text();
    let total = (slugs.len() * 100).to_string();
    let waiver = page.split("name=\"consents\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let mut fields = vec![
        ("order", "1"),
        ("idempotency_key", value_of(&page, "idempotency_key")),
        ("expected_total_amount", &total),
        ("email", "ada@example.com"),
        ("billing.name", "Ada Buyer"),
        ("billing.line1", "Keizersgracht 1"),
        ("billing.city", "Amsterdam"),
        ("billing.postal_code", "1015 AA"),
        ("billing.country", "NL"),
        ("payment_method", "manual"),
    ];
    fields.extend(waiver.map(|waiver| ("consents", waiver)));
    let placed = browser.submit("/checkout", &fields).await;
    assert_eq!(placed.status.as_u16(), 303, "{}", placed.text());
    let location = placed.header("location").expect("it leads to the order");
    let number = location.strip_prefix("/order/").and_then(|number| number.parse::<OrderNumber>().ok());
    number.unwrap_or_else(|| panic!("no order: {location}")).id()
}

/// The address of an order's page with the key of its link.
pub(crate) fn link(shop: &TestShop, order: i64) -> String {
    let url = shop.uses::<OrderLinks>().url(order, shop.now()).expect("the storefront shows orders");
    url.strip_prefix(&*shop.parts.base_url).expect("it is the shop's own page").to_owned()
}

/// The value of a field of a form.
pub(crate) fn value_of<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    rest.split('"').next().unwrap_or_default()
}

/// The address that begins like this in a page.
pub(crate) fn address_in(page: &str, start: &str) -> String {
    let at = page.find(start).unwrap_or_else(|| panic!("no {start}: {page}"));
    page[at..].split('"').next().unwrap_or_default().replace("&amp;", "&").replace("&#x2f;", "/")
}

both_databases!(every_product_says_what_one_gets);
async fn every_product_says_what_one_gets(backend: Backend) {
    let shop = shop(backend).await;
    let mut visitor = browser(&shop);
    for (slug, says) in SLUGS.into_iter().zip([
        &["Files</dt>"][..],
        &["You get the key as soon as you have paid."],
        &["Event", "Places left</dt><dd>100</dd>"],
        &["Plan: "],
        &["every month"],
    ]) {
        let page = visitor.get(&format!("/p/{slug}")).await.expect_status(200).text();
        for text in [&["Add to cart"][..], says].concat() {
            assert!(page.contains(text), "{text}: {page}");
        }
    }
    let api = shop.client().get("/products/concert").await.expect_status(200).json();
    assert_ne!(api["data"]["details"]["event_tickets"], Value::Null);
}
