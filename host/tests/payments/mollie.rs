//! Paying at Mollie, whose callbacks say nothing but an id.

use stoa_core::db::Backend;
use stoa_core::gateways::AttemptStatus;
use stoa_core::payments::CallbackState;
use stoa_core::testing::both_databases;

use crate::till::{Till, assert_state};

both_databases!(a_customer_who_pays_at_mollie_has_a_paid_order);
async fn a_customer_who_pays_at_mollie_has_a_paid_order(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    let callback = till.mollie.callback(&begun.gateway_attempt_id);
    let kept = till.tell("mollie", &callback).await;
    assert_state(&kept, CallbackState::Processed);
    assert_eq!((kept.order_id, kept.event_type.as_str()), (Some(begun.order_id), "payment.paid"));
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    let again = till.call("mollie", &callback).await.expect_status(200).json();
    assert_eq!(again["duplicate"], true);
}

both_databases!(what_ends_at_mollie_without_money_leaves_the_order_to_be_paid_anew);
async fn what_ends_at_mollie_without_money_leaves_the_order_to_be_paid_anew(backend: Backend) {
    let till = Till::new(backend).await;
    let order_id = till.order("mollie").await;
    for (becomes, status, payment_status) in [
        ("canceled", AttemptStatus::Cancelled, "pending"),
        ("expired", AttemptStatus::Expired, "pending"),
        ("failed", AttemptStatus::Failed, "failed"),
    ] {
        let begun = till.pay(order_id, "mollie").await;
        till.mollie.becomes(&begun.gateway_attempt_id, becomes);
        assert_state(
            &till.tell("mollie", &till.mollie.callback(&begun.gateway_attempt_id)).await,
            CallbackState::Processed,
        );
        assert_eq!(till.attempt_status(&begun).await, status);
        Till::assert_states(&till.states(order_id).await, "pending", payment_status);
    }
    let begun = till.pay(order_id, "mollie").await;
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&begun.gateway_attempt_id)).await;
    Till::assert_states(&till.states(order_id).await, "paid", "paid");
    assert_eq!(till.payments(order_id).await, 1);
}

both_databases!(a_shop_that_mollie_cannot_call_asks_for_itself);
async fn a_shop_that_mollie_cannot_call_asks_for_itself(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("mollie").await;
    till.mollie.becomes(&begun.gateway_attempt_id, "paid");
    till.reconcile().await;
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    till.shop.advance(chrono::TimeDelta::minutes(5));
    till.reconcile().await;
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    assert_eq!(till.callbacks().await, []);
}
