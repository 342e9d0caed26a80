//! The same message many times, and several that report one payment at once.

use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::payments::{CallbackState, Payments, RecordPaymentError, record_payment};
use stoa_core::testing::both_databases;
use stoa_fakes::stripe::Outcome;

use crate::till::{ONCE, Till, assert_state, call};

/// How often a message is sent, and by how many at once.
const TIMES: usize = 200;
const SENDERS: usize = 16;

both_databases!(one_message_sent_200_times_by_16_at_once_is_one_payment);
async fn one_message_sent_200_times_by_16_at_once_is_one_payment(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let begun = till.begin("stripe").await;
    let callback = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
    let senders = (0..SENDERS).map(|sender| {
        let (client, callback) = (till.shop.client(), callback.clone());
        tokio::spawn(async move {
            let mut first = 0;
            for _ in (sender..TIMES).step_by(SENDERS) {
                let answer = call(&client, "stripe", &callback).await.expect_status(200).json();
                first += usize::from(answer["duplicate"] == false);
            }
            first
        })
    });
    let mut first = 0;
    for sender in senders.collect::<Vec<_>>() {
        first += sender.await.expect("it ends");
    }
    assert_eq!(first, 1, "one of them was the first");
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    assert_eq!((till.payments(begun.order_id).await, till.told().await), (1, ONCE));
    assert_eq!(till.callbacks().await.len(), 1);
    // The control: it is the event's id that makes them one. Under another id the same news is kept as a message of its own,
    // and then it is the payment itself that is made once.
    for _ in 0..2 {
        till.tell_stripe(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay)).await;
    }
    assert_eq!(till.callbacks().await.len(), 3);
    assert_eq!((till.payments(begun.order_id).await, till.told().await), (1, ONCE));
}

both_databases!(different_messages_at_once_about_one_payment_are_one_payment);
async fn different_messages_at_once_about_one_payment_are_one_payment(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let begun = till.begin("stripe").await;
    let callbacks = (0..SENDERS)
        .map(|_| till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay)))
        .collect::<Vec<_>>();
    let senders = callbacks.into_iter().map(|callback| {
        let client = till.shop.client();
        tokio::spawn(async move { call(&client, "stripe", &callback).await })
    });
    for sender in senders.collect::<Vec<_>>() {
        let answer = sender.await.expect("it ends").expect_status(200).json();
        assert_eq!(answer["duplicate"], false);
    }
    let kept = till.callbacks().await;
    assert_eq!(kept.len(), SENDERS);
    for callback in &kept {
        assert_state(callback, CallbackState::Processed);
    }
    assert_eq!((till.payments(begun.order_id).await, till.told().await), (1, ONCE));
}

both_databases!(the_operator_and_the_provider_at_once_record_one_payment);
async fn the_operator_and_the_provider_at_once_record_one_payment(backend: Backend) {
    let till = Till::new(backend).await;
    till.subscribe().await;
    let begun = till.begin("stripe").await;
    let callback = till.stripe.callback(&till.stripe.happens(&begun.gateway_attempt_id, Outcome::Pay));
    let operator = async || record_payment(&Payments::from_shop(&till.shop.parts), begun.order_id).await;
    let (by_hand, again, kept) = tokio::join!(operator(), operator(), till.tell("stripe", &callback));
    for recorded in [by_hand, again] {
        // The money is at Stripe, so it is not the operator's: they are told that the order is paid.
        assert!(matches!(recorded, Err(RecordPaymentError::Paid)), "{recorded:?}");
    }
    assert_state(&kept, CallbackState::Processed);
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    assert_eq!((till.payments(begun.order_id).await, till.told().await), (1, ONCE));
    assert_eq!(till.review(begun.order_id).await, None);
}
