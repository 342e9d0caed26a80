//! A shop that sells keys, and those who buy them.

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{Backend, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, OrderPaid, OrderStatus, cancel_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_digital_secrets::DigitalSecrets;

/// The ability that opens `/digital-secrets`.
pub(crate) const READ: &str = "digital_secrets.read";

/// What no value of a test may miss, so that it can be looked for.
pub(crate) const MARK: &str = "TOPSECRET";

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n";

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<DigitalSecrets>().config(LIMITS)
}

/// A shop with a font and a game whose keys come from pools, and a mug.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({})), keyed("game", &json!({})), plain("mug")]).await;
    shop
}

/// A line of an import for a product that is delivered as a secret.
pub(crate) fn keyed(slug: &str, settings: &Value) -> Value {
    json!({"type": "product", "slug": slug, "name": slug, "price_amount": 1000, "capabilities": ["digital_secret"],
           "modules": {"digital_secrets": settings}})
}

pub(crate) fn plain(slug: &str) -> Value {
    json!({"type": "product", "slug": slug, "name": slug, "price_amount": 1000})
}

/// Values of the tests, from `first` to `last`.
pub(crate) fn values(first: usize, last: usize) -> Vec<String> {
    (first..=last).map(|number| format!("{MARK}-{number:04}-{:04}", number * 7 % 10_000)).collect()
}

/// Adds values to the pool of a product, and gives what the command said.
pub(crate) async fn add(shop: &TestShop, slug: &str, values: &[String]) -> Value {
    let file = format!("{slug}.txt");
    std::fs::write(shop.folder().join(&file), values.join("\n")).expect("the folder can be written");
    let added = shop.command(&["digital-secrets", "add", slug, &file, "--json"]).await;
    assert_eq!(added.code, 0, "{added:?}");
    added.json()
}

/// What `stoa digital-secrets pools` says of a pool.
pub(crate) async fn pool(shop: &TestShop, name: &str) -> Value {
    let pools = shop.command(&["digital-secrets", "pools", "--json"]).await.json();
    let mut pools = pools["data"].as_array().expect("a list").iter();
    pools.find(|pool| pool["name"] == name).cloned().unwrap_or(Value::Null)
}

pub(crate) async fn available(shop: &TestShop, name: &str) -> i64 {
    pool(shop, name).await["available"].as_i64().unwrap_or(0)
}

/// What `stoa digital-secrets list` says of an order, the oldest unit first.
pub(crate) async fn units(shop: &TestShop, order_id: i64) -> Vec<Value> {
    let order = order_id.to_string();
    let list = shop.command(&["digital-secrets", "list", "--order", &order, "--json"]).await.json();
    list["data"].as_array().expect("a list").iter().rev().cloned().collect()
}

/// The states of an order's units, the oldest first.
pub(crate) async fn states(shop: &TestShop, order_id: i64) -> Vec<String> {
    units(shop, order_id).await.iter().map(|unit| unit["status"].as_str().expect("a text").to_owned()).collect()
}

/// A customer with a token for everything.
#[derive(Clone)]
pub(crate) struct Buyer {
    pub(crate) client: TestClient,
    pub(crate) customer: CustomerRecord,
}

pub(crate) async fn buyer(shop: &TestShop) -> Buyer {
    let customer = shop.customer().await;
    Buyer { client: shop.client().token(&customer, &["*"]).await, customer }
}

pub(crate) async fn product_id(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// The body of a checkout.
pub(crate) fn checkout() -> Value {
    json!({"payment_method": "manual",
           "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                       "country": "NL"}})
}

impl Buyer {
    pub(crate) async fn fill(&self, shop: &TestShop, lines: &[(&str, i64)]) {
        for (slug, quantity) in lines {
            let line = json!({"product_id": product_id(shop, slug).await, "quantity": quantity});
            self.client.post("/cart", &line).await.expect_status(200);
        }
    }

    /// Tries to place what is in the cart.
    pub(crate) async fn try_to_place(&self) -> TestResponse {
        self.client.post("/checkout", &checkout()).await
    }

    /// Places an order and gives its id.
    pub(crate) async fn place(&self, shop: &TestShop, lines: &[(&str, i64)]) -> i64 {
        self.fill(shop, lines).await;
        let order = self.try_to_place().await.expect_status(201).json();
        order["data"]["id"].as_i64().expect("an id")
    }

    /// Places an order that is refused, and gives why; the cart is empty afterwards.
    pub(crate) async fn refused(&self, shop: &TestShop, lines: &[(&str, i64)]) -> Value {
        self.fill(shop, lines).await;
        let refused = self.try_to_place().await.expect_error(422, "invalid_state").json();
        let cart = self.client.get("/cart").await.json();
        for line in cart["data"]["lines"].as_array().expect("a list") {
            let key = line["line_key"].as_str().expect("a key");
            self.client.delete(&format!("/cart/{key}")).await;
        }
        refused
    }

    /// Places an order that is paid, and has it delivered; gives its id.
    pub(crate) async fn buy(&self, shop: &TestShop, lines: &[(&str, i64)]) -> i64 {
        let order_id = self.place(shop, lines).await;
        pay(shop, order_id).await;
        order_id
    }

    /// What was delivered, the newest first.
    pub(crate) async fn secrets(&self) -> Vec<Value> {
        let list = self.client.get("/digital-secrets").await.expect_status(200).json();
        list["data"].as_array().expect("a list").clone()
    }

    /// The values that can be read, sorted.
    pub(crate) async fn values(&self) -> Vec<String> {
        let mut values = Vec::new();
        for secret in self.secrets().await {
            values.extend(secret["value"].as_str().map(str::to_owned));
        }
        values.sort();
        values
    }
}

/// Records the money for an order, and lets everybody hear of it.
pub(crate) async fn pay(shop: &TestShop, order_id: i64) {
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    shop.run_jobs().await;
}

pub(crate) async fn cancel(shop: &TestShop, order_id: i64) {
    cancel_order(&Payments::from_shop(&shop.parts), order_id, CancelReason::Operator).await.expect("it is cancelled");
}

/// Refunds units of the one item of an order, without anybody hearing of it yet.
pub(crate) async fn refund(shop: &TestShop, order_id: i64, quantity: i64) {
    let item_id = units(shop, order_id).await[0]["order_item_id"].as_i64().expect("an id");
    let scope = RefundScope::Lines { lines: vec![RefundLine::any(item_id, quantity)], shipping: false };
    let new = NewRefund { order_id, scope, reason: String::from("It was broken") };
    refund_order(&shop.uses(), &new).await.expect("it is refunded");
}

/// Tells everybody once more that an order was paid.
pub(crate) async fn repeat_paid(shop: &TestShop, order_id: i64, customer_id: i64) {
    let event = OrderPaid {
        order_id,
        order_number: format!("O-{order_id:06}"),
        customer_id,
        status: OrderStatus::Paid,
        total_amount: 1000,
        currency: String::from("EUR"),
        capabilities: None,
    };
    shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it is written");
}

/// Nothing that must hold is broken.
pub(crate) async fn assert_sound(shop: &TestShop) {
    assert_eq!(shop.breaches().await, [""; 0]);
}
