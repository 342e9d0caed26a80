//! Orders that are paid with what their customer has let be saved.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::gateways::{AttemptStatus, GatewayError};
use stoa_core::payments::Payments;
use stoa_core::payments::{
    CallbackState, Charged, KeepMethodError, charge_saved, keep_method, notification_of, reconcile_order,
    save_method_of,
};
use stoa_core::sql;
use stoa_core::testing::both_databases;
use stoa_fakes::Fault;
use stoa_fakes::paypal::Charge;

use crate::till::{Begun, Till, assert_state};

const SAVED: Sql = sql!("SELECT gateway, method FROM saved_payment_methods ORDER BY id");

impl Till {
    /// Begins to pay an order whose customer is asked to let the method be saved.
    async fn begin_saving(&self, gateway: &str) -> Begun {
        let order_id = self.order(gateway).await;
        let marked = self.shop.parts.db.write(async |tx| -> Result<(), DbError> { save_method_of(tx, order_id).await });
        marked.await.expect("it is marked");
        self.pay(order_id, gateway).await
    }

    /// Pays an order at Mollie with what is saved then.
    async fn save_at_mollie(&self) -> Begun {
        let begun = self.begin_saving("mollie").await;
        self.mollie.becomes(&begun.gateway_attempt_id, "paid");
        self.tell("mollie", &self.mollie.callback(&begun.gateway_attempt_id)).await;
        assert!(self.keep(begun.order_id).await);
        begun
    }

    /// Pays an order at PayPal with what is saved then.
    async fn save_at_paypal(&self) -> Begun {
        let begun = self.begin_saving("paypal").await;
        self.agree_at_paypal(&begun).await;
        assert!(self.keep(begun.order_id).await);
        begun
    }

    async fn agree_at_paypal(&self, begun: &Begun) {
        self.tell("paypal", &self.paypal.callback(&self.paypal.approve(&begun.gateway_attempt_id))).await;
        Self::assert_states(&self.states(begun.order_id).await, "paid", "paid");
    }

    async fn keep(&self, order_id: i64) -> bool {
        keep_method(&self.shop.parts.db, &self.shop.parts.cipher, &self.shop.parts.gateways, order_id)
            .await
            .expect("the provider answers")
    }

    async fn charge(&self, order_id: i64) -> Charged {
        charge_saved(&Payments::from_shop(&self.shop.parts), order_id).await.expect("the database works")
    }

    /// What is kept, as it is kept.
    async fn saved(&self) -> Vec<(String, Vec<u8>)> {
        self.shop.parts.db.read(SAVED).all().await.expect("it can be read")
    }
}

both_databases!(what_is_saved_at_mollie_is_kept_sealed_and_pays_later_orders);
async fn what_is_saved_at_mollie_is_kept_sealed_and_pays_later_orders(backend: Backend) {
    let till = Till::new(backend).await;
    let once = till.begin("mollie").await;
    till.mollie.becomes(&once.gateway_attempt_id, "paid");
    till.tell("mollie", &till.mollie.callback(&once.gateway_attempt_id)).await;
    assert!(!till.keep(once.order_id).await, "nobody was asked");
    let next = till.order("mollie").await;
    assert_eq!(till.charge(next).await, Charged::NothingSaved);

    till.save_at_mollie().await;
    let saved = till.saved().await;
    assert_eq!((saved.len(), saved[0].0.as_str()), (1, "mollie"));
    assert!(!saved[0].1.windows(4).any(|bytes| bytes == b"cst_" || bytes == b"mdt_"), "it is sealed");
    assert_eq!(till.charge(next).await, Charged::Paid);
    Till::assert_states(&till.states(next).await, "paid", "paid");
    assert_eq!(till.charge(next).await, Charged::Paid);
    assert_eq!(till.payments(next).await, 1);
}

