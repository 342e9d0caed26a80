//! Providers that refuse, are silent, or take their time (contract 2.3).

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::gateways::{RefundReport, RefundStatus};
use stoa_core::orders::{Actor, find_order};
use stoa_core::refunds::{
    RefundOrderError, RefundScope, RefundSettled, SendRefundError, apply_refund_report, find_refund,
    find_refund_by_gateway_refund_id, resume_refund, review,
};
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{buyer, due_refunds, heard, id, item, lines, shop, try_to_refund};
use crate::till::{asked, reason};

both_databases!(what_is_refused_stays_here_and_can_be_asked_for_again);
async fn what_is_refused_stays_here_and_can_be_asked_for_again(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    for says in ["refuse", "fail"] {
        let order = ada.buy(&shop, &[("lamp", 2)]).await;
        let record =
            try_to_refund(&shop, &order, lines(&order, &[("lamp", 2)]), &reason(says)).await.expect("an answer");
        assert_eq!(record.refund.status, RefundStatus::Failed);
        assert!(record.refund.last_error.is_some() && record.credit_note.is_none(), "{record:?}");
        let kept = ada.read("orders", &order).await;
        assert_eq!((&kept["payment_status"], &kept["payment"]["refunded_amount"]), (&json!("paid"), &json!(0)));
        assert_eq!(kept["items"][0]["refunded_quantity"], 0);
        assert_eq!(heard(&shop, &order).await, []);
        let again = try_to_refund(&shop, &order, RefundScope::Amount(4495), &reason("yes")).await.expect("an answer");
        assert_eq!(again.refund.status, RefundStatus::Succeeded);
    }
    assert!(due_refunds(&shop).await.is_empty());
    assert_eq!(ada.list("credit-notes").await.len(), 2, "a failed refund has none");
}

both_databases!(without_an_answer_the_same_refund_is_asked_for_again);
async fn without_an_answer_the_same_refund_is_asked_for_again(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    let why = reason("silent once");
    let silent = try_to_refund(&shop, &order, lines(&order, &[("lamp", 1)]), &why).await;
    assert!(matches!(silent, Err(RefundOrderError::Send(SendRefundError::Unknown(_)))), "{silent:?}");
    // Set aside as long as nobody knows: it cannot be taken twice.
    let more = try_to_refund(&shop, &order, RefundScope::Amount(496), "More").await;
    assert!(matches!(more, Err(RefundOrderError::Reserve(_))), "{more:?}");
    assert!(due_refunds(&shop).await.is_empty());
    shop.advance(TimeDelta::minutes(5));
    let due = due_refunds(&shop).await;
    assert_eq!(due.len(), 1);
    assert_eq!(resume_refund(&shop.uses(), due[0]).await.expect("an answer"), RefundSettled::Succeeded);
    assert_eq!(resume_refund(&shop.uses(), due[0]).await.expect("it is over"), RefundSettled::Nothing);
    let references = asked(&why);
    assert_eq!((references.len(), &references[0]), (2, &references[1]));
    assert_eq!(ada.read("orders", &order).await["payment"]["refunded_amount"], 2000);
    assert_eq!((heard(&shop, &order).await.len(), ada.list("credit-notes").await.len()), (1, 1));
}

both_databases!(a_silent_provider_is_asked_less_and_less_often);
async fn a_silent_provider_is_asked_less_and_less_often(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, &[("lamp", 1)]).await;
    try_to_refund(&shop, &order, RefundScope::Amount(100), &reason("silent")).await.expect_err("no answer");
    let mut waited = Vec::new();
    for _ in 0..4 {
        let mut minutes = 0;
        while due_refunds(&shop).await.is_empty() {
            shop.advance(TimeDelta::minutes(5));
            minutes += 5;
        }
        waited.push(minutes);
        let due = due_refunds(&shop).await;
        resume_refund(&shop.uses(), due[0]).await.expect_err("no answer");
    }
    assert_eq!(waited, [5, 15, 60, 180]);
}

async fn report(shop: &TestShop, refund_id: i64, status: RefundStatus) -> RefundSettled {
    let report = RefundReport { status, gateway_refund_id: None, detail: None };
    let parts = &shop.parts;
    let applied = parts
        .db
        .write(async |tx| apply_refund_report(tx, &parts.config, refund_id, &report, Actor::Gateway("till")).await);
    applied.await.expect("it is applied")
}

both_databases!(a_callback_ends_what_the_provider_has_taken_over);
async fn a_callback_ends_what_the_provider_has_taken_over(backend: Backend) {
    for (status, settled) in
        [(RefundStatus::Succeeded, RefundSettled::Succeeded), (RefundStatus::Failed, RefundSettled::Failed)]
    {
        let shop = shop(backend).await;
        let ada = buyer(&shop).await;
        let order = ada.buy(&shop, &[("lamp", 2)]).await;
        let scope = lines(&order, &[("lamp", 1)]);
        let record = try_to_refund(&shop, &order, scope, &reason("pending once")).await.expect("an answer");
        assert_eq!((record.refund.status, record.credit_note.is_none()), (RefundStatus::Pending, true));
        assert_eq!(heard(&shop, &order).await, []);
        let gateway_refund_id = record.refund.gateway_refund_id.expect("the provider has named it");
        let found =
            find_refund_by_gateway_refund_id(&shop.parts.db, "till", &gateway_refund_id).await.expect("it is read");
        assert_eq!(found, Some(record.refund.id));
        assert_eq!(report(&shop, record.refund.id, RefundStatus::Pending).await, RefundSettled::Pending);
        assert_eq!(report(&shop, record.refund.id, status).await, settled);
        assert_eq!(report(&shop, record.refund.id, status).await, RefundSettled::Nothing);
        let ended = find_refund(&shop.parts.db, &shop.parts.money, record.refund.id)
            .await
            .expect("it is read")
            .expect("it is there");
        assert_eq!((ended.refund.status, ended.refund.next_check_at), (status, None));
        let expected = i64::from(status == RefundStatus::Succeeded);
        assert_eq!(ada.list("credit-notes").await.len(), usize::try_from(expected).expect("one or none"));
        let kept = ada.read("orders", &order).await;
        assert_eq!(kept["items"][0]["refunded_quantity"], expected);
        assert_eq!(kept["items"][0]["id"], item(&order, "lamp"));
    }
}

both_databases!(a_provider_that_contradicts_itself_is_told_to_the_operator);
async fn a_provider_that_contradicts_itself_is_told_to_the_operator(backend: Backend) {
    for (says, contradiction, flagged) in [
        ("yes", RefundStatus::Failed, review::FAILED_LATER),
        ("refuse", RefundStatus::Succeeded, review::SUCCEEDED_LATER),
    ] {
        let shop = shop(backend).await;
        let ada = buyer(&shop).await;
        let order = ada.buy(&shop, &[("lamp", 1)]).await;
        let record = try_to_refund(&shop, &order, RefundScope::Amount(100), &reason(says)).await.expect("an answer");
        let before = ada.read("orders", &order).await;
        assert_eq!(report(&shop, record.refund.id, contradiction).await, RefundSettled::Flagged(flagged));
        assert_eq!(ada.read("orders", &order).await, before);
        let found = find_order(&shop.parts.db, &shop.parts.money, id(&order)).await.expect("it is read");
        assert_eq!(found.expect("it is there").review_reason.as_deref(), Some(flagged));
    }
}
