//! A shop that sends to this machine, and its deliveries.

use stoa_core::db::Backend;
use stoa_core::queue::Queue;
use stoa_core::testing::{TestShop, TestShopBuilder};
use stoa_core::webhooks::{
    Delivery, DeliveryFilter, DeliveryState, Endpoint, EndpointKind, NewEndpoint, OrderData, WEBHOOKS, WebhookEvent,
    add_endpoint, list_deliveries,
};

use crate::receiver::Receiver;

/// A shop that may send to this machine, and without encryption.
pub(crate) fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).config("[webhooks]\nallow_private_destinations = true\n")
}

/// An endpoint for these events, with its secret.
pub(crate) async fn hook_to(shop: &TestShop, url: &str, kind: EndpointKind, events: &[&str]) -> (Endpoint, String) {
    let events = events.iter().map(ToString::to_string).collect();
    let new = NewEndpoint { url: url.to_owned(), kind, events, secret: None };
    let (endpoint, secret) =
        add_endpoint(&shop.parts.db, &shop.parts.random, &shop.parts.cipher, &shop.parts.config, new)
            .await
            .expect("an endpoint is added");
    (endpoint, secret.expose().to_owned())
}

/// An endpoint for everything.
pub(crate) async fn hook(shop: &TestShop, receiver: &Receiver) -> (Endpoint, String) {
    hook_to(shop, &receiver.url(), EndpointKind::Http, &["*"]).await
}

/// An order that was paid.
pub(crate) fn paid(order_id: i64) -> WebhookEvent {
    WebhookEvent::OrderPaid(data(order_id))
}

pub(crate) fn data(order_id: i64) -> OrderData {
    OrderData {
        order_id,
        order_number: format!("O-{order_id:06}"),
        status: "paid",
        payment_status: Some("paid"),
        total: 1999,
        currency: String::from("EUR"),
    }
}

/// Sends what is due, and tells how many arrived.
pub(crate) async fn send(shop: &TestShop) -> usize {
    shop.uses::<Queue>().drain(WEBHOOKS).await.expect("the database answers")
}

/// All deliveries, the oldest first.
pub(crate) async fn deliveries(shop: &TestShop) -> Vec<Delivery> {
    let all = DeliveryFilter::default();
    let mut found = list_deliveries(&shop.parts.db, &all, i64::MAX).await.expect("the database answers");
    found.reverse();
    found
}

/// The only delivery.
pub(crate) async fn delivery(shop: &TestShop) -> Delivery {
    let mut found = deliveries(shop).await;
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

/// The states of all deliveries, the oldest first.
pub(crate) async fn states(shop: &TestShop) -> Vec<DeliveryState> {
    deliveries(shop).await.iter().map(|delivery| delivery.state).collect()
}
