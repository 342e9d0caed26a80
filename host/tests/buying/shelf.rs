//! A shop with something to buy, and its buyers.

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::discounts::{DiscountCode, NewDiscount};
use stoa_core::orders::{HistoryEntry, OrderRecord, find_order, history_of};
use stoa_core::prelude::*;
use stoa_core::pricing::DiscountRule;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};

use crate::inspector::Inspector;
use crate::scripted::ScriptedPayments;

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");
const SET_PRICE: Sql = sql!("UPDATE products SET price_amount = $2 WHERE slug = $1");

/// Everything that placing an order writes.
const ROWS: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM orders), (SELECT COUNT(*) FROM order_lines), (SELECT COUNT(*) FROM payments),
            (SELECT COUNT(*) FROM order_history), (SELECT COUNT(*) FROM idempotency_keys),
            (SELECT COUNT(*) FROM discount_redemptions), (SELECT COUNT(*) FROM tasks WHERE lane = 'events'),
            (SELECT COUNT(*) FROM installation WHERE name LIKE 'inspected-%')"
);

/// How many rows there are of all that placing an order writes.
pub(crate) type Rows = (i64, i64, i64, i64, i64, i64, i64, i64);

/// A shop that limits nothing, and settles payments at once where that is asked for.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let limits =
        "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";
    let builder = TestShop::builder(backend).module::<Inspector>().module::<ScriptedPayments>();
    builder.config(limits).config("[payments.development]\nenabled = true")
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
        product("book", "Book", 1500, &json!({"tax_class": "reduced", "sku": "BOOK-1"})),
        product("lamp", "Lamp", 2000, &json!({"capabilities": ["shippable"]})),
        product("sample", "Sample", 0, &json!({})),
        product("forbidden", "Forbidden", 100, &json!({})),
        product("reserved", "Reserved", 100, &json!({})),
        product("broken", "Broken", 100, &json!({})),
        product("present", "Present", 100, &json!({})),
        product(
            "server",
            "Server",
            1000,
            &json!({"options": [{"key": "os", "label": "System", "type": "select", "required": true, "choices": [
                {"value": "debian", "label": "Debian", "price_adjustment_amount": 0},
                {"value": "ubuntu", "label": "Ubuntu", "price_adjustment_amount": 250, "sku": "OS-UBUNTU"},
            ]}]}),
        ),
    ])
    .await;
}

/// A line of an import.
pub(crate) fn product(slug: &str, name: &str, price_amount: i64, members: &Value) -> Value {
    let mut line = json!({"type": "product", "slug": slug, "name": name, "price_amount": price_amount});
    for (member, value) in members.as_object().expect("an object") {
        line[member] = value.clone();
    }
    line
}