both_databases!(a_card_that_mollie_declines_can_be_tried_again);
async fn a_card_that_mollie_declines_can_be_tried_again(backend: Backend) {
    let till = Till::new(backend).await;
    till.save_at_mollie().await;
    let order = till.order("mollie").await;
    till.mollie.decline_next();
    assert_eq!(till.charge(order).await, Charged::Refused(String::from("Card declined.")));
    Till::assert_states(&till.states(order).await, "pending", "failed");
    assert_eq!(till.charge(order).await, Charged::Paid);
    Till::assert_states(&till.states(order).await, "paid", "paid");
}

both_databases!(a_charge_that_mollie_did_not_answer_is_asked_about_and_not_made_again);
async fn a_charge_that_mollie_did_not_answer_is_asked_about_and_not_made_again(backend: Backend) {
    let till = Till::new(backend).await;
    till.save_at_mollie().await;
    let order = till.order("mollie").await;
    for fault in [Fault::Pass, Fault::DoAndBreakOff] {
        till.mollie.next(fault);
    }
    assert!(matches!(till.charge(order).await, Charged::Unknown(_)));
    assert_eq!(till.charge(order).await, Charged::InUse);
    Till::assert_states(&till.states(order).await, "pending", "pending");
    till.mollie.forget_idempotency_keys();
    till.shop.advance(TimeDelta::hours(2));
    till.reconcile().await;
    Till::assert_states(&till.states(order).await, "paid", "paid");
    let posted = till.mollie.requests().into_iter().filter(|request| request.method == "POST");
    assert_eq!(posted.filter(|request| request.path == "/v2/payments").count(), 2);
}

both_databases!(a_debit_that_mollie_makes_in_days_is_told_by_its_callback);
async fn a_debit_that_mollie_makes_in_days_is_told_by_its_callback(backend: Backend) {
    let till = Till::new(backend).await;
    let first = till.save_at_mollie().await;
    till.mollie.set_mandate(&first.gateway_attempt_id, "method", json!("directdebit"));
    let order = till.order("mollie").await;
    assert_eq!(till.charge(order).await, Charged::Processing);
    let open = reconcile_order(&Payments::from_shop(&till.shop.parts), order)
        .await
        .expect("the database works")
        .expect("it is open");
    assert_eq!((open.after, open.error), (AttemptStatus::Processing, None));
    let debit = till.attempt(open.attempt_id).await.gateway_attempt_id.expect("it is known");
    till.mollie.becomes(&debit, "paid");
    assert_state(&till.tell("mollie", &till.mollie.callback(&debit)).await, CallbackState::Processed);
    Till::assert_states(&till.states(order).await, "paid", "paid");
}

both_databases!(what_is_saved_at_paypal_is_kept_sealed_and_pays_later_orders);
async fn what_is_saved_at_paypal_is_kept_sealed_and_pays_later_orders(backend: Backend) {
    let till = Till::new(backend).await;
    let once = till.begin("paypal").await;
    till.agree_at_paypal(&once).await;
    assert!(!till.keep(once.order_id).await, "nobody was asked");
    till.save_at_paypal().await;
    let saved = till.saved().await;
    assert_eq!((saved.len(), saved[0].0.as_str()), (1, "paypal"));
    assert!(!saved[0].1.windows(5).any(|bytes| bytes == b"vault"), "it is sealed");

    let order = till.order("paypal").await;
    till.paypal.next_charge(Charge::Decline);
    assert!(matches!(till.charge(order).await, Charged::Refused(words) if words.contains("INSTRUMENT_DECLINED")));
    Till::assert_states(&till.states(order).await, "pending", "failed");
    till.paypal.next_charge(Charge::Deny);
    assert!(matches!(till.charge(order).await, Charged::Refused(_)));
    assert_eq!(till.charge(order).await, Charged::Paid);
    Till::assert_states(&till.states(order).await, "paid", "paid");
    assert!(!till.keep(order).await, "there is nothing new to keep");
    assert_eq!(till.saved().await, saved);
}

