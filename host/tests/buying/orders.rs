//! `GET /orders`: own orders, as they were sold (contract 2.3).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{address, buyer, id_of, pay_with, product, shop};

const MEMBERS: &[&str] = &[
    "id",
    "number",
    "status",
    "payment_status",
    "currency",
    "subtotal_amount",
    "discount_amount",
    "shipping_amount",
    "tax_amount",
    "total_amount",
    "total_formatted",
    "billing_address",
    "shipping_address",
    "note",
    "payment",
    "invoice",
    "credit_notes",
    "items",
    "created_at",
    "paid_at",
    "cancelled_at",
    "fulfillment_status",
    "shipments",
];

both_databases!(a_new_order_has_every_member);
async fn a_new_order_has_every_member(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let server = json!({"product_id": id_of(&shop, "server").await, "quantity": 2, "selections": {"os": "ubuntu"}});
    ada.client.post("/cart", &server).await.expect_status(200);
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"note": "Ring twice."})).await;
    for member in MEMBERS {
        assert!(order.as_object().is_some_and(|order| order.contains_key(*member)), "{member} is missing in {order}");
    }
    let id = order["id"].as_i64().expect("an id");
    for (member, value) in [
        ("number", json!(format!("O-{id:06}"))),
        ("status", json!("pending")),
        ("payment_status", json!("pending")),
        ("currency", json!("EUR")),
        ("subtotal_amount", json!(4500)),
        ("total_amount", json!(4500)),
        ("total_formatted", json!("€45.00")),
        ("note", json!("Ring twice.")),
        (
            "payment",
            json!({"status": "pending", "amount": 4500, "amount_formatted": "€45.00", "refunded_amount": 0,
                           "net_amount": 4500}),
        ),
        ("credit_notes", json!([])),
        ("fulfillment_status", json!("unfulfilled")),
        ("shipments", json!([])),
        ("created_at", json!("2026-01-15T12:00:00Z")),
        ("paid_at", Value::Null),
        ("cancelled_at", Value::Null),
    ] {
        assert_eq!(order[member], value, "{member}");
    }
    assert_eq!(order["billing_address"]["name"], "Ada Buyer");
    let item = &order["items"][0];
    for (member, value) in [
        ("label", json!("Server")),
        ("quantity", json!(2)),
        ("unit_amount", json!(1250)),
        ("line_total_amount", json!(2500)),
        ("options", json!([{"key": "os", "label": "System", "display": "Ubuntu"}])),
    ] {
        assert_eq!(item[member], value, "{member}");
    }
    assert!(item["id"].is_i64() && item["product_id"].is_i64());
    assert_eq!(ada.read(&order).await, order);
    assert_eq!(ada.client.get("/orders").await.json()["data"], json!([order]));
}

both_databases!(an_order_stays_as_it_was_sold);
async fn an_order_stays_as_it_was_sold(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1), ("lamp", 1)]).await;
    shop.stock(&[
        product("book", "Another book", 9900, &json!({"sku": "NEW", "tax_class": null, "capabilities": ["shippable"]})),
        product("lamp", "Gone", 1, &json!({"active": false, "capabilities": []})),
    ])
    .await;
    assert_eq!(ada.read(&order).await, order);
    ada.pay(&order, &pay_with("development")).await;
    assert_eq!(ada.read(&order).await["items"], order["items"]);
}

both_databases!(orders_are_listed_in_pages_the_newest_first);
async fn orders_are_listed_in_pages_the_newest_first(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    assert_eq!(ada.client.get("/orders").await.expect_status(200).json()["data"], json!([]));
    let mut ids = Vec::new();
    for _ in 0..21 {
        ids.push(ada.place(&shop, &[("book", 1)]).await["id"].clone());
    }
    ids.reverse();
    let page = async |query: &str| ada.client.get(&format!("/orders{query}")).await.expect_status(200).json();
    let listed = |page: &Value| {
        page["data"].as_array().expect("a list").iter().map(|order| order["id"].clone()).collect::<Vec<_>>()
    };
    let first = page("").await;
    assert_eq!(listed(&first), ids[..20]);
    let meta = &first["meta"];
    assert_eq!((&meta["total"], &meta["per_page"], &meta["last_page"]), (&json!(21), &json!(20), &json!(2)));
    assert!(first["links"]["next"].as_str().is_some_and(|url| url.ends_with("/orders?page=2")), "{first}");
    assert_eq!(listed(&page("?page=2").await), ids[20..]);
    assert_eq!(listed(&page("?page=3").await), [] as [Value; 0]);
    for query in ["?page=0", "?page=x", "?page=-1"] {
        assert_eq!(listed(&page(query).await), ids[..20], "{query}");
    }
}

both_databases!(somebody_elses_order_is_not_found);
async fn somebody_elses_order_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"shipping": address("DE")})).await;
    let path = format!("/orders/{}", order["id"]);
    eve.client.get(&path).await.expect_error(404, "not_found");
    eve.try_to_pay(&order, &pay_with("development")).await.expect_error(404, "not_found");
    assert_eq!(eve.client.get("/orders").await.json()["meta"]["total"], 0);
    for unknown in ["/orders/999999", "/orders/0", "/orders/O-000001", "/orders/99999999999999999999"] {
        ada.client.get(unknown).await.expect_error(404, "not_found");
    }
    shop.client().get(&path).await.expect_error(401, "unauthenticated");
    assert_eq!(ada.read(&order).await["payment_status"], "pending");
}
