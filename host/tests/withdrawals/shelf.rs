//! A shop in the European Union, and its buyers.

use serde_json::{Value, json};
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::orders::{OrderNumber, ShipmentLine, ship_order};
use stoa_core::payments::record_payment;
use stoa_core::prelude::*;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");
const COUNT: Sql = sql!("SELECT COUNT(*) FROM withdrawals");

pub(crate) const EU: &str = "[shop]\nconsumer_rights = \"eu\"\n";

/// A shop that limits nothing, with the modules that deliver.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    with_modules(TestShop::builder(backend))
}

pub(crate) fn with_modules(builder: TestShopBuilder) -> TestShopBuilder {
    let limits =
        "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }\n";
    let shipping = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 495\n";
    let builder = builder.all_modules().enabled(&["downloads", "event_tickets", "digital_secrets"]);
    builder.config(limits).config(shipping).config("[modules.digital_secrets]\nbackorder = true\n")
}

pub(crate) async fn filled(builder: TestShopBuilder) -> TestShop {
    let shop = builder.open().await;
    let product = |slug: &str, name: &str, price: i64, capabilities: Value| json!({"type": "product", "slug": slug, "name": name, "price_amount": price, "capabilities": capabilities});
    let mut key = product("key", "Key", 1000, json!(["digital_secret"]));
    key["modules"] = json!({"digital_secrets": {"pattern": "XXXX-9999-****-****"}});
    shop.stock(&[
        product("lamp", "Lamp", 2000, json!(["shippable"])),
        product("chair", "Chair", 5000, json!(["shippable"])),
        product("advice", "Advice", 3000, json!([])),
        product("song", "Song", 900, json!(["digital"])),
        key,
    ])
    .await;
    shop
}

/// A shop of the European Union.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    filled(builder(backend).config(EU)).await
}

#[derive(Clone)]
pub(crate) struct Buyer {
    pub(crate) email: String,
    pub(crate) client: TestClient,
}

pub(crate) async fn buyer(shop: &TestShop) -> Buyer {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    Buyer { email: customer.email, client }
}

impl Buyer {
    pub(crate) async fn fill(&self, shop: &TestShop, lines: &[(&str, i64)]) {
        for (slug, quantity) in lines {
            let id = shop.parts.db.read(PRODUCT_ID).bind(*slug).scalar::<i64>().await.expect("it is there");
            self.client.post("/cart", &json!({"product_id": id, "quantity": quantity})).await.expect_status(200);
        }
    }

    pub(crate) async fn check_out(&self, consents: &[&str]) -> TestResponse {
        let body = json!({"shipping_method_id": "standard", "payment_method": "manual", "consents": consents,
            "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                        "postal_code": "1015 AA", "country": "NL"}});
        self.client.post("/checkout", &body).await
    }

    /// Places an order.
    pub(crate) async fn order_with(&self, shop: &TestShop, lines: &[(&str, i64)], consents: &[&str]) -> Value {
        self.fill(shop, lines).await;
        self.check_out(consents).await.expect_status(201).json()["data"].clone()
    }

    /// Places an order and pays it; what follows from that is done.
    pub(crate) async fn buy_with(&self, shop: &TestShop, lines: &[(&str, i64)], consents: &[&str]) -> Value {
        let order = self.order_with(shop, lines, consents).await;
        pay(shop, &order).await;
        self.read(&order).await
    }

    pub(crate) async fn buy(&self, shop: &TestShop, lines: &[(&str, i64)]) -> Value {
        self.buy_with(shop, lines, &[]).await
    }

    pub(crate) async fn read(&self, order: &Value) -> Value {
        self.client.get(&format!("/orders/{}", order["id"])).await.expect_status(200).json()["data"].clone()
    }

    pub(crate) async fn try_to_withdraw(&self, body: &Value) -> TestResponse {
        self.client.post("/withdrawals", body).await
    }

    pub(crate) async fn withdraw(&self, body: &Value) -> Value {
        self.try_to_withdraw(body).await.expect_status(201).json()["data"].clone()
    }
}

pub(crate) async fn pay(shop: &TestShop, order: &Value) {
    record_payment(&shop.uses(), id(order)).await.expect("it is recorded");
    shop.run_jobs().await;
}

pub(crate) async fn ship(shop: &TestShop, order: &Value, lines: &[(i64, i64)]) {
    let lines = lines.iter().map(|&(item_id, quantity)| ShipmentLine { item_id, quantity }).collect::<Vec<_>>();
    ship_order(&shop.parts.db, OrderNumber::of(id(order)), &lines, None).await.expect("it is sent");
}

pub(crate) fn id(thing: &Value) -> i64 {
    thing["id"].as_i64().expect("an id")
}

/// The id of an order's item.
pub(crate) fn item(order: &Value, index: usize) -> i64 {
    id(&order["items"][index])
}

pub(crate) async fn count(shop: &TestShop) -> i64 {
    shop.parts.db.read(COUNT).scalar().await.expect("they are counted")
}

/// The fields that an answer refuses, sorted.
#[track_caller]
pub(crate) fn refused_fields(answer: TestResponse) -> Vec<String> {
    let body = answer.expect_error(422, "validation_error").json();
    body["errors"].as_object().map(|errors| errors.keys().cloned().collect()).unwrap_or_default()
}
