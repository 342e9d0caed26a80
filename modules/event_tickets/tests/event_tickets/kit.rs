//! A shop that sells tickets, buyers, and what they do.

use serde_json::{Map, Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::prelude::*;
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_event_tickets::EventTickets;

const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";

pub(crate) const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<EventTickets>().config(LIMITS)
}

/// A shop with one product, `standing`, that sells so many tickets.
pub(crate) async fn shop_with(backend: Backend, capacity: i64) -> TestShop {
    let shop = builder(backend).open().await;
    shop.stock(&[product("standing", &json!({"capacity": capacity}))]).await;
    shop
}

/// The line of a product that sells tickets for a symposium, with other or more settings.
pub(crate) fn product(slug: &str, settings: &Value) -> Value {
    let usual = json!({"event": "Symposium", "venue": "Agora", "starts_at": "2031-05-01T19:00:00+02:00",
                       "capacity": 100, "ticket_type": "Standing"});
    json!({"type": "product", "slug": slug, "name": slug, "price_amount": 1000, "active": true,
           "capabilities": ["event_ticket"], "modules": {"event_tickets": with(usual, settings)}})
}

/// A product whose buyers choose a seat and name a holder.
pub(crate) fn seated(slug: &str, settings: &Value) -> Value {
    let seats = ["A1", "A2", "A3", "B1"].map(|seat| json!({"value": seat, "label": format!("Seat {seat}")}));
    with(
        product(slug, settings),
        &json!({"options": [
            {"key": "seat", "label": "Seat", "type": "select", "required": true, "choices": seats},
            {"key": "holder", "label": "Name", "type": "text"},
        ]}),
    )
}

/// An object with other or more members.
pub(crate) fn with(mut object: Value, members: &Value) -> Value {
    for (name, value) in members.as_object().expect("an object") {
        object[name] = value.clone();
    }
    object
}

pub(crate) async fn id_of(shop: &TestShop, slug: &str) -> i64 {
    shop.parts.db.read(PRODUCT_ID).bind(slug).scalar().await.expect("the product is there")
}

pub(crate) struct Buyer {
    pub(crate) customer: CustomerRecord,
    pub(crate) client: TestClient,
}

pub(crate) async fn buyer(shop: &TestShop) -> Buyer {
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    Buyer { customer, client }
}

impl Buyer {
    pub(crate) async fn fill(&self, shop: &TestShop, slug: &str, quantity: i64, selections: &Value) {
        let line = json!({"product_id": id_of(shop, slug).await, "quantity": quantity, "selections": selections});
        self.client.post("/cart", &line).await.expect_status(200);
    }

    pub(crate) async fn check_out(&self) -> TestResponse {
        let billing = json!({"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                             "postal_code": "1015 AA", "country": "NL"});
        self.client.post("/checkout", &json!({"billing": billing})).await
    }

    /// The reason why what is in the cart cannot be bought.
    pub(crate) async fn refusal(&self) -> String {
        self.refusal_in_words().await.0
    }

    /// The reason with what the customer is told.
    pub(crate) async fn refusal_in_words(&self) -> (String, String) {
        let refused = self.check_out().await.expect_error(422, "invalid_state").json();
        let [reason, words] = [&refused["reason"], &refused["errors"]["cart"][0]];
        let text = |member: &Value| member.as_str().unwrap_or_else(|| panic!("{refused}")).to_owned();
        (text(reason), text(words))
    }

    pub(crate) async fn place(&self, shop: &TestShop, slug: &str, quantity: i64) -> Value {
        self.place_with(shop, slug, quantity, &json!({})).await
    }

    pub(crate) async fn place_with(&self, shop: &TestShop, slug: &str, quantity: i64, selections: &Value) -> Value {
        self.fill(shop, slug, quantity, selections).await;
        self.check_out().await.expect_status(201).json()["data"].clone()
    }

    /// Places an order, pays it and has it granted.
    pub(crate) async fn buy(&self, shop: &TestShop, slug: &str, quantity: i64) -> Value {
        self.buy_with(shop, slug, quantity, &json!({})).await
    }

    pub(crate) async fn buy_with(&self, shop: &TestShop, slug: &str, quantity: i64, selections: &Value) -> Value {
        let order = self.place_with(shop, slug, quantity, selections).await;
        pay(shop, &order).await;
        shop.run_jobs().await;
        order
    }

    /// The own tickets, the newest first.
    pub(crate) async fn tickets(&self) -> Vec<Value> {
        let list = self.client.get("/event-tickets").await.expect_status(200).json();
        list["data"].as_array().expect("a list").clone()
    }

    /// The statuses of the own tickets, the oldest first.
    pub(crate) async fn statuses(&self) -> Vec<String> {
        let tickets = self.tickets().await;
        tickets.iter().rev().map(|ticket| text(&ticket["status"])).collect()
    }
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is a text")).to_owned()
}

pub(crate) fn order_id(order: &Value) -> i64 {
    order["id"].as_i64().expect("an id")
}

/// The id of an order's first item.
pub(crate) fn item_id(order: &Value) -> i64 {
    order["items"][0]["id"].as_i64().expect("an id")
}

pub(crate) async fn pay(shop: &TestShop, order: &Value) {
    record_payment(&Payments::from_shop(&shop.parts), order_id(order)).await.expect("it is paid");
}

pub(crate) async fn cancel(shop: &TestShop, order: &Value) {
    cancel_order(&Payments::from_shop(&shop.parts), order_id(order), CancelReason::Operator)
        .await
        .expect("it is cancelled");
}

/// Refunds units of the order's first item.
pub(crate) async fn refund(shop: &TestShop, order: &Value, quantity: i64) {
    let lines = vec![RefundLine::any(item_id(order), quantity)];
    let scope = RefundScope::Lines { lines, shipping: false };
    let new = NewRefund { order_id: order_id(order), scope, reason: String::from("a cold") };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
}

/// A ticket type as the operator sees it.
pub(crate) async fn ticket_type(shop: &TestShop, slug: &str) -> Map<String, Value> {
    let types = shop.command(&["event-tickets", "type", "list", "--json"]).await.json();
    let types = types["data"].as_array().expect("a list").clone();
    let of = |kind: &&Value| kind["product"] == slug && kind["offered"] == true;
    types.iter().find(of).and_then(Value::as_object).cloned().unwrap_or_else(|| panic!("{slug} is in {types:?}"))
}

/// How many of a product's tickets are reserved or issued.
pub(crate) async fn taken(shop: &TestShop, slug: &str) -> i64 {
    ticket_type(shop, slug).await["taken"].as_i64().expect("a number")
}

/// Nothing that must hold is broken.
#[track_caller]
pub(crate) fn assert_sound(breaches: &[String]) {
    assert!(breaches.is_empty(), "{breaches:#?}");
}
