//! What customers have let be saved at Mollie.

use serde_json::json;
use stoa_core::gateways::{AttemptRequest, AttemptStatus, GatewayError};
use stoa_fakes::Fault;

use super::{Setting, with_mollie};
use crate::requests::{attempt, euros, refund};

impl Setting {
    /// Starts an attempt whose customer lets the method be saved; gives its id at Mollie.
    async fn start_saving(&self, number: u128) -> String {
        let request = AttemptRequest { save_method: true, ..attempt(&self.shop, number) };
        let started = self.gateway.start(&request).await.expect("it starts");
        assert!(started.redirect_url.is_some(), "{started:?}");
        started.gateway_attempt_id.expect("a payment")
    }

    /// What was saved with an attempt that the customer has paid; gives the attempt too.
    async fn saved(&self) -> (String, String) {
        let id = self.start_saving(9).await;
        self.mollie.becomes(&id, "paid");
        let method = self.gateway.saved_method(&id).await.expect("an answer");
        (id, method.expect("the customer has agreed"))
    }

    /// How often payments were asked for.
    fn posted(&self, path: &str) -> usize {
        self.mollie.requests().iter().filter(|request| request.method == "POST" && request.path == path).count()
    }
}

#[test]
fn only_who_is_to_be_charged_again_becomes_a_customer_who_agrees_to_that() {
    with_mollie(async |setting| {
        let once = setting.paid(1).await;
        assert_eq!(setting.gateway.saved_method(&once).await, Ok(None));
        let (body, _) = setting.last_body("/v2/payments");
        assert_eq!((body.get("customerId"), body.get("sequenceType")), (None, None));
        assert_eq!(setting.posted("/v2/customers"), 0);

        let (id, method) = setting.saved().await;
        assert!(method.starts_with("cst_") && method.contains("|mdt_"), "{method}");
        let request = attempt(&setting.shop, 9);
        let (customer, key) = setting.last_body("/v2/customers");
        assert_eq!(key, format!("customer-{}", request.reference));
        assert_eq!((&customer["email"], &customer["name"]), (&json!("ada@example.com"), &json!("ada@example.com")));
        let (body, key) = setting.last_body("/v2/payments");
        assert_eq!(key, request.reference.to_string());
        assert_eq!(body["sequenceType"], "first");
        assert_eq!(body["customerId"], setting.mollie.payment(&id)["customerId"]);
        assert_eq!(body["redirectUrl"], "https://front.test/thanks?order=7");
    });
}

#[test]
fn the_same_reference_makes_one_customer_and_one_first_payment() {
    with_mollie(async |setting| {
        let request = AttemptRequest { save_method: true, ..attempt(&setting.shop, 1) };
        for faults in [&[Fault::DoAndBreakOff][..], &[Fault::Pass, Fault::DoAndFail(503)]] {
            for fault in faults {
                setting.mollie.next(*fault);
            }
            let lost = setting.gateway.start(&request).await.expect_err("the answer is lost");
            assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        }
        let started = setting.gateway.start(&request).await.expect("the payment that was begun");
        let id = started.gateway_attempt_id.expect("a payment");
        assert_eq!(
            (id.as_str(), &setting.mollie.payment(&id)["customerId"]),
            ("tr_Fake000002", &json!("cst_Fake000001"))
        );
    });
}

#[test]
fn a_shop_without_ways_to_pay_that_can_be_saved_takes_the_money_once() {
    with_mollie(async |setting| {
        setting.mollie.save_nothing();
        let id = setting.start_saving(1).await;
        assert_eq!(setting.start_saving(1).await, id);
        setting.mollie.becomes(&id, "paid");
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, AttemptStatus::Succeeded);
        assert_eq!(setting.gateway.saved_method(&id).await, Ok(None));
        // What is refused for another reason is refused.
        let request = AttemptRequest { save_method: true, ..attempt(&setting.shop, 2) };
        setting.mollie.next(Fault::Fail(401));
        let refused = setting.gateway.start(&request).await.expect_err("nobody knows the key");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
        assert_eq!(setting.posted("/v2/payments"), 4);
    });
}

#[test]
fn what_nobody_may_be_charged_with_is_not_saved() {
    with_mollie(async |setting| {
        let (id, method) = setting.saved().await;
        for (member, value, is_saved) in [
            ("status", json!("pending"), true),
            ("status", json!("invalid"), false),
            ("status", json!("valid"), true),
            ("scopes", json!(["customer-present"]), false),
            ("scopes", json!(null), true),
        ] {
            setting.mollie.set_mandate(&id, member, value.clone());
            let saved = setting.gateway.saved_method(&id).await.expect("an answer");
            assert_eq!(saved, is_saved.then(|| method.clone()), "{member}: {value}");
        }
        setting.mollie.next(Fault::Pass);
        setting.mollie.next(Fault::Fail(500));
        let unknown = setting.gateway.saved_method(&id).await.expect_err("nobody knows");
        assert!(matches!(unknown, GatewayError::Unknown(_)), "{unknown}");
    });
}

