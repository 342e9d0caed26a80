//! A shop whose orders are invoiced, and its buyers.

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{Backend, Sql};
use stoa_core::orders::history_of;
use stoa_core::refunds::{
    NewRefund, RefundLine, RefundOrderError, RefundRecord, RefundRecorded, RefundScope, refund_order,
};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};

use crate::till::Till;

const DUE_REFUNDS: Sql =
    sql!("SELECT subject FROM tasks WHERE kind = 'refunds.resume' AND due_at <= $1 ORDER BY due_at, id");
const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

/// A shop that limits nothing and has a till.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    let limits =
        "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";
    TestShop::builder(backend).module::<Till>().config(limits)
}

/// Two rates of tax, and shipping that costs something.
pub(crate) const TAXES: &str = "[tax]\nrates = { NL = 2100 }\nclasses.reduced = { NL = 900 }\n\
                                [[shipping.methods]]\nid = 'standard'\nlabel = 'Courier'\namount = 495";

/// Such a shop with products on its shelf.
pub(crate) async fn shop(backend: Backend) -> TestShop {
    stocked(builder(backend).config(TAXES)).await
}

/// Opens a shop and fills its shelf.
pub(crate) async fn stocked(builder: TestShopBuilder) -> TestShop {
    let shop = builder.open().await;
    let product = |slug: &str, name: &str, price: i64| json!({"type": "product", "slug": slug, "name": name, "price_amount": price, "tax_class": "reduced"});
    let mut lamp = product("lamp", "Lamp", 2000);
    lamp["tax_class"] = Value::Null;
    lamp["capabilities"] = json!(["shippable"]);
    lamp["options"] = json!([{"key": "color", "label": "Farbe", "type": "select", "choices": [
        {"value": "green", "label": "Grün"}]}]);
    let broken = product("broken", "Broken", 100);
    shop.stock(&[product("book", "Book", 1500), lamp, product("sample", "Sample", 0), broken]).await;
    shop
}

/// The id of a product.
pub(crate) async fn product_id(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

/// The refunds without an outcome whose provider is to be asked now.
pub(crate) async fn due_refunds(shop: &TestShop) -> Vec<i64> {
    shop.parts.db.read(DUE_REFUNDS).bind(shop.now()).scalars().await.expect("they are read")
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

impl Buyer {
    /// Tries to place units of products.
    pub(crate) async fn try_to_place(&self, shop: &TestShop, lines: &[(&str, i64)], more: &Value) -> TestResponse {
        let mut found = Vec::with_capacity(lines.len());
        for (slug, quantity) in lines {
            found.push((product_id(shop, slug).await, *quantity));
        }
        self.try_to_place_ids(&found, more).await
    }

    /// Tries to place units of products that are given by their ids.
    pub(crate) async fn try_to_place_ids(&self, lines: &[(i64, i64)], more: &Value) -> TestResponse {
        for (product_id, quantity) in lines {
            let line = json!({"product_id": product_id, "quantity": quantity});
            self.client.post("/cart", &line).await.expect_status(200);
        }
        let mut body = json!({"shipping_method_id": "standard", "payment_method": "till",
            "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                        "postal_code": "1015 AA", "country": "NL"}});
        for (member, value) in more.as_object().into_iter().flatten() {
            body[member] = value.clone();
        }
        self.client.post("/checkout", &body).await
    }

    /// Places units of products.
    pub(crate) async fn place(&self, shop: &TestShop, lines: &[(&str, i64)]) -> Value {
        self.try_to_place(shop, lines, &Value::Null).await.expect_status(201).json()["data"].clone()
    }

    /// Places units of products and pays.
    pub(crate) async fn buy(&self, shop: &TestShop, lines: &[(&str, i64)]) -> Value {
        let order = self.place(shop, lines).await;
        self.pay(&order).await;
        self.read("orders", &order).await
    }

    /// Pays an order.
    pub(crate) async fn pay(&self, order: &Value) {
        let body = json!({"gateway": "till", "return_url": "https://shop.example/a",
                          "cancel_url": "https://shop.example/b"});
        self.client.post(&format!("/orders/{}/pay", order["id"]), &body).await.expect_status(200);
    }

    /// What is at `/{what}/{id}` now.
    pub(crate) async fn read(&self, what: &str, thing: &Value) -> Value {
        self.client.get(&format!("/{what}/{}", thing["id"])).await.expect_status(200).json()["data"].clone()
    }

    /// The first page of `/{what}`.
    pub(crate) async fn list(&self, what: &str) -> Vec<Value> {
        let page = self.client.get(&format!("/{what}")).await.expect_status(200).json();
        page["data"].as_array().expect("a list").clone()
    }
}

/// The id of something.
pub(crate) fn id(thing: &Value) -> i64 {
    thing["id"].as_i64().expect("an id")
}

/// The id of the order's item of this product.
pub(crate) fn item(order: &Value, slug: &str) -> i64 {
    let items = order["items"].as_array().expect("a list");
    id(items.iter().find(|item| item["slug"] == slug).expect("it was ordered"))
}

/// Units of products to be refunded.
pub(crate) fn lines(order: &Value, units: &[(&str, i64)]) -> RefundScope {
    let line = |(slug, quantity): &(&str, i64)| RefundLine::any(item(order, slug), *quantity);
    RefundScope::Lines { lines: units.iter().map(line).collect(), shipping: false }
}

/// Tries to refund something of an order.
pub(crate) async fn try_to_refund(
    shop: &TestShop,
    order: &Value,
    scope: RefundScope,
    reason: &str,
) -> Result<RefundRecord, RefundOrderError> {
    refund_order(&shop.uses(), &NewRefund { order_id: id(order), scope, reason: reason.to_owned() }).await
}

/// Refunds something of an order.
pub(crate) async fn refund(shop: &TestShop, order: &Value, scope: RefundScope) -> RefundRecord {
    try_to_refund(shop, order, scope, "Broken").await.expect("it goes back")
}

/// What listeners have heard of an order's refunds.
pub(crate) async fn heard(shop: &TestShop, order: &Value) -> Vec<RefundRecorded> {
    shop.run_jobs().await;
    let history = history_of(&shop.parts.db, id(order)).await.expect("it is read");
    let heard = history.into_iter().filter(|entry| entry.action == "heard");
    heard.map(|entry| serde_json::from_str(&entry.detail.expect("an event")).expect("an event")).collect()
}
