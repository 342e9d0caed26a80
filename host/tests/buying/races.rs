//! Money that is reported several times at once: one payment, whatever happens (contract 2.3).

use serde_json::Value;
use stoa_core::db::{Backend, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::{PaymentStatus, Payments, RecordPaymentError, record_payment};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{buyer, history, id, pay_with, record, shop};

const RECORDED: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE event = 'PaymentRecorded'");

async fn recorded(shop: &TestShop) -> i64 {
    shop.parts.db.read(RECORDED).scalar().await.expect("they are counted")
}

async fn times(shop: &TestShop, order: &Value, action: &str) -> usize {
    history(shop, order).await.iter().filter(|line| line.starts_with(action)).count()
}

both_databases!(money_by_hand_and_from_a_provider_at_once_is_one_payment);
async fn money_by_hand_and_from_a_provider_at_once_is_one_payment(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    // The control: each alone is one payment.
    let (by_hand, online) = (ada.place(&shop, &[("lamp", 1)]).await, ada.place(&shop, &[("lamp", 1)]).await);
    record_payment(&Payments::from_shop(&shop.parts), id(&by_hand)).await.expect("it is recorded");
    ada.pay(&online, &pay_with("development")).await;
    assert_eq!(recorded(&shop).await, 2);
    for round in 3..13 {
        let order = ada.place(&shop, &[("lamp", 1)]).await;
        let paying = {
            let (ada, order) = (ada.clone(), order.clone());
            tokio::spawn(async move { ada.try_to_pay(&order, &pay_with("development")).await })
        };
        let marking = {
            let (parts, order_id) = (shop.parts.clone(), id(&order));
            tokio::spawn(async move { record_payment(&Payments::from_shop(&parts), order_id).await })
        };
        let (paid, marked) = (paying.await.expect("it ends"), marking.await.expect("it ends"));
        assert_eq!(recorded(&shop).await, round, "one payment for each order");
        assert_eq!(times(&shop, &order, "paid").await, 1);
        let record = record(&shop, &order).await;
        assert_eq!(record.order.status.as_str(), "paid");
        let was_paid = paid.status.as_u16() == 200 && paid.json()["data"]["status"] == "succeeded";
        match marked {
            Ok(_) if was_paid => {
                assert_eq!(record.review_reason.as_deref(), Some("paid_twice"), "the second money has to go back");
            }
            Ok(_) => assert_eq!(record.review_reason, None),
            Err(RecordPaymentError::Paid) => assert!(was_paid && record.review_reason.is_none()),
            Err(error) => panic!("{error:?}"),
        }
    }
}

both_databases!(an_order_is_paid_or_cancelled_but_never_both);
async fn an_order_is_paid_or_cancelled_but_never_both(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    for _ in 0..8 {
        let order = ada.place(&shop, &[("lamp", 1)]).await;
        let cancelling = {
            let (parts, order_id) = (shop.parts.clone(), id(&order));
            tokio::spawn(
                async move { cancel_order(&Payments::from_shop(&parts), order_id, CancelReason::Operator).await },
            )
        };
        let marked = record_payment(&Payments::from_shop(&shop.parts), id(&order)).await;
        let cancelled = cancelling.await.expect("it ends");
        assert_ne!(marked.is_ok(), cancelled.is_ok(), "{marked:?}, {cancelled:?}");
        let (paid, gone) = (times(&shop, &order, "paid").await, times(&shop, &order, "cancelled").await);
        assert_eq!((paid, gone), (usize::from(marked.is_ok()), usize::from(cancelled.is_ok())));
        let expected = if marked.is_ok() { ("paid", Some("paid")) } else { ("cancelled", Some("cancelled")) };
        let order = record(&shop, &order).await.order;
        assert_eq!((order.status.as_str(), order.payment_status.map(PaymentStatus::as_str)), expected);
    }
}

both_databases!(many_attempts_at_once_are_one);
async fn many_attempts_at_once_are_one(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.place(&shop, &[("lamp", 1)]).await;
    let running = (0..10).map(|_| {
        let (ada, order) = (ada.clone(), order.clone());
        tokio::spawn(async move { ada.try_to_pay(&order, &pay_with("manual")).await })
    });
    let mut attempts = Vec::new();
    for answer in running.collect::<Vec<_>>() {
        let answer = answer.await.expect("it ends").expect_status(200).json();
        let attempt = answer["data"]["attempt_id"].clone();
        if !attempts.contains(&attempt) {
            attempts.push(attempt);
        }
    }
    assert_eq!(attempts.len(), 1);
}
