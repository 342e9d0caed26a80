//! `POST /orders/{order}/pay` with the gateways that need no provider (contract 2.3).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, OrderLinks, cancel_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::both_databases;

use crate::shelf::{builder, buyer, fill, history, id, pay_with, record, refused_fields, shop};

fn with(mut body: Value, member: &str, value: Value) -> Value {
    body[member] = value;
    body
}

both_databases!(money_by_hand_is_waited_for);
async fn money_by_hand_is_waited_for(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let attempt = ada.pay(&order, &pay_with("manual")).await;
    for (member, value) in [
        ("gateway", json!("manual")),
        ("status", json!("pending")),
        ("redirect_url", Value::Null),
        ("amount", json!(2000)),
        ("currency", json!("EUR")),
        ("payment_status", json!("pending")),
    ] {
        assert_eq!(attempt[member], value, "{member}");
    }
    assert!(attempt["attempt_id"].is_i64() && attempt.as_object().is_some_and(|it| it.contains_key("expires_at")));
    assert_eq!(ada.pay(&order, &pay_with("manual")).await, attempt, "still open, so it is answered again");
    record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
    let paid = ada.read(&order).await;
    assert_eq!((&paid["status"], &paid["payment"]["status"]), (&json!("paid"), &json!("paid")));
    assert_eq!(paid["paid_at"], "2026-01-15T12:00:00Z");
}

both_databases!(what_to_do_where_no_page_takes_the_money_is_told_with_the_order_until_it_is_paid);
async fn what_to_do_where_no_page_takes_the_money_is_told_with_the_order_until_it_is_paid(backend: Backend) {
    let shop = builder(backend).config("[payments.manual]\ninstructions = \"Send {amount} for {order}.\"").open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let number = order["number"].as_str().expect("a number");
    let told = json!(format!("Send {} for {number}.", order["total_formatted"].as_str().expect("a text")));
    let key = shop.uses::<OrderLinks>().key(id(&order), shop.now());
    let linked = shop.client().with_header("x-order-key", &key);
    let linked =
        async || linked.get(&format!("/guest-orders/{number}")).await.expect_status(200).json()["data"].clone();
    let listed = async || ada.client.get("/orders").await.expect_status(200).json()["data"][0].clone();
    for shown in [order.clone(), ada.read(&order).await, linked().await, listed().await] {
        assert_eq!(shown["payment_instructions"], told, "{shown}");
    }
    record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
    for shown in [ada.read(&order).await, linked().await, listed().await] {
        assert_eq!(shown["payment_instructions"], Value::Null, "{shown}");
    }
}

both_databases!(the_development_gateway_pays_at_once);
async fn the_development_gateway_pays_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let attempt = ada.pay(&order, &pay_with("development")).await;
    assert_eq!((&attempt["status"], &attempt["payment_status"]), (&json!("succeeded"), &json!("paid")));
    let paid = ada.read(&order).await;
    assert_eq!((&paid["status"], &paid["payment_status"]), (&json!("paid"), &json!("paid")));
    let again = ada.try_to_pay(&order, &pay_with("development")).await.expect_error(409, "invalid_state").json();
    assert_eq!(again["reason"], "already_paid");
    let expected = ["placed by customer", "payment_recorded by gateway:development", "paid by gateway:development"];
    assert_eq!(history(&shop, &order).await, expected);
}

both_databases!(a_cancelled_order_is_not_paid);
async fn a_cancelled_order_is_not_paid(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    cancel_order(&Payments::from_shop(&shop.parts), id(&order), CancelReason::Operator).await.expect("it is cancelled");
    let refused = ada.try_to_pay(&order, &pay_with("development")).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "order_cancelled");
    let cancelled = ada.read(&order).await;
    assert_eq!((&cancelled["status"], &cancelled["payment_status"]), (&json!("cancelled"), &json!("cancelled")));
    assert!(cancelled["cancelled_at"].is_string() && cancelled["paid_at"].is_null());
    assert_eq!(record(&shop, &order).await.cancel_reason.as_deref(), Some("operator"));
}

both_databases!(a_way_to_pay_that_needs_no_customer_settles_with_the_order);
async fn a_way_to_pay_that_needs_no_customer_settles_with_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"payment_method": "development"})).await;
    assert_eq!((&order["status"], &order["payment_status"]), (&json!("paid"), &json!("paid")));
    let refused = ada.try_to_pay(&order, &pay_with("development")).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "already_paid");
    let free = ada.place_with(&shop, &[("sample", 1)], &json!({"payment_method": "development"})).await;
    assert_eq!((&free["status"], &free["payment"]), (&json!("paid"), &json!(null)));
}