#[test]
fn a_mandate_is_charged_once_for_each_reference_even_days_later() {
    with_mollie(async |setting| {
        let (_, method) = setting.saved().await;
        let mut request = attempt(&setting.shop, 2);
        request.callback_url = String::from("https://shop.example.com/webhooks/payments/mollie");
        setting.mollie.next(Fault::Pass);
        setting.mollie.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.charge_saved(&request, &method).await;
        assert!(matches!(lost, Err(GatewayError::Unknown(_))), "{lost:?}");
        setting.mollie.forget_idempotency_keys();
        let first = setting.gateway.charge_saved(&request, &method).await.expect("it is charged");
        assert_eq!(setting.gateway.charge_saved(&request, &method).await.as_ref(), Ok(&first));
        assert_eq!((first.report.status, first.report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        assert_eq!(first.redirect_url, None);

        let (customer, mandate) = method.split_once('|').expect("two ids");
        let (body, key) = setting.last_body("/v2/payments");
        assert_eq!(key, request.reference.to_string());
        let expected = json!({
            "amount": {"currency": "EUR", "value": "19.99"},
            "description": "O-000007",
            "webhookUrl": "https://shop.example.com/webhooks/payments/mollie",
            "metadata": {"reference": request.reference, "order_number": "O-000007"},
            "customerId": customer,
            "mandateId": mandate,
            "sequenceType": "recurring",
        });
        assert_eq!(body, expected);
        assert_eq!(setting.posted("/v2/payments"), 2, "the first payment, and the charge");

        let payment = first.gateway_attempt_id.expect("a payment");
        assert_eq!(setting.gateway.look_up(&payment).await, Ok(first.report));
        assert_eq!(setting.gateway.saved_method(&payment).await, Ok(Some(method)));
        let back = setting.gateway.refund(&refund(1, &payment, None, euros(1_999))).await;
        assert!(back.is_ok(), "{back:?}");
    });
}

#[test]
fn a_bank_account_is_debited_within_days() {
    with_mollie(async |setting| {
        let id = setting.start_saving(1).await;
        setting.mollie.set(&id, "method", json!("ideal"));
        setting.mollie.becomes(&id, "paid");
        let method = setting.gateway.saved_method(&id).await.expect("an answer").expect("the customer has agreed");
        for (number, becomes, expected) in [(2, "paid", AttemptStatus::Succeeded), (3, "failed", AttemptStatus::Failed)]
        {
            let charged = setting.gateway.charge_saved(&attempt(&setting.shop, number), &method).await;
            let charged = charged.expect("it is under way");
            assert_eq!(charged.report.status, AttemptStatus::Processing);
            let debit = charged.gateway_attempt_id.expect("a payment");
            setting.mollie.becomes(&debit, "open");
            assert_eq!(setting.gateway.look_up(&debit).await.expect("an answer").status, AttemptStatus::Processing);
            setting.mollie.becomes(&debit, becomes);
            assert_eq!(setting.gateway.look_up(&debit).await.expect("an answer").status, expected);
        }
    });
}

#[test]
fn a_declined_card_has_failed_in_mollies_words() {
    with_mollie(async |setting| {
        let (_, method) = setting.saved().await;
        setting.mollie.decline_next();
        let request = attempt(&setting.shop, 2);
        let declined = setting.gateway.charge_saved(&request, &method).await.expect("it is a payment");
        assert_eq!(
            (declined.report.status, declined.report.detail.as_deref()),
            (AttemptStatus::Failed, Some("Card declined."))
        );
        // The same attempt stays what it was; a new one may succeed.
        assert_eq!(setting.gateway.charge_saved(&request, &method).await, Ok(declined));
        let next = setting.gateway.charge_saved(&attempt(&setting.shop, 3), &method).await.expect("it is charged");
        assert_eq!(next.report.status, AttemptStatus::Succeeded);
    });
}

#[test]
fn a_mandate_that_is_over_and_a_method_that_is_none_of_mollies_are_refused() {
    with_mollie(async |setting| {
        let (id, method) = setting.saved().await;
        setting.mollie.set_mandate(&id, "status", json!("invalid"));
        let refused = setting.gateway.charge_saved(&attempt(&setting.shop, 2), &method).await;
        let words = "mandateId: The customer has no suitable mandates for this payment (422)";
        assert_eq!(refused, Err(GatewayError::Refused(words.to_owned())));
        for method in ["", "cst_1", "../v2|mdt_1", "cst_unknown|mdt_1"] {
            let refused = setting.gateway.charge_saved(&attempt(&setting.shop, 2), method).await;
            assert!(matches!(refused, Err(GatewayError::Refused(_))), "{method}: {refused:?}");
        }
    });
}
