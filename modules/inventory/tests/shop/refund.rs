//! Refunds before and after units were sent.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::Payments;
use stoa_core::refunds::RefundScope;
use stoa_core::testing::both_databases;

use crate::kit::{assert_clean, builder, counted, order, pay, product, refund, refund_scope, ship, shop, stock};

both_databases!(refunded_units_that_were_not_sent_can_be_sold_again);
async fn refunded_units_that_were_not_sent_can_be_sold_again(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 3)]).await;
    let placed = order(&shop, "mug", 3).await;
    pay(&shop, &placed).await;
    refund(&shop, &placed, 1).await;
    assert_eq!(stock(&shop, "mug").await, (3, 2, 1));
    ship(&shop, &placed, 2).await;
    assert_eq!(stock(&shop, "mug").await, (1, 0, 1));
    // What was sent is not back for being refunded.
    refund_scope(&shop, &placed, RefundScope::Amount(3000)).await;
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "mug").await, (1, 0, 1));
    order(&shop, "mug", 1).await;
    assert_clean(&shop).await;
}

both_databases!(a_refund_of_an_amount_frees_nothing_until_all_is_refunded);
async fn a_refund_of_an_amount_frees_nothing_until_all_is_refunded(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 3)]).await;
    let placed = order(&shop, "mug", 2).await;
    pay(&shop, &placed).await;
    refund_scope(&shop, &placed, RefundScope::Amount(1000)).await;
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "mug").await, (3, 2, 1));
    refund_scope(&shop, &placed, RefundScope::Amount(2000)).await;
    shop.run_jobs().await;
    assert_eq!(stock(&shop, "mug").await, (3, 0, 3));
    assert_clean(&shop).await;
}

both_databases!(refunded_units_of_what_is_not_sent_are_put_back);
async fn refunded_units_of_what_is_not_sent_are_put_back(backend: Backend) {
    let settings = json!({"capabilities": [], "modules": {"inventory": {"quantity": 5}}});
    let lines = [product("voucher", &settings)];
    let kept = shop(backend, &lines).await;
    let placed = order(&kept, "voucher", 3).await;
    pay(&kept, &placed).await;
    refund(&kept, &placed, 1).await;
    assert_eq!(stock(&kept, "voucher").await, (3, 0, 3));
    assert_clean(&kept).await;
    // The operator may not want that.
    let lost = builder(backend).config("[modules.inventory]\nrestock_refunded = false").open().await;
    lost.stock(&lines).await;
    let placed = order(&lost, "voucher", 3).await;
    pay(&lost, &placed).await;
    refund(&lost, &placed, 1).await;
    assert_eq!(stock(&lost, "voucher").await, (2, 0, 2));
    assert_clean(&lost).await;
}

// The refund is heard of before the payment: both events are there when the worker looks, and two workers look at once.
both_databases!(events_come_in_any_order_and_to_several_workers);
async fn events_come_in_any_order_and_to_several_workers(backend: Backend) {
    let settings = json!({"capabilities": [], "modules": {"inventory": {"quantity": 30}}});
    let shop = shop(backend, &[product("voucher", &settings)]).await;
    let other = builder(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    let mut left = 30;
    for _ in 0..5 {
        let placed = order(&shop, "voucher", 3).await;
        stoa_core::payments::record_payment(&Payments::from_shop(&shop.parts), crate::kit::id(&placed))
            .await
            .expect("it is paid");
        let item_id = placed["items"][0]["id"].as_i64().expect("an id");
        let lines = vec![stoa_core::refunds::RefundLine::any(item_id, 1)];
        refund_scope(&shop, &placed, RefundScope::Lines { lines, shipping: false }).await;
        tokio::join!(shop.run_jobs(), other.run_jobs(), shop.run_jobs());
        left -= 2;
        assert_eq!(stock(&shop, "voucher").await, (left, 0, left));
    }
    assert_clean(&shop).await;
}
