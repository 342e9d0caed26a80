//! What the shop says about a withdrawal, and the money that goes back.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::refunds::RefundRecord;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::withdrawals::{
    CompleteWhen, WithdrawalChangeError, WithdrawalNumber, WithdrawalStatus, accept_withdrawal, complete_withdrawal,
    refund_withdrawal, refuse_withdrawal,
};

use crate::shelf::{Buyer, EU, builder, buyer, filled, id, item, ship, shop, with_modules};

fn number(withdrawal: &Value) -> WithdrawalNumber {
    WithdrawalNumber::of(id(withdrawal))
}

async fn accept(shop: &TestShop, withdrawal: &Value) {
    let record = accept_withdrawal(&shop.uses(), number(withdrawal)).await.expect("it is accepted");
    assert_eq!(record.withdrawal.status, WithdrawalStatus::Accepted);
}

async fn refund(shop: &TestShop, withdrawal: &Value) -> RefundRecord {
    refund_withdrawal(&shop.uses(), number(withdrawal)).await.expect("it goes back")
}

both_databases!(everything_goes_back_with_its_shipping_and_once);
async fn everything_goes_back_with_its_shipping_and_once(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2), ("advice", 1)]).await;
    ship(&shop, &order, &[]).await;
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"]})).await;
    let early = refund_withdrawal(&shop.uses(), number(&withdrawal)).await.expect_err("it is not accepted");
    assert!(matches!(early, WithdrawalChangeError::State { status: WithdrawalStatus::Declared, .. }), "{early}");
    accept(&shop, &withdrawal).await;
    accept(&shop, &withdrawal).await;
    let left = complete_withdrawal(&shop.parts.db, number(&withdrawal), CompleteWhen::Refunded).await;
    assert!(matches!(left, Err(WithdrawalChangeError::NotRefunded(_))), "{left:?}");
    let record = refund(&shop, &withdrawal).await;
    assert_eq!(json!(record.refund.amount), order["total_amount"]);
    assert!(order["shipping_amount"].as_i64().is_some_and(|amount| amount > 0), "{order}");
    let again = refund_withdrawal(&shop.uses(), number(&withdrawal)).await.expect_err("once");
    assert!(matches!(again, WithdrawalChangeError::AlreadyRefunded(_)), "{again}");
    complete_withdrawal(&shop.parts.db, number(&withdrawal), CompleteWhen::Refunded).await.expect("it is completed");
    let read = ada.client.get(&format!("/withdrawals/{}", withdrawal["id"])).await.expect_status(200).json();
    assert_eq!(read["data"]["status"], "completed");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_part_goes_back_without_shipping_and_the_last_part_with_it);
async fn a_part_goes_back_without_shipping_and_the_last_part_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let one = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    let first = ada.withdraw(&one).await;
    accept(&shop, &first).await;
    assert_eq!(refund(&shop, &first).await.refund.shipping_amount, 0);
    let second = ada.withdraw(&one).await;
    accept(&shop, &second).await;
    assert_eq!(json!(refund(&shop, &second).await.refund.shipping_amount), order["shipping_amount"]);
    assert_eq!(json!(ada.read(&order).await["payment"]["refunded_amount"]), order["total_amount"]);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(what_is_only_declared_stays_so_shipping_goes_back_with_the_last_that_is_accepted);
async fn what_is_only_declared_stays_so_shipping_goes_back_with_the_last_that_is_accepted(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 2)]).await;
    let one = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    let (first, second) = (ada.withdraw(&one).await, ada.withdraw(&one).await);
    accept(&shop, &first).await;
    assert_eq!(refund(&shop, &first).await.refund.shipping_amount, 0);
    accept(&shop, &second).await;
    assert_eq!(json!(refund(&shop, &second).await.refund.shipping_amount), order["shipping_amount"]);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(an_order_that_is_not_paid_is_cancelled_as_a_whole);
async fn an_order_that_is_not_paid_is_cancelled_as_a_whole(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.order_with(&shop, &[("lamp", 2)], &[]).await;
    let one = json!({"order_id": order["id"], "lines": [{"item_id": item(&order, 0), "quantity": 1}]});
    let part = ada.withdraw(&one).await;
    let refused = accept_withdrawal(&shop.uses(), number(&part)).await.expect_err("a part of it stays");
    assert!(matches!(refused, WithdrawalChangeError::PartOfUnpaid(_)), "{refused}");
    ada.withdraw(&one).await;
    accept(&shop, &part).await;
    let after = ada.read(&order).await;
    assert_eq!(after["status"], "cancelled");
    assert_eq!(after["withdrawal"]["possible"], false);
    complete_withdrawal(&shop.parts.db, number(&part), CompleteWhen::Refunded).await.expect("nothing was paid");
}

