//! What is sent (S6.2, S6.3, contract 5).

use std::collections::BTreeSet;

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::webhooks::{
    EVENT_TYPES, EndpointKind, OrderData, ShippedUnits, WebhookEvent, WithdrawnUnits, sign_standard,
};

use crate::receiver::Receiver;
use crate::shop::{builder, data, deliveries, hook, hook_to, paid, send};

/// One event of each type.
fn all() -> [WebhookEvent; 8] {
    let currency = || String::from("EUR");
    [
        WebhookEvent::OrderCreated(OrderData { payment_status: None, ..data(7) }),
        WebhookEvent::OrderPaid(data(7)),
        WebhookEvent::OrderCancelled(data(7)),
        WebhookEvent::OrderShipped {
            order_id: 7,
            order_number: String::from("O-000007"),
            shipment_id: 8,
            tracking: None,
            items: vec![ShippedUnits { item_id: 9, product_id: 1, quantity: 2 }],
        },
        WebhookEvent::PaymentRecorded {
            payment_id: 3,
            order_id: 7,
            status: "paid",
            amount: 1999,
            currency: currency(),
        },
        WebhookEvent::RefundRecorded {
            refund_id: 4,
            order_id: 7,
            amount: 500,
            currency: currency(),
            status: "succeeded",
        },
        WebhookEvent::CreditNoteIssued {
            credit_note_id: 5,
            invoice_id: 6,
            order_id: 7,
            amount: 500,
            currency: currency(),
        },
        WebhookEvent::WithdrawalDeclared {
            withdrawal_id: 2,
            withdrawal_number: String::from("W-000002"),
            order_id: 7,
            order_number: String::from("O-000007"),
            status: "declared",
            within_period: true,
            lines: vec![WithdrawnUnits { item_id: 9, quantity: 2 }],
        },
    ]
}

