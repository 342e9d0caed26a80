//! Methods that customers have let be saved at Stripe.

use stoa_core::gateways::{AttemptRequest, AttemptStatus, GatewayError};
use stoa_fakes::Fault;
use stoa_fakes::stripe::Outcome;

use super::{Setting, with_stripe};
use crate::requests::{attempt, euros, refund};

/// What was saved with an attempt that the customer has paid.
async fn saved(setting: &Setting) -> String {
    let request = AttemptRequest { save_method: true, ..attempt(&setting.shop, 9) };
    let started = setting.gateway.start(&request).await.expect("it starts");
    let id = started.gateway_attempt_id.expect("a session");
    setting.stripe.happens(&id, Outcome::Pay);
    let method = setting.gateway.saved_method(&id).await.expect("an answer");
    method.expect("the customer has agreed")
}

#[test]
fn a_method_is_saved_only_if_the_customer_was_asked() {
    with_stripe(async |setting| {
        let (session, _) = setting.paid(1).await;
        assert_eq!(setting.gateway.saved_method(&session).await, Ok(None));
        let method = saved(&setting).await;
        assert!(method.starts_with("cus_") && method.contains("|pm_"), "{method}");
        let (form, _) = setting.last_form("/v1/checkout/sessions");
        assert_eq!(form.get("customer_creation").map(String::as_str), Some("always"));
        assert_eq!(form.get("payment_intent_data[setup_future_usage]").map(String::as_str), Some("off_session"));
    });
}

#[test]
fn a_saved_method_is_charged_once_for_each_reference_even_days_later() {
    with_stripe(async |setting| {
        let method = saved(&setting).await;
        let request = attempt(&setting.shop, 2);
        setting.stripe.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.charge_saved(&request, &method).await;
        assert!(matches!(lost, Err(GatewayError::Unknown(_))), "{lost:?}");
        let first = setting.gateway.charge_saved(&request, &method).await.expect("it is charged");
        setting.stripe.forget_idempotency_keys();
        let again = setting.gateway.charge_saved(&request, &method).await.expect("it is charged");
        assert_eq!(first, again);
        assert_eq!((first.report.status, first.report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        let intent = first.gateway_attempt_id.expect("an intent");
        let report = setting.gateway.look_up(&intent).await.expect("an answer");
        assert_eq!(report, first.report);
        // It is too late to cancel it, and it can be refunded.
        let report = setting.gateway.cancel(&intent).await.expect("an answer");
        assert_eq!(report.status, AttemptStatus::Succeeded);
        let back = setting.gateway.refund(&refund(1, &intent, None, euros(1_999))).await;
        assert!(back.is_ok(), "{back:?}");
    });
}

#[test]
fn a_declined_card_is_refused_in_stripes_words() {
    with_stripe(async |setting| {
        let method = saved(&setting).await;
        setting.stripe.decline_next();
        let refused = setting.gateway.charge_saved(&attempt(&setting.shop, 2), &method).await;
        let Err(GatewayError::Refused(words)) = refused else { panic!("{refused:?}") };
        assert!(words.contains("Your card was declined."), "{words}");
        // The same attempt stays what it was; a new one may succeed.
        let same = setting.gateway.charge_saved(&attempt(&setting.shop, 2), &method).await.expect("it is looked up");
        assert_eq!(same.report.status, AttemptStatus::Failed);
        let next = setting.gateway.charge_saved(&attempt(&setting.shop, 3), &method).await.expect("it is charged");
        assert_eq!(next.report.status, AttemptStatus::Succeeded);
    });
}

#[test]
fn a_method_that_is_none_of_stripes_is_refused() {
    with_stripe(async |setting| {
        for method in ["", "cus_1", "../v1|pm_1"] {
            let refused = setting.gateway.charge_saved(&attempt(&setting.shop, 2), method).await;
            assert!(matches!(refused, Err(GatewayError::Refused(_))), "{method}: {refused:?}");
        }
    });
}