both_databases!(what_is_wrong_with_a_payment_is_told_by_field);
async fn what_is_wrong_with_a_payment_is_told_by_field(backend: Backend) {
    let shop = builder(backend).config("[payments.manual]\nenabled = false").open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"payment_method": "scripted"})).await;
    let pay = pay_with("development");
    let nothing = refused_fields(ada.try_to_pay(&order, &json!({})).await);
    assert_eq!(nothing, ["cancel_url", "gateway", "return_url"]);
    let long = format!("https://shop.example/{}", "x".repeat(480));
    for (member, value) in [
        ("gateway", json!("barter")),
        ("gateway", json!("manual")),
        ("gateway", json!("stripe")),
        ("gateway", json!("x".repeat(41))),
        ("gateway", json!(1)),
        ("return_url", json!("/thanks")),
        ("return_url", json!("javascript:alert(1)")),
        ("return_url", json!("https://user:password@shop.example/")),
        ("return_url", json!(long)),
        ("cancel_url", json!(null)),
        ("cancel_url", json!("ftp://shop.example/")),
        ("idempotency_key", json!("k".repeat(65))),
    ] {
        let refused = refused_fields(ada.try_to_pay(&order, &with(pay.clone(), member, value.clone())).await);
        assert_eq!(refused, [member], "{value}");
    }
    assert_eq!(ada.read(&order).await["payment_status"], "pending");
    ada.pay(&order, &pay).await;
}

both_databases!(customers_come_back_to_the_shop_or_to_a_website_of_its_own);
async fn customers_come_back_to_the_shop_or_to_a_website_of_its_own(backend: Backend) {
    let config = "[server]\nbase_url = \"https://lamps.example\"\nallowed_origins = [\"https://www.lamps.example\"]";
    let shop = builder(backend).config(config).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    let order = ada.place_with(&shop, &[("lamp", 1)], &json!({"payment_method": "scripted"})).await;
    let pay = |return_url: &str, cancel_url: &str| json!({"gateway": "development", "return_url": return_url, "cancel_url": cancel_url});
    let (own, allowed) = ("https://lamps.example/thanks", "HTTPS://www.lamps.example:443/cart?a=b");
    for foreign in [
        "https://evil.example/",
        "http://lamps.example/",
        "https://lamps.example:8443/",
        "https://lamps.example.evil.example/",
        "https://evil.example/https://lamps.example/",
        "https://api.lamps.example/",
    ] {
        let refused = refused_fields(ada.try_to_pay(&order, &pay(foreign, own)).await);
        assert_eq!(refused, ["return_url"], "{foreign}");
        assert_eq!(refused_fields(ada.try_to_pay(&order, &pay(own, foreign)).await), ["cancel_url"], "{foreign}");
    }
    let refused = ada.try_to_pay(&order, &pay("https://a.example/", "https://b.example/")).await;
    for field in ["return_url", "cancel_url"] {
        let told = refused.json()["errors"][field][0].to_string();
        assert!(told.contains("`server.base_url`") && told.contains("`server.allowed_origins`"), "{told}");
    }
    ada.pay(&order, &pay(own, allowed)).await;
}

both_databases!(a_payment_key_gives_the_same_attempt_again);
async fn a_payment_key_gives_the_same_attempt_again(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let key = json!({"idempotency_key": "k"});
    let (first, second) = (ada.place_with(&shop, &[("lamp", 1)], &key).await, ada.place(&shop, &[("lamp", 1)]).await);
    let pay = with(pay_with("development"), "idempotency_key", json!("k"));
    let attempt = ada.pay(&first, &pay).await;
    assert_eq!(ada.pay(&first, &pay).await, attempt, "although the order is paid by now");
    let header = ada.client.with_header("idempotency-key", "k");
    let again = header.post(&format!("/orders/{}/pay", first["id"]), &pay_with("development")).await;
    assert_eq!(again.expect_status(200).json()["data"], attempt);
    for (order, body) in [(&second, pay.clone()), (&first, with(pay, "gateway", json!("manual")))] {
        let refused = ada.try_to_pay(order, &body).await.expect_error(409, "invalid_state").json();
        assert_eq!(refused["reason"], "idempotency_key_reused");
    }
    assert_eq!(ada.read(&second).await["status"], "pending");
}

both_databases!(another_way_to_pay_ends_the_one_that_was_begun);
async fn another_way_to_pay_ends_the_one_that_was_begun(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let by_hand = ada.pay(&order, &pay_with("manual")).await;
    let at_once = ada.pay(&order, &pay_with("development")).await;
    assert_ne!(by_hand["attempt_id"], at_once["attempt_id"]);
    assert_eq!(at_once["status"], "succeeded");
    let expected = [
        "placed by customer",
        "payment_attempt_ended by gateway:manual",
        "payment_recorded by gateway:development",
        "paid by gateway:development",
    ];
    assert_eq!(history(&shop, &order).await, expected);
}
