//! Programs that stop in the middle, and several that do the same at once.

use std::sync::Arc;

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::RefundStatus;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::refunds::{NewRefund, RefundScope, find_refund, reserve_refund, resume_refund};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{buyer, due_refunds, heard, id, lines, shop, try_to_refund};
use crate::till::{asked, reason};

const PAY_LATE: Sql =
    sql!("UPDATE payments SET status = 'paid', gateway = 'manual', paid_at = updated_at WHERE order_id = $1");
const FLAG_LATE: Sql = sql!("UPDATE orders SET review_reason = 'paid_after_cancellation' WHERE id = $1");

/// Cancels an order, and has its money come afterwards.
pub(crate) async fn pay_after_cancellation(shop: &TestShop, order: &Value) {
    cancel_order(&Payments::from_shop(&shop.parts), id(order), CancelReason::Operator).await.expect("it is not paid");
    for sql in [PAY_LATE, FLAG_LATE] {
        let written = shop.parts.db.write(async |tx| tx.run(sql).bind(id(order)).execute().await);
        written.await.expect("it is written");
    }
}

both_databases!(a_refund_that_was_only_set_aside_is_sent_later);
async fn a_refund_that_was_only_set_aside_is_sent_later(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let why = reason("yes");
    let new = NewRefund { order_id: id(&order), scope: lines(&order, &[("lamp", 1)]), reason: why.clone() };
    let refund_id = reserve_refund(&shop.uses(), &new).await.expect("it is left");
    assert_eq!((asked(&why), heard(&shop, &order).await), (Vec::new(), Vec::new()));
    assert_eq!(ada.read("orders", &order).await["payment"]["refunded_amount"], 0);
    shop.advance(TimeDelta::minutes(5));
    assert_eq!(due_refunds(&shop).await, [refund_id]);
    resume_refund(&shop.uses(), refund_id).await.expect("an answer");
    assert_eq!((asked(&why).len(), heard(&shop, &order).await.len()), (1, 1));
    assert_eq!(ada.read("orders", &order).await["payment"]["refunded_amount"], 2000);
}

both_databases!(money_that_was_sent_before_the_crash_is_not_sent_again);
async fn money_that_was_sent_before_the_crash_is_not_sent_again(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    // The provider has done it, and nobody was there any more to write that down: as after an answer that got lost.
    let why = reason("silent once");
    try_to_refund(&shop, &order, RefundScope::Amount(700), &why).await.expect_err("the answer is lost");
    shop.advance(TimeDelta::hours(1));
    let due = due_refunds(&shop).await;
    let running = (0..6).map(|_| {
        let (parts, refund_id) = (shop.parts.clone(), due[0]);
        tokio::spawn(async move { resume_refund(&FromShop::from_shop(&parts), refund_id).await.expect("an answer") })
    });
    for resumed in running.collect::<Vec<_>>() {
        resumed.await.expect("it ends");
    }
    let mut references = asked(&why);
    assert!(references.len() > 1);
    references.dedup();
    assert_eq!(references.len(), 1, "the provider knows that all of them are one");
    assert_eq!(ada.read("orders", &order).await["payment"]["refunded_amount"], 700);
    assert_eq!((heard(&shop, &order).await.len(), ada.list("credit-notes").await.len()), (1, 1));
}

both_databases!(refunds_at_once_never_come_to_more_than_was_paid);
async fn refunds_at_once_never_come_to_more_than_was_paid(backend: Backend) {
    let shop = shop(backend).await;
    let other = shop.database().open(Clock::system()).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 3)]).await;
    let scopes = [lines(&order, &[("lamp", 2)]), RefundScope::Amount(4000), lines(&order, &[("lamp", 3)])];
    let running = (0..9).map(|number| {
        let (scope, order_id) = (scopes[number % 3].clone(), id(&order));
        let mut parts = shop.parts.clone();
        if number % 2 == 0 {
            parts.db = other.clone().with_events(Arc::clone(&parts.events)).with_random(parts.random.clone());
        }
        tokio::spawn(async move {
            let new = NewRefund { order_id, scope, reason: reason("yes") };
            stoa_core::refunds::refund_order(&FromShop::from_shop(&parts), &new).await
        })
    });
    let mut amount = 0;
    for refunded in running.collect::<Vec<_>>() {
        if let Ok(record) = refunded.await.expect("it ends") {
            assert_eq!(record.refund.status, RefundStatus::Succeeded);
            amount += record.refund.amount;
        }
    }
    let order = ada.read("orders", &order).await;
    assert!(amount > 0 && amount <= 6495, "{amount}");
    assert_eq!(order["payment"]["refunded_amount"], amount);
    assert!(order["items"][0]["refunded_quantity"].as_i64().is_some_and(|units| units <= 3), "{order}");
    let credited = ada
        .list("credit-notes")
        .await
        .iter()
        .map(|note| note["total_amount"].as_i64().expect("an amount"))
        .sum::<i64>();
    assert_eq!(credited, amount);
    assert_eq!(ada.read("invoices", &order["invoice"]).await["credited_amount"], json!(amount));
}

both_databases!(a_gateway_that_is_switched_off_still_sends_money_back);
async fn a_gateway_that_is_switched_off_still_sends_money_back(backend: Backend) {
    let config = "[payments.development]\nenabled = true";
    let shop = crate::shelf::stocked(crate::shelf::builder(backend).config(config)).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("book", 1)]).await;
    let pay = json!({"gateway": "development", "return_url": "https://shop.example/a", "cancel_url": "https://shop.example/b"});
    ada.client.post(&format!("/orders/{}/pay", order["id"]), &pay).await.expect_status(200);
    let off = crate::shelf::builder(backend).on(shop.database()).seed(2).open().await;
    let record = try_to_refund(&off, &order, RefundScope::Amount(1500), "Gone").await.expect("an answer");
    assert_eq!(record.refund.status, RefundStatus::Succeeded);
    let found =
        find_refund(&off.parts.db, &off.parts.money, record.refund.id).await.expect("it is read").expect("it is there");
    assert_eq!(found.refund.gateway, "development");
}
