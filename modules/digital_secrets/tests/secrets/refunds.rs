//! Units that are refunded.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order, reserve_refund, resume_refund};
use stoa_core::testing::both_databases;

use crate::shelf::{add, assert_sound, available, buyer, pay, refund, repeat_paid, shop, states, units, values};

both_databases!(one_of_three_units_that_is_refunded_is_revoked_and_no_other);
async fn one_of_three_units_that_is_refunded_is_revoked_and_no_other(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 4)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 3)]).await;
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "delivered", "revoked"], "the last unit goes first");
    assert_eq!(ada.values().await, values(1, 2));
    let third = units(&shop, order_id).await[2]["id"].clone();
    let revoked = ada.client.get(&format!("/digital-secrets/{third}")).await.expect_status(200).json();
    assert_eq!((&revoked["data"]["status"], &revoked["data"]["value"]), (&json!("revoked"), &json!(null)));
    assert_eq!(revoked["data"]["value_hint"], "…0021");
    assert_eq!(revoked["data"]["revoked_at"], "2026-01-15T12:00:00Z");
    assert_eq!(available(&shop, "font").await, 1, "what somebody has seen is not sold again");
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "revoked", "revoked"]);
    assert_sound(&shop).await;
}

both_databases!(an_amount_revokes_nothing_until_all_went_back);
async fn an_amount_revokes_nothing_until_all_went_back(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 2)]).await;
    for (amount, expected) in [(1500, "delivered"), (500, "revoked")] {
        let new = NewRefund { order_id, scope: RefundScope::Amount(amount), reason: String::from("Late") };
        refund_order(&shop.uses(), &new).await.expect("it is refunded");
        shop.run_jobs().await;
        assert_eq!(states(&shop, order_id).await, [expected, expected]);
    }
    assert_sound(&shop).await;
}

both_databases!(a_unit_that_is_refunded_before_its_delivery_is_never_delivered);
async fn a_unit_that_is_refunded_before_its_delivery_is_never_delivered(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 3)]).await;
    record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "delivered", "revoked"]);
    assert_eq!(ada.secrets().await.len(), 2, "what never was the customer's is not shown");
    assert_eq!(available(&shop, "font").await, 1, "nobody has seen it, so it is sold again");
    repeat_paid(&shop, order_id, ada.customer.id).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "delivered", "revoked"]);
    assert_sound(&shop).await;
}

both_databases!(a_unit_that_was_revoked_stays_so_when_the_order_is_heard_of_again);
async fn a_unit_that_was_revoked_stays_so_when_the_order_is_heard_of_again(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.place(&shop, &[("font", 2)]).await;
    pay(&shop, order_id).await;
    refund(&shop, order_id, 2).await;
    shop.run_jobs().await;
    repeat_paid(&shop, order_id, ada.customer.id).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["revoked", "revoked"]);
    assert_eq!(ada.values().await, [""; 0]);
    assert_eq!(available(&shop, "font").await, 1);
    assert_sound(&shop).await;
}

both_databases!(a_value_that_its_customer_has_read_is_refunded_last);
async fn a_value_that_its_customer_has_read_is_refunded_last(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 4)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 3)]).await;
    let units = units(&shop, order_id).await;
    let third = format!("/digital-secrets/{}", units[2]["id"]);
    ada.client.get(&third).await.expect_status(200);
    refund(&shop, order_id, 1).await;
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "revoked", "delivered"]);
    assert_eq!(ada.values().await.len(), 2);
    assert_sound(&shop).await;
}

both_databases!(a_value_is_not_shown_while_its_money_is_on_its_way_back);
async fn a_value_is_not_shown_while_its_money_is_on_its_way_back(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 4)).await;
    let ada = buyer(&shop).await;
    let order_id = ada.buy(&shop, &[("font", 2)]).await;
    let order = ada.client.get(&format!("/orders/{order_id}")).await.expect_status(200).json();
    let item_id = order["data"]["items"][0]["id"].as_i64().expect("an id");
    let scope = RefundScope::Lines { lines: vec![RefundLine::any(item_id, 1)], shipping: false };
    let new = NewRefund { order_id, scope, reason: String::from("Late") };
    let refund_id = reserve_refund(&shop.uses(), &new).await.expect("it is set aside");
    let second = format!("/digital-secrets/{}", units(&shop, order_id).await[1]["id"]);
    let shown = ada.client.get(&second).await.expect_status(200).json();
    assert_eq!((&shown["data"]["status"], &shown["data"]["value"]), (&json!("revoked"), &json!(null)));
    assert_eq!(ada.values().await, values(1, 1), "the other one is");
    resume_refund(&shop.uses(), refund_id).await.expect("it goes back");
    shop.run_jobs().await;
    assert_eq!(states(&shop, order_id).await, ["delivered", "revoked"]);
    assert_sound(&shop).await;
}