/// The id of a product.
pub(crate) async fn id_of(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// Sets a price that no import would take.
pub(crate) async fn set_price(shop: &TestShop, slug: &str, price_amount: i64) {
    let set = shop.parts.db.write(async |tx| tx.run(SET_PRICE).bind(slug).bind(price_amount).execute().await);
    assert_eq!(set.await.expect("the price is set"), 1);
}

/// How many rows there are of all that placing writes.
pub(crate) async fn rows(shop: &TestShop) -> Rows {
    shop.parts.db.read(ROWS).one().await.expect("they are counted")
}

/// Somebody who buys.
#[derive(Clone)]
pub(crate) struct Buyer {
    pub(crate) customer: CustomerRecord,
    pub(crate) client: TestClient,
}

/// A new customer with a token for everything.
pub(crate) async fn buyer(shop: &TestShop) -> Buyer {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    Buyer { customer, client }
}

/// An address in a country.
pub(crate) fn address(country: &str) -> Value {
    json!({"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
           "country": country})
}

/// The body of a checkout that a shop without special settings takes, with more or other members.
pub(crate) fn body(members: &Value) -> Value {
    let mut body = json!({"billing": address("NL"), "shipping_method_id": "standard"});
    for (member, value) in members.as_object().expect("an object") {
        body[member] = value.clone();
    }
    body
}

/// The body of a payment through a gateway.
pub(crate) fn pay_with(gateway: &str) -> Value {
    json!({"gateway": gateway, "return_url": "https://shop.example/thanks", "cancel_url": "https://shop.example/cart"})
}

impl Buyer {
    /// Puts units of products into the own cart.
    pub(crate) async fn fill(&self, shop: &TestShop, lines: &[(&str, i64)]) {
        for (slug, quantity) in lines {
            let line = json!({"product_id": id_of(shop, slug).await, "quantity": quantity});
            self.client.post("/cart", &line).await.expect_status(200);
        }
    }

    /// Tries to place what is in the cart.
    pub(crate) async fn check_out(&self, members: &Value) -> TestResponse {
        self.client.post("/checkout", &body(members)).await
    }

    /// Fills the cart and places it. The answer shows the order as it is read afterwards.
    pub(crate) async fn place_with(&self, shop: &TestShop, lines: &[(&str, i64)], members: &Value) -> Value {
        self.fill(shop, lines).await;
        let placed = self.check_out(members).await.expect_status(201).json()["data"].clone();
        assert_eq!(placed, self.read(&placed).await);
        placed
    }

    /// Fills the cart and places it.
    pub(crate) async fn place(&self, shop: &TestShop, lines: &[(&str, i64)]) -> Value {
        self.place_with(shop, lines, &json!({})).await
    }

    /// Tries to pay.
    pub(crate) async fn try_to_pay(&self, order: &Value, body: &Value) -> TestResponse {
        self.client.post(&format!("/orders/{}/pay", order["id"]), body).await
    }

    /// Begins an attempt to pay.
    pub(crate) async fn pay(&self, order: &Value, body: &Value) -> Value {
        self.try_to_pay(order, body).await.expect_status(200).json()["data"].clone()
    }

    /// The order as it is now.
    pub(crate) async fn read(&self, order: &Value) -> Value {
        self.client.get(&format!("/orders/{}", order["id"])).await.expect_status(200).json()["data"].clone()
    }

    /// How many lines the own cart has.
    pub(crate) async fn lines(&self) -> usize {
        let cart = self.client.get("/cart").await.expect_status(200).json();
        cart["data"]["lines"].as_array().expect("a list").len()
    }
}

/// The id of an order.
pub(crate) fn id(order: &Value) -> i64 {
    order["id"].as_i64().expect("an id")
}

/// The order as the operator sees it.
pub(crate) async fn record(shop: &TestShop, order: &Value) -> OrderRecord {
    let found = find_order(&shop.parts.db, &shop.parts.money, id(order)).await;
    found.expect("it is read").expect("it is there")
}

/// What happened to an order: actions with who did them.
pub(crate) async fn history(shop: &TestShop, order: &Value) -> Vec<String> {
    let entries = history_of(&shop.parts.db, id(order)).await.expect("it is read");
    entries.into_iter().map(|HistoryEntry { action, actor, .. }| format!("{action} by {actor}")).collect()
}

/// The fields that an answer refuses, sorted.
#[track_caller]
pub(crate) fn refused_fields(answer: TestResponse) -> Vec<String> {
    let body = answer.expect_error(422, "validation_error").json();
    body["errors"].as_object().map(|errors| errors.keys().cloned().collect()).unwrap_or_default()
}

/// A code that takes this off, for everybody, however often and whenever.
pub(crate) fn unlimited(code: &str, rule: DiscountRule) -> NewDiscount {
    NewDiscount {
        code: DiscountCode::parse(code).expect("a code"),
        rule,
        minimum_amount: None,
        max_uses: None,
        max_uses_per_customer: None,
        valid_from: None,
        valid_until: None,
        customer_id: None,
    }
}
