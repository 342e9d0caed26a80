//! `POST /guest-orders/{number}/withdrawals`: by the key of an order's link.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::orders::OrderLinks;
use stoa_core::testing::{TestResponse, TestShop, both_databases};
use stoa_core::withdrawals::{WithdrawalFilter, list_withdrawals};

use crate::shelf::{buyer, count, id, item, refused_fields, shop};

async fn withdraw(shop: &TestShop, order: &Value, key: &str, body: &Value) -> TestResponse {
    let path = format!("/guest-orders/{}/withdrawals", order["number"].as_str().expect("a number"));
    shop.client().with_header("x-order-key", key).post(&path, body).await
}

fn key(shop: &TestShop, order: &Value) -> String {
    shop.uses::<OrderLinks>().key(id(order), shop.now())
}

both_databases!(whoever_has_the_link_withdraws_without_a_login);
async fn whoever_has_the_link_withdraws_without_a_login(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let key = key(&shop, &order);
    let path = format!("/guest-orders/{}", order["number"].as_str().expect("a number"));
    let read = shop.client().with_header("x-order-key", &key).get(&path).await.expect_status(200).json();
    assert_eq!(read["data"]["withdrawal"], order["withdrawal"]);
    let body = json!({"lines": [{"item_id": item(&order, 0), "quantity": 1}], "idempotency_key": "once"});
    let made = withdraw(&shop, &order, &key, &body).await.expect_status(201).json();
    assert_eq!(withdraw(&shop, &order, &key, &body).await.expect_status(200).json(), made);
    assert_eq!(ada.client.get("/withdrawals").await.expect_status(200).json()["data"][0], made["data"]);
    let rest = withdraw(&shop, &order, &key, &json!({})).await.expect_status(201).json();
    assert_eq!(rest["data"]["lines"][0]["quantity"], 1);
    assert_eq!(refused_fields(withdraw(&shop, &order, &key, &json!({})).await), ["lines"]);
    assert_eq!(count(&shop).await, 2);
}

both_databases!(a_key_that_does_not_open_the_order_withdraws_nothing);
async fn a_key_that_does_not_open_the_order_withdraws_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let (order, other) = (ada.buy(&shop, &[("lamp", 1)]).await, ada.buy(&shop, &[("lamp", 1)]).await);
    let own = key(&shop, &order);
    let mut flipped = own.clone().into_bytes();
    flipped[20] = if flipped[20] == b'A' { b'B' } else { b'A' };
    let flipped = String::from_utf8(flipped).expect("letters");
    for wrong in ["", "x", &own[..own.len() - 1], &own[1..], &format!("{own}A"), &flipped, &key(&shop, &other)] {
        withdraw(&shop, &order, wrong, &json!({})).await.expect_error(404, "not_found");
    }
    let path = format!("/guest-orders/{}/withdrawals", order["number"].as_str().expect("a number"));
    shop.client().post(&path, &json!({})).await.expect_error(404, "not_found");
    shop.client()
        .with_header("x-order-key", &own)
        .post("/guest-orders/O-999999/withdrawals", &json!({}))
        .await
        .expect_error(404, "not_found");
    shop.advance(TimeDelta::days(91));
    withdraw(&shop, &order, &own, &json!({})).await.expect_error(404, "not_found");
    assert_eq!(count(&shop).await, 0);
    // The control.
    withdraw(&shop, &order, &key(&shop, &order), &json!({})).await.expect_status(201);
}

both_databases!(nobody_withdraws_for_whoever_was_anonymized);
async fn nobody_withdraws_for_whoever_was_anonymized(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let statement = json!({"order_id": order["id"], "statement": "I am Ada."});
    ada.withdraw(&statement).await;
    let customer_id = ada.client.get("/me").await.expect_status(200).json()["data"]["id"].as_i64().expect("an id");
    let parts = &shop.parts;
    let account = find_account(&parts.db, customer_id).await.expect("it is read").expect("it is there");
    let exported = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    assert_eq!(exported["withdrawals"][0]["statement"], "I am Ada.");
    anonymize_customer(&shop.parts.db, customer_id).await.expect("they are");
    withdraw(&shop, &order, &key(&shop, &order), &json!({})).await.expect_error(404, "not_found");
    let kept = list_withdrawals(&shop.parts.db, &WithdrawalFilter::default()).await.expect("they are read");
    assert_eq!((kept.len(), kept[0].withdrawal.statement.as_deref()), (1, None));
}
