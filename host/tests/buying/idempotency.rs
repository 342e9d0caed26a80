//! Idempotency keys of checkout: whatever is repeated, one order (contract 2.2).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{Buyer, body, buyer, pay_with, refused_fields, rows, shop};

/// Sends the same checkout many times at once; gives back the statuses, sorted, and the ids of orders, without repeats.
async fn at_once(ada: &Buyer, request: &Value, times: usize) -> (Vec<u16>, Vec<Value>) {
    let running = (0..times).map(|_| {
        let (client, request) = (ada.client.clone(), request.clone());
        tokio::spawn(async move { client.post("/checkout", &request).await })
    });
    let (mut statuses, mut ids) = (Vec::new(), Vec::new());
    for answer in running.collect::<Vec<_>>() {
        let answer = answer.await.expect("it ends");
        statuses.push(answer.status.as_u16());
        let id = answer.json()["data"]["id"].clone();
        if !id.is_null() && !ids.contains(&id) {
            ids.push(id);
        }
    }
    statuses.sort_unstable();
    (statuses, ids)
}

both_databases!(a_repeated_request_is_answered_with_the_first_order);
async fn a_repeated_request_is_answered_with_the_first_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let key = json!({"idempotency_key": "first", "note": "x"});
    let order = ada.place_with(&shop, &[("lamp", 1)], &key).await;
    let before = rows(&shop).await;
    ada.fill(&shop, &[("book", 1)]).await;
    let again = ada.check_out(&key).await.expect_status(200).json();
    assert_eq!(again["data"], order);
    assert_eq!((rows(&shop).await, ada.lines().await), (before, 1), "the new filling is still there");
    let in_header = ada.client.with_header("idempotency-key", " first ");
    for members in [json!({"note": "x"}), key.clone()] {
        let again = in_header.post("/checkout", &body(&members)).await.expect_status(200).json();
        assert_eq!(again["data"]["id"], order["id"], "{members}");
    }
    // The members of an object have no order, and what is blank is not there.
    let same = json!({"note": " x ", "discount_code": "", "idempotency_key": "first", "unknown": 1});
    assert_eq!(ada.check_out(&same).await.expect_status(200).json()["data"]["id"], order["id"]);
}

both_databases!(the_answer_of_a_replay_shows_the_order_as_it_is_now);
async fn the_answer_of_a_replay_shows_the_order_as_it_is_now(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let key = json!({"idempotency_key": "first"});
    let order = ada.place_with(&shop, &[("lamp", 1)], &key).await;
    ada.pay(&order, &pay_with("development")).await;
    let again = ada.check_out(&key).await.expect_status(200).json();
    assert_eq!((&again["data"]["id"], &again["data"]["status"]), (&order["id"], &json!("paid")));
}

both_databases!(the_same_key_with_another_request_is_refused);
async fn the_same_key_with_another_request_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"idempotency_key": "k"})).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let before = rows(&shop).await;
    for other in
        [json!({"note": "x"}), json!({"payment_method": "development"}), json!({"expected_total_amount": 2000})]
    {
        let mut other = other;
        other["idempotency_key"] = json!("k");
        let refused = ada.check_out(&other).await.expect_error(409, "invalid_state").json();
        assert_eq!(refused["reason"], "idempotency_key_reused");
    }
    assert_eq!(rows(&shop).await, before);
    let bob = buyer(&shop).await;
    let bobs = bob.place_with(&shop, &[("lamp", 1)], &json!({"idempotency_key": "k", "note": "mine"})).await;
    assert_ne!(bobs["id"], order["id"], "keys are per customer");
}

both_databases!(a_key_in_header_and_body_must_be_the_same);
async fn a_key_in_header_and_body_must_be_the_same(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let post = async |header: &str, members: Value| {
        ada.client.with_header("idempotency-key", header).post("/checkout", &body(&members)).await
    };
    for (header, members) in [("a", json!({"idempotency_key": "b"})), (&"x".repeat(65), json!({}))] {
        assert_eq!(refused_fields(post(header, members).await), ["idempotency_key"]);
    }
    assert_eq!(ada.lines().await, 1);
    let order = post("a", json!({"idempotency_key": "a"})).await.expect_status(201).json();
    assert_eq!(post("a", json!({})).await.expect_status(200).json()["data"]["id"], order["data"]["id"]);
    ada.fill(&shop, &[("lamp", 1)]).await;
    post(" ", json!({})).await.expect_status(201);
}

both_databases!(a_key_whose_request_failed_is_free);
async fn a_key_whose_request_failed_is_free(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let key = json!({"idempotency_key": "k"});
    ada.check_out(&key).await.expect_error(422, "invalid_state");
    ada.fill(&shop, &[("reserved", 1)]).await;
    ada.check_out(&key).await.expect_error(422, "invalid_state");
    let cart = ada.client.get("/cart").await.json();
    let line = cart["data"]["lines"][0]["line_key"].as_str().expect("a key");
    ada.client.delete(&format!("/cart/{line}")).await.expect_status(200);
    ada.place_with(&shop, &[("lamp", 1)], &json!({"idempotency_key": "k", "note": "another"})).await;
}

both_databases!(fifty_requests_at_once_place_one_order);
async fn fifty_requests_at_once_place_one_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let (statuses, ids) = at_once(&ada, &body(&json!({"idempotency_key": "k"})), 50).await;
    assert_eq!((statuses, ids.len()), ([vec![200; 49], vec![201]].concat(), 1));
    assert_eq!(rows(&shop).await.0, 1);
}

both_databases!(one_filling_of_a_cart_becomes_one_order_without_any_key);
async fn one_filling_of_a_cart_becomes_one_order_without_any_key(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let (statuses, ids) = at_once(&ada, &body(&json!({})), 12).await;
    assert_eq!((statuses, ids.len()), ([vec![201], vec![422; 11]].concat(), 1));
    assert_eq!(rows(&shop).await.0, 1);
}