both_databases!(a_trial_that_is_withdrawn_from_ends_at_once_and_is_never_billed);
async fn a_trial_that_is_withdrawn_from_ends_at_once_and_is_never_billed(backend: Backend) {
    let shop = filled(builder(backend).config(EU).config("[modules.subscriptions]\nenabled = true\n")).await;
    shop.stock(&[json!({"type": "product", "slug": "club", "name": "Club", "price_amount": 1500, "capabilities": ["subscribable"],
        "modules": {"subscriptions": {"interval": "month", "trial_days": 10}}})])
    .await;
    let (ada, bea) = (buyer(&shop).await, buyer(&shop).await);
    for customer in [&ada, &bea] {
        let order = customer.order_with(&shop, &[("club", 1)], &[]).await;
        shop.run_jobs().await;
        let withdrawal = customer.withdraw(&json!({"order_id": order["id"]})).await;
        if customer.email == ada.email {
            accept(&shop, &withdrawal).await;
            shop.run_jobs().await;
            complete_withdrawal(&shop.parts.db, number(&withdrawal), CompleteWhen::Refunded).await.expect("it is over");
        }
    }
    shop.advance(TimeDelta::days(11));
    shop.run_jobs().await;
    let seen = async |customer: &Buyer| {
        let subscriptions = customer.client.get("/subscriptions").await.expect_status(200).json();
        let orders = customer.client.get("/orders").await.expect_status(200).json();
        (subscriptions["data"][0]["status"].clone(), orders["meta"]["total"].clone())
    };
    assert_eq!(seen(&ada).await, (json!("ended"), json!(1)));
    // The control: what is only declared goes on.
    assert_eq!(seen(&bea).await.1, json!(2));
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(what_was_paid_otherwise_ends_when_its_withdrawal_is_completed);
async fn what_was_paid_otherwise_ends_when_its_withdrawal_is_completed(backend: Backend) {
    let shop = filled(builder(backend).config(EU).config("[modules.subscriptions]\nenabled = true\n")).await;
    shop.stock(&[json!({"type": "product", "slug": "club", "name": "Club", "price_amount": 1500, "capabilities": ["subscribable"],
        "modules": {"subscriptions": {"interval": "month"}}})])
    .await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("club", 1)]).await;
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"]})).await;
    let status = async || {
        shop.run_jobs().await;
        let listed = ada.client.get("/subscriptions").await.expect_status(200).json();
        listed["data"][0]["status"].clone()
    };
    accept(&shop, &withdrawal).await;
    assert_eq!(status().await, "active", "the refund may still come");
    complete_withdrawal(&shop.parts.db, number(&withdrawal), CompleteWhen::Anyhow).await.expect("it is completed");
    assert_eq!(status().await, "ended");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_refusal_is_told_and_what_was_refused_can_be_declared_again);
async fn a_refusal_is_told_and_what_was_refused_can_be_declared_again(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(with_modules(smtp.shop(backend)).config(EU)).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let withdrawal = ada.withdraw(&json!({"order_id": order["id"]})).await;
    shop.run_jobs().await;
    smtp.collect();
    let refuse = async || {
        refuse_withdrawal(&shop.parts.db, &shop.uses(), number(&withdrawal), Some("The lamp is broken.")).await
    };
    refuse().await.expect("it is refused");
    shop.run_jobs().await;
    let text = smtp.only().text();
    assert!(text.contains("The lamp is broken.") && text.contains("1 × Lamp"), "{text}");
    assert!(matches!(refuse().await, Err(WithdrawalChangeError::State { status: WithdrawalStatus::Refused, .. })));
    let accepted = accept_withdrawal(&shop.uses(), number(&withdrawal)).await;
    assert!(matches!(accepted, Err(WithdrawalChangeError::State { .. })), "{accepted:?}");
    let read = ada.client.get(&format!("/withdrawals/{}", withdrawal["id"])).await.expect_status(200).json();
    assert_eq!(
        (&read["data"]["status"], &read["data"]["refusal_reason"]),
        (&json!("refused"), &json!("The lamp is broken."))
    );
    ada.withdraw(&json!({"order_id": order["id"]})).await;
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}
