//! An instance that ends between keeping a message and acting on it.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::payments::CallbackState;
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;

use crate::till::{Till, assert_state, call, reconcile};

both_databases!(a_message_that_was_kept_and_not_asked_about_is_asked_about_by_the_next_instance);
async fn a_message_that_was_kept_and_not_asked_about_is_asked_about_by_the_next_instance(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin("paypal").await;
    let agreed = till.paypal.callback(&till.paypal.approve(&begun.gateway_attempt_id));
    // The instance verifies the message, keeps it, and is never heard of again while it asks what it means.
    till.paypal.next(Fault::Pass);
    till.paypal.next(Fault::DoAndHang);
    let asked =
        || till.paypal.requests().iter().filter(|request| request.path.ends_with(&begun.gateway_attempt_id)).count();
    assert_eq!(asked(), 0);
    let calling = tokio::spawn({
        let (client, agreed) = (till.shop.client(), agreed.clone());
        async move { call(&client, "paypal", &agreed).await }
    });
    while asked() == 0 {
        tokio::task::yield_now().await;
    }
    calling.abort();
    let kept = till.callbacks().await.remove(0);
    assert_state(&kept, CallbackState::Pending);
    Till::assert_states(&till.states(begun.order_id).await, "pending", "pending");
    // PayPal sends it again, which changes nothing: it is known.
    assert_eq!(till.call("paypal", &agreed).await.expect_status(200).json()["duplicate"], true);

    let next = till.second_instance().await;
    reconcile(&next).await;
    assert_eq!(asked(), 1, "it is not due yet");
    till.shop.advance(TimeDelta::minutes(1));
    reconcile(&next).await;
    assert_state(&till.callback(kept.id).await, CallbackState::Processed);
    Till::assert_states(&till.states(begun.order_id).await, "paid", "paid");
    assert_eq!(till.payments(begun.order_id).await, 1);
}
