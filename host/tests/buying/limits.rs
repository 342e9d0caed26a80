//! Limits and the first-party session at checkout and payment (S5.1, S8, contract 2).

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::inspector::Inspector;
use crate::scripted::ScriptedPayments;
use crate::shelf::{body, buyer, fill, id_of, pay_with, shop};

both_databases!(checkout_and_pay_share_one_count_for_each_customer);
async fn checkout_and_pay_share_one_count_for_each_customer(backend: Backend) {
    let limits = "[limits]\ncheckout = { requests = 4, per_seconds = 60 }\n[payments.development]\nenabled = true";
    let builder = TestShop::builder(backend).module::<Inspector>().module::<ScriptedPayments>();
    let shop = builder.config(limits).open().await;
    fill(&shop).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let first = ada.place(&shop, &[("lamp", 1)]).await;
    ada.pay(&first, &pay_with("development")).await;
    ada.check_out(&json!({})).await.expect_error(422, "invalid_state");
    let last = ada.try_to_pay(&first, &pay_with("development")).await.expect_error(409, "invalid_state");
    assert_eq!((last.header("x-ratelimit-limit"), last.header("x-ratelimit-remaining")), (Some("4"), Some("0")));
    let over = ada.check_out(&json!({})).await.expect_error(429, "rate_limited");
    assert!(over.header("retry-after").is_some());
    ada.try_to_pay(&first, &pay_with("development")).await.expect_error(429, "rate_limited");
    ada.client.get("/checkout/requirements").await.expect_status(200);
    ada.client.get("/orders").await.expect_status(200);
    bob.place(&shop, &[("lamp", 1)]).await;
    shop.advance(chrono::TimeDelta::seconds(61));
    ada.place(&shop, &[("lamp", 1)]).await;
}

both_databases!(a_session_needs_the_csrf_header_to_place_and_to_pay);
async fn a_session_needs_the_csrf_header_to_place_and_to_pay(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut browser = shop.browser();
    browser.log_in(&customer).await;
    let lamp = json!({"product_id": id_of(&shop, "lamp").await});
    browser.post("/api/v1/cart", &lamp).await.expect_status(200);
    let request = body(&json!({}));
    let mut forged = browser.without_csrf_header();
    forged.post("/api/v1/checkout", &request).await.expect_error(403, "unauthorized");
    let order = browser.post("/api/v1/checkout", &request).await.expect_status(201).json();
    let pay = format!("/api/v1/orders/{}/pay", order["data"]["id"]);
    forged.post(&pay, &pay_with("development")).await.expect_error(403, "unauthorized");
    let paid = browser.post(&pay, &pay_with("development")).await.expect_status(200).json();
    assert_eq!(paid["data"]["status"], "succeeded");
}

both_databases!(what_is_personal_is_not_kept_by_anybody);
async fn what_is_personal_is_not_kept_by_anybody(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("lamp", 1)]).await;
    let placed = ada.check_out(&json!({})).await.expect_status(201);
    let order = placed.json()["data"].clone();
    let paid = ada.try_to_pay(&order, &pay_with("development")).await.expect_status(200);
    let mut answers = vec![placed, paid];
    for path in ["/orders".to_owned(), format!("/orders/{}", order["id"]), String::from("/checkout/requirements")] {
        answers.push(ada.client.get(&path).await.expect_status(200));
    }
    for answer in answers {
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    }
}