fn members(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

both_databases!(each_event_has_exactly_the_members_of_the_catalog);
async fn each_event_has_exactly_the_members_of_the_catalog(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    let (_, secret) = hook(&shop, &receiver).await;
    for event in all() {
        shop.queue_webhook(&event).await;
        assert_eq!(send(&shop).await, 1);
    }
    let order = "order_id order_number status payment_status total currency";
    let expected = [
        order,
        order,
        order,
        "order_id order_number shipment_id tracking items",
        "payment_id order_id status amount currency",
        "refund_id order_id amount currency status",
        "credit_note_id invoice_id order_id amount currency",
        "withdrawal_id withdrawal_number order_id order_number status within_period lines",
    ];
    for ((hit, name), wanted) in receiver.hits().iter().zip(EVENT_TYPES).zip(expected) {
        let body = hit.json();
        assert_eq!(hit.request, "POST /hook HTTP/1.1");
        assert_eq!(members(&body), BTreeSet::from(["id", "type", "created_at", "data"]));
        assert_eq!(members(&body["data"]), wanted.split(' ').collect::<BTreeSet<_>>());
        assert_eq!((hit.header("x-service-event"), body["type"].as_str()), (name, Some(name)));
        assert_eq!(hit.header("content-type"), "application/json");
        assert_eq!(body["created_at"], "2026-01-15T12:00:00.000000+00:00");
        let ids = [hit.delivery(), body["id"].as_str().expect("a text")];
        let ids = ids.map(|id| uuid::Uuid::parse_str(id).expect("a UUID"));
        assert_ne!(ids[0], ids[1]);
        assert!(hit.is_signed_with(&secret) && !hit.is_signed_with("whsec_other"));
        assert_eq!(hit.header("webhook-id"), hit.delivery());
        let time = hit.header("webhook-timestamp");
        assert_eq!(time, hit.header("x-service-timestamp"));
        assert_eq!(hit.header("webhook-signature"), sign_standard(&secret, hit.delivery(), time, &hit.body));
    }
    assert_eq!(receiver.hits()[0].json()["data"]["payment_status"], Value::Null);
    assert_eq!(receiver.hits()[4].json()["data"]["amount"], 1999);
}

both_databases!(ids_are_made_for_each_endpoint_and_each_has_its_secret);
async fn ids_are_made_for_each_endpoint_and_each_has_its_secret(backend: Backend) {
    let shop = builder(backend).open().await;
    let (one, other) = (Receiver::open().await, Receiver::open().await);
    let (first, second) = (hook(&shop, &one).await.1, hook(&shop, &other).await.1);
    shop.queue_webhook(&paid(1)).await;
    assert_eq!(send(&shop).await, 2);
    let (a, b) = (one.only(), other.only());
    let ids = [&a, &b].map(|hit| [hit.delivery().to_owned(), hit.json()["id"].as_str().expect("a text").to_owned()]);
    assert_eq!(ids.iter().flatten().collect::<BTreeSet<_>>().len(), 4);
    assert_eq!(a.json()["data"], b.json()["data"]);
    assert!(a.is_signed_with(&first) && b.is_signed_with(&second) && !a.is_signed_with(&second));
}

both_databases!(only_exact_names_and_the_star_subscribe);
async fn only_exact_names_and_the_star_subscribe(backend: Backend) {
    let shop = builder(backend).open().await;
    let receiver = Receiver::open().await;
    let mut endpoints = Vec::new();
    for events in [&["order.paid"][..], &["*"], &["order.created"], &["order.*"], &["Order.Paid"], &["order"]] {
        endpoints.push(hook_to(&shop, &receiver.url(), EndpointKind::Http, events).await.0.id);
    }
    shop.queue_webhook(&paid(1)).await;
    let queued = deliveries(&shop).await.iter().map(|delivery| delivery.endpoint_id).collect::<Vec<_>>();
    assert_eq!(queued, endpoints[..2]);
}

both_databases!(deliveries_to_an_endpoint_start_in_the_order_in_which_they_were_queued);
async fn deliveries_to_an_endpoint_start_in_the_order_in_which_they_were_queued(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook(&shop, &receiver).await;
    for id in 0..40 {
        shop.queue_webhook(&paid(id)).await;
    }
    let queued = deliveries(&shop).await;
    let orders = queued.iter().map(|delivery| serde_json::from_str::<Value>(&delivery.body).expect("JSON"));
    assert_eq!(
        orders.map(|body| body["data"]["order_id"].as_i64()).collect::<Vec<_>>(),
        (0..40).map(Some).collect::<Vec<_>>()
    );
    assert_eq!(send(&shop).await, 40);
    // At most eight are under way at once, so whatever arrives overtakes at most seven. How many overtake one is up to the receiver.
    for (place, hit) in (0_i64..).zip(receiver.hits()) {
        let order = hit.json()["data"]["order_id"].as_i64().expect("a number");
        assert!(order - place < 8, "order {order} came as number {place}");
    }
}

both_databases!(chats_receive_a_message_for_people_in_the_shops_language);
async fn chats_receive_a_message_for_people_in_the_shops_language(backend: Backend) {
    let receiver = Receiver::open().await;
    let shop = builder(backend).config("[shop]\nlocale = 'de'\n").open().await;
    let (_, secret) = hook_to(&shop, &receiver.url(), EndpointKind::Chat, &["*"]).await;
    for event in all() {
        shop.queue_webhook(&event).await;
        send(&shop).await;
    }
    let hits = receiver.hits();
    assert_eq!(hits.len(), 8);
    for hit in &hits {
        let body = hit.json();
        assert_eq!(members(&body), BTreeSet::from(["embeds"]));
        let embed = &body["embeds"][0];
        assert_eq!(members(embed), BTreeSet::from(["title", "description", "color", "fields", "timestamp"]));
        assert!(embed["title"].as_str().expect("a text").contains("O-000007"), "{embed}");
        assert!(embed["color"].as_u64().expect("a number") <= 0xFF_FF_FF);
        for field in embed["fields"].as_array().expect("a list") {
            assert_eq!(members(field), BTreeSet::from(["name", "value", "inline"]));
            assert!(["name", "value"].iter().all(|name| !field[*name].as_str().expect("a text").is_empty()), "{field}");
        }
        assert!(hit.is_signed_with(&secret));
    }
    let first = hits[1].json();
    assert_eq!(first["embeds"][0]["title"], "Bestellung O-000007 ist bezahlt");
    assert_eq!(first["embeds"][0]["description"], "Gesamtbetrag: 19,99\u{a0}€");
}

both_databases!(no_order_number_makes_a_chats_message_too_long);
async fn no_order_number_makes_a_chats_message_too_long(backend: Backend) {
    let (shop, receiver) = (builder(backend).open().await, Receiver::open().await);
    hook_to(&shop, &receiver.url(), EndpointKind::Chat, &["*"]).await;
    for number in ["🙂".repeat(3000), "@everyone ".repeat(500), String::from("\u{0}\"\\")] {
        shop.queue_webhook(&WebhookEvent::OrderPaid(OrderData { order_number: number, total: i64::MAX, ..data(1) }))
            .await;
        send(&shop).await;
    }
    for hit in receiver.hits() {
        let body = hit.json();
        let units = |value: &Value| value.as_str().expect("a text").encode_utf16().count();
        let embed = &body["embeds"][0];
        assert!(units(&embed["title"]) <= 256 && units(&embed["description"]) <= 4096);
        assert!(embed["fields"].as_array().expect("a list").iter().all(|field| units(&field["value"]) <= 1024));
    }
    assert_eq!(receiver.hits().len(), 3);
}