both_databases!(what_paypal_saves_later_is_kept_when_it_tells_and_only_for_who_was_asked);
async fn what_paypal_saves_later_is_kept_when_it_tells_and_only_for_who_was_asked(backend: Backend) {
    let till = Till::new(backend).await;
    let begun = till.begin_saving("paypal").await;
    till.paypal.save_later(&begun.gateway_attempt_id);
    till.agree_at_paypal(&begun).await;
    let early =
        keep_method(&till.shop.parts.db, &till.shop.parts.cipher, &till.shop.parts.gateways, begun.order_id).await;
    assert!(matches!(early, Err(KeepMethodError::Gateway(GatewayError::Unknown(_)))), "{early:?}");
    let event = till.paypal.finish_saving(&begun.gateway_attempt_id);

    // An order whose customer was not asked, to which somebody would have a method belong.
    let other = till.begin("paypal").await;
    let mut misled = event.clone();
    misled["id"] = json!("WH-misled");
    misled["resource"]["metadata"]["order_id"] = json!(other.gateway_attempt_id);
    assert_state(&till.tell("paypal", &till.paypal.callback(&misled)).await, CallbackState::Processed);
    assert_eq!(till.saved().await, []);

    let told = till.tell("paypal", &till.paypal.callback(&event)).await;
    assert_eq!((told.state, told.order_id), (CallbackState::Processed, Some(begun.order_id)));
    let saved = till.saved().await;
    assert_eq!((saved.len(), saved[0].0.as_str()), (1, "paypal"));
    let notification = notification_of(&till.shop.parts.db, told.id).await.expect("it is read").expect("it is kept");
    let id = event["resource"]["id"].as_str().expect("an id");
    assert!(!notification.to_string().contains(id), "the inbox does not say it: {notification}");
    assert!(till.keep(begun.order_id).await, "the order says nothing yet, but the event has told");

    let order = till.order("paypal").await;
    assert_eq!(till.charge(order).await, Charged::Paid);
}

both_databases!(a_charge_that_paypal_did_not_answer_for_hours_is_found_and_not_made_again);
async fn a_charge_that_paypal_did_not_answer_for_hours_is_found_and_not_made_again(backend: Backend) {
    let till = Till::new(backend).await;
    till.save_at_paypal().await;
    let order = till.order("paypal").await;
    till.paypal.next(Fault::DoAndBreakOff);
    assert!(matches!(till.charge(order).await, Charged::Unknown(_)));
    till.paypal.forget_request_ids();
    for hours in [6, 1] {
        till.shop.advance(TimeDelta::hours(hours));
        let asked = reconcile_order(&Payments::from_shop(&till.shop.parts), order)
            .await
            .expect("the database works")
            .expect("it is open");
        assert!(asked.error.is_some(), "{asked:?}");
        Till::assert_states(&till.states(order).await, "pending", "pending");
    }
    till.shop.advance(TimeDelta::hours(5));
    till.reconcile().await;
    Till::assert_states(&till.states(order).await, "paid", "paid");
    let orders = till.paypal.requests().into_iter().filter(|request| request.path.ends_with("/v2/checkout/orders"));
    assert_eq!(orders.count(), 2);
    assert_eq!((till.payments(order).await, till.review(order).await), (1, None));
}

both_databases!(a_charge_that_paypal_never_made_ends_and_is_made_anew);
async fn a_charge_that_paypal_never_made_ends_and_is_made_anew(backend: Backend) {
    let till = Till::new(backend).await;
    till.save_at_paypal().await;
    let order = till.order("paypal").await;
    till.paypal.next(Fault::Fail(503));
    assert!(matches!(till.charge(order).await, Charged::Unknown(_)));
    till.shop.advance(TimeDelta::hours(12));
    assert_eq!(till.charge(order).await, Charged::InUse);
    till.reconcile().await;
    Till::assert_states(&till.states(order).await, "pending", "failed");
    assert_eq!(till.charge(order).await, Charged::Paid);
}
