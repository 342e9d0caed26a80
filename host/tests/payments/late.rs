//! Messages that come too late.

use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::AttemptStatus;
use stoa_core::orders::{CancelReason, OrderSearch, OrderStatus, cancel_order, search_orders};
use stoa_core::payments::{CallbackState, PaymentStatus, Payments};
use stoa_core::testing::both_databases;
use stoa_fakes::stripe::Outcome;

use crate::till::{ONCE, Till, Told, assert_state};

both_databases!(nothing_that_comes_later_lowers_a_paid_order);
async fn nothing_that_comes_later_lowers_a_paid_order(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let begun = till.begin("stripe").await;
    till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay)).await;
    for outcome in [Outcome::MoneyFails, Outcome::Expire, Outcome::PayLater, Outcome::Pay, Outcome::MoneyArrives] {
        let kept = till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, outcome)).await;
        assert_state(&kept, CallbackState::Processed);
        Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
        assert_eq!(till.attempt_status(&begun).await, AttemptStatus::Succeeded, "{outcome:?}");
    }
    assert_eq!((till.told().await, till.review(begun.order_id).await), (ONCE, None));
}

both_databases!(money_for_a_cancelled_order_is_recorded_once_and_does_not_revive_it);
async fn money_for_a_cancelled_order_is_recorded_once_and_does_not_revive_it(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let begun = till.begin("stripe").await;
    cancel_order(&Payments::from_shop(&till.shop.parts), begun.order_id, CancelReason::Operator)
        .await
        .expect("it is cancelled");
    Till::assert_states(&till.states(begun.order_id).await, "cancelled", "cancelled");
    // The customer was faster at Stripe than we were.
    for outcome in [Outcome::Pay, Outcome::MoneyArrives] {
        let kept = till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, outcome)).await;
        assert_state(&kept, CallbackState::Processed);
        Till::assert_states(&till.states(begun.order_id).await, "cancelled", "paid");
    }
    assert_eq!(till.review(begun.order_id).await.as_deref(), Some("paid_after_cancellation"));
    let told = till.told().await;
    assert_eq!(told, Told { paid: 0, recorded: 1, order_paid: 0, payment_recorded: 1 });
    for (payment, found) in [(PaymentStatus::Paid, vec![begun.order_id]), (PaymentStatus::Cancelled, vec![])] {
        let (status, payment) = (Some(OrderStatus::Cancelled), Some(payment));
        let search = OrderSearch { status, payment, limit: 10, ..OrderSearch::default() };
        let orders = search_orders(&till.shop.parts.db, &search).await.expect("they can be read");
        assert_eq!(orders.iter().map(|order| order.id).collect::<Vec<_>>(), found, "{payment:?}");
    }
    assert_eq!(till.shop.breaches().await, Vec::<String>::new());
}

both_databases!(money_through_a_way_that_was_given_up_is_flagged_and_not_taken_twice);
async fn money_through_a_way_that_was_given_up_is_flagged_and_not_taken_twice(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let first = till.begin("stripe").await;
    let second = till.pay(first.order_id, "mollie").await;
    till.mollie.becomes(&second.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&second.gateway_attempt_id)).await;
    let kept = till.tell_stripe(&till.stripe.happens(&first.gateway_attempt_id, Outcome::Pay)).await;
    assert_state(&kept, CallbackState::Flagged);
    assert_eq!(kept.reason.as_deref(), Some("paid_twice"));
    assert_eq!(till.review(first.order_id).await.as_deref(), Some("paid_twice"));
    assert_eq!((till.payments(first.order_id).await, till.told().await), (1, ONCE));
}
