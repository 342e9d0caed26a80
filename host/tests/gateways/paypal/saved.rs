//! What customers have let be saved at PayPal.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::gateways::{AttemptRequest, AttemptStatus, GatewayError, Notice, StartedAttempt};
use stoa_core::secret::Secret;
use stoa_fakes::Fault;
use stoa_fakes::paypal::Charge;

use super::{Setting, with_paypal};
use crate::requests::{attempt, euros, refund};

impl Setting {
    /// Starts an attempt whose customer lets the method be saved; gives its id at PayPal.
    async fn start_saving(&self, number: u128) -> String {
        let request = AttemptRequest { save_method: true, ..attempt(&self.shop, number) };
        let started = self.gateway.start(&request).await.expect("it starts");
        assert!(started.redirect_url.is_some(), "{started:?}");
        started.gateway_attempt_id.expect("an order")
    }

    /// Lets the customer pay an order, and takes the money.
    async fn take(&self, order: &str) {
        self.paypal.approve(order);
        assert_eq!(self.gateway.look_up(order).await.expect("an answer").status, AttemptStatus::Succeeded);
    }

    /// What was saved with an attempt that the customer has paid.
    async fn saved(&self) -> String {
        let order = self.start_saving(9).await;
        self.take(&order).await;
        self.gateway.saved_method(&order).await.expect("an answer").expect("the customer has agreed")
    }

    async fn charge(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        self.gateway.charge_saved(request, method).await
    }
}

fn is_unknown(outcome: &Result<StartedAttempt, GatewayError>) -> bool {
    matches!(outcome, Err(GatewayError::Unknown(_)))
}

#[test]
fn a_method_is_saved_only_if_the_customer_was_asked() {
    with_paypal(async |setting| {
        let (order, _) = setting.paid(1).await;
        assert_eq!(setting.gateway.saved_method(&order).await, Ok(None));
        let (body, _) = setting.last_body("/v2/checkout/orders");
        assert_eq!(body["payment_source"]["paypal"].get("attributes"), None);

        let order = setting.start_saving(2).await;
        assert_eq!(setting.gateway.saved_method(&order).await, Ok(None), "they have not paid yet");
        setting.take(&order).await;
        let method = setting.gateway.saved_method(&order).await.expect("an answer").expect("it is saved");
        assert!(method.ends_with("vault"), "{method}");
        let (body, request_id) = setting.last_body("/v2/checkout/orders");
        assert_eq!(request_id, attempt(&setting.shop, 2).reference.to_string());
        let vault = json!({"store_in_vault": "ON_SUCCESS", "usage_type": "MERCHANT", "customer_type": "CONSUMER"});
        assert_eq!(body["payment_source"]["paypal"]["attributes"], json!({"vault": vault}));
        assert_eq!(body["payment_source"]["paypal"]["experience_context"]["user_action"], "PAY_NOW");
    });
}

#[test]
fn a_shop_that_may_save_nothing_takes_the_money_once() {
    with_paypal(async |setting| {
        setting.paypal.save_nothing();
        let order = setting.start_saving(1).await;
        assert_eq!(setting.start_saving(1).await, order);
        setting.take(&order).await;
        assert_eq!(setting.gateway.saved_method(&order).await, Ok(None));
        // What is refused for another reason is refused.
        let before = setting.count("/v2/checkout/orders");
        setting.paypal.next(Fault::Fail(422));
        let request = AttemptRequest { save_method: true, ..attempt(&setting.shop, 2) };
        let refused = setting.gateway.start(&request).await.expect_err("it is refused");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
        assert_eq!(setting.count("/v2/checkout/orders"), before + 1);
    });
}

#[test]
fn what_is_saved_later_is_told_by_an_event_and_asked_for_until_then() {
    with_paypal(async |setting| {
        let order = setting.start_saving(1).await;
        setting.paypal.save_later(&order);
        setting.take(&order).await;
        let early = setting.gateway.saved_method(&order).await;
        assert!(matches!(early, Err(GatewayError::Unknown(_))), "{early:?}");

        let event = setting.paypal.finish_saving(&order);
        let told = setting.told(&event).await;
        let id = event["resource"]["id"].as_str().expect("an id");
        assert_eq!(told.notice, Notice::MethodSaved { method: Some(Secret::new(id)) });
        assert_eq!(told.subject.as_ref().expect("an order").gateway_attempt_id.as_deref(), Some(order.as_str()));
        let kept = serde_json::to_string(&told).expect("it can be written");
        assert!(!kept.contains(id), "nobody can read it in the inbox: {kept}");
        let read = serde_json::from_str::<stoa_core::gateways::Notification>(&kept).expect("it can be read");
        assert_eq!(read.notice, Notice::MethodSaved { method: None });

        setting.paypal.show_saved(&order);
        assert_eq!(setting.gateway.saved_method(&order).await, Ok(Some(id.to_owned())));
        // What somebody has saved without an order is none of ours.
        let mut foreign = event;
        foreign["resource"]["metadata"] = json!(null);
        foreign["resource"].as_object_mut().expect("an object").remove("metadata");
        assert_eq!(setting.told(&foreign).await.notice, Notice::Nothing);
    });
}

