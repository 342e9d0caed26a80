//! A shop with products that can be wrapped, and its customers.

use serde_json::{Value, json};
use stoa_core::catalog::write::{CatalogWriter, Mode};
use stoa_core::catalog::{Member, ProductRecord, Record};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder};
use stoa_gift_wrap::GiftWrap;

pub(crate) const READ: &str = "gift_wrap.read";
pub(crate) const CREATE: &str = "gift_wrap.create";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<GiftWrap>()
}

/// A product as a line of an import file describes it.
pub(crate) fn product(slug: &str, settings: Option<Value>) -> Record {
    let modules = settings.map(|settings| (String::from("gift_wrap"), settings)).into_iter().collect();
    Record::Product(Box::new(ProductRecord {
        slug: slug.to_owned(),
        name: Member::Value(slug.to_owned()),
        price_amount: Member::Value(1000),
        modules: Member::Value(modules),
        ..ProductRecord::default()
    }))
}

pub(crate) fn wrappable(slug: &str) -> Record {
    product(slug, Some(json!({"papers": ["stars", "stripes"], "surcharge_amount": 250})))
}

/// Writes products as an import does; gives back why they were refused.
pub(crate) async fn import(shop: &TestShop, products: &[Record]) -> Vec<String> {
    let mut writer = CatalogWriter::new(&shop.parts.db, &shop.registry, Mode::Write);
    let outcomes = writer.write(products).await.expect("the catalog is written");
    shop.refresh_catalog().await;
    let problems = outcomes.into_iter().filter_map(Result::err).flatten();
    problems.map(|problem| format!("{}: {}", problem.member, problem.reason)).collect()
}

/// A shop with two products that can be wrapped, 1 and 2, and one that cannot, 3.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    stocked(builder(backend)).await
}

/// The same, of a shop with settings of its own.
pub(crate) async fn stocked(builder: TestShopBuilder) -> TestShop {
    let shop = builder.open().await;
    assert_eq!(import(&shop, &[wrappable("teapot"), wrappable("scarf"), product("anvil", None)]).await, [""; 0]);
    shop
}

pub(crate) async fn customer(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &[READ, CREATE]).await
}

pub(crate) fn wish(product_id: i64) -> Value {
    json!({"product_id": product_id, "paper": "stars", "message": "Happy birthday!"})
}

/// The module on the database of `shop`, switched off: what an operator has after taking `enabled` back.
pub(crate) async fn switched_off(backend: Backend, shop: &TestShop) -> TestShop {
    let entry = ModuleEntry::of::<GiftWrap>("stoa-gift-wrap", "0.1.0");
    TestShop::builder(backend).linked_module(entry).on(shop.database()).clock(&shop.clock).seed(2).open().await
}

/// Where the bill goes.
pub(crate) fn checkout() -> Value {
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    json!({"billing": billing, "idempotency_key": "present"})
}

/// Orders product 1, and gives back the order.
pub(crate) async fn ordered(client: &TestClient) -> Value {
    client.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    client.post("/checkout", &checkout()).await.expect_status(201).json()
}