#[test]
fn a_saved_method_is_charged_once_for_each_reference() {
    with_paypal(async |setting| {
        let method = setting.saved().await;
        let request = attempt(&setting.shop, 2);
        setting.paypal.next(Fault::DoAndBreakOff);
        assert!(is_unknown(&setting.charge(&request, &method).await));
        let first = setting.charge(&request, &method).await.expect("it is charged");
        assert_eq!(setting.charge(&request, &method).await.as_ref(), Ok(&first));
        assert_eq!((first.report.status, first.report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        assert_eq!(first.redirect_url, None);

        let (body, request_id) = setting.last_body("/v2/checkout/orders");
        assert_eq!(request_id, request.reference.to_string());
        let expected = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": request.reference,
                "invoice_id": format!("O-000007-{}", request.reference),
                "description": "O-000007",
                "amount": {"currency_code": "EUR", "value": "19.99"},
            }],
            "payment_source": {"paypal": {
                "vault_id": method,
                "stored_credential": {"payment_initiator": "MERCHANT", "usage": "SUBSEQUENT"},
            }},
        });
        assert_eq!(body, expected);

        let order = first.gateway_attempt_id.expect("an order");
        assert_eq!(setting.gateway.look_up(&order).await.expect("an answer"), first.report);
        assert_eq!(setting.gateway.cancel(&order).await.expect("an answer").status, AttemptStatus::Succeeded);
        assert_eq!(setting.gateway.saved_method(&order).await, Ok(None), "what is saved stays as it is");
        let back = setting.gateway.refund(&refund(1, &order, first.report.payment_id.as_deref(), euros(1_999))).await;
        assert!(back.is_ok(), "{back:?}");
    });
}

#[test]
fn a_charge_is_looked_for_once_paypal_would_make_it_again() {
    with_paypal(async |setting| {
        let method = setting.saved().await;
        let request = attempt(&setting.shop, 2);
        setting.paypal.next(Fault::DoAndBreakOff);
        assert!(is_unknown(&setting.charge(&request, &method).await));
        setting.paypal.forget_request_ids();
        assert!(is_unknown(&setting.charge(&request, &method).await), "the name of the order is taken");
        let orders = setting.count("/v2/checkout/orders");

        setting.shop.advance(TimeDelta::hours(5) + TimeDelta::seconds(1));
        assert!(is_unknown(&setting.charge(&request, &method).await), "it might not be shown yet");
        setting.shop.advance(TimeDelta::hours(4));
        setting.paypal.hide_transactions();
        assert!(is_unknown(&setting.charge(&request, &method).await), "the application may not look");
        setting.paypal.show_transactions();
        for faults in [&[Fault::Fail(500)][..], &[Fault::Pass, Fault::Fail(404)]] {
            for fault in faults {
                setting.paypal.next(*fault);
            }
            assert!(is_unknown(&setting.charge(&request, &method).await), "{faults:?}");
        }
        let found = setting.charge(&request, &method).await.expect("it is found");
        assert_eq!((found.report.status, found.report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        let order = found.gateway_attempt_id.expect("an order");
        assert_eq!(setting.paypal.order(&order)["purchase_units"][0]["custom_id"], json!(request.reference));
        // It is found too when it has gone back.
        setting.paypal.refund_elsewhere(found.report.payment_id.as_deref().expect("a capture"), "5.00");
        assert_eq!(setting.charge(&request, &method).await.expect("it is found").gateway_attempt_id, Some(order));

        let mut never = attempt(&setting.shop, 3);
        never.started_at = request.started_at;
        let refused = setting.charge(&never, &method).await;
        assert_eq!(refused, Err(GatewayError::Refused(String::from("PayPal has not charged it"))));
        assert_eq!(setting.count("/v2/checkout/orders"), orders, "nothing was asked for again");
    });
}

#[test]
fn a_declined_charge_is_refused_or_has_failed_and_another_may_succeed() {
    with_paypal(async |setting| {
        let method = setting.saved().await;
        setting.paypal.next_charge(Charge::Decline);
        let refused = setting.charge(&attempt(&setting.shop, 2), &method).await;
        let Err(GatewayError::Refused(words)) = refused else { panic!("{refused:?}") };
        assert!(words.starts_with("INSTRUMENT_DECLINED: "), "{words}");

        setting.paypal.next_charge(Charge::Deny);
        let denied = setting.charge(&attempt(&setting.shop, 3), &method).await.expect("it is an order");
        assert_eq!(denied.report.status, AttemptStatus::Failed);
        let charged = setting.charge(&attempt(&setting.shop, 4), &method).await.expect("it is charged");
        assert_eq!(charged.report.status, AttemptStatus::Succeeded);
    });
}

#[test]
fn an_order_that_wants_its_customer_is_refused_and_one_that_is_left_is_captured() {
    with_paypal(async |setting| {
        let method = setting.saved().await;
        setting.paypal.next_charge(Charge::AskCustomer);
        let refused = setting.charge(&attempt(&setting.shop, 2), &method).await;
        assert_eq!(refused, Err(GatewayError::Refused(String::from("PayPal wants the customer to agree"))));

        let before = setting.count("/capture");
        setting.paypal.next_charge(Charge::LeaveToCapture);
        let charged = setting.charge(&attempt(&setting.shop, 3), &method).await.expect("it is charged");
        assert_eq!((charged.report.status, setting.count("/capture")), (AttemptStatus::Succeeded, before + 1));
    });
}

#[test]
fn a_method_that_is_none_of_paypals_is_refused() {
    with_paypal(async |setting| {
        setting.saved().await;
        let before = setting.paypal.requests().len();
        for method in ["", "../v2", "a|b"] {
            let refused = setting.charge(&attempt(&setting.shop, 2), method).await;
            assert!(matches!(refused, Err(GatewayError::Refused(_))), "{method}: {refused:?}");
        }
        assert_eq!(setting.paypal.requests().len(), before);
        let refused = setting.charge(&attempt(&setting.shop, 2), "unknown").await;
        assert!(matches!(refused, Err(GatewayError::Refused(_))), "{refused:?}");
    });
}
