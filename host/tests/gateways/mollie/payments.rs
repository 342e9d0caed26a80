//! Attempts at Mollie, from their start to their end.

use serde_json::json;
use stoa_core::gateways::{AttemptStatus, GatewayError};
use stoa_fakes::Fault;

use super::with_mollie;
use crate::requests::{attempt, euros, money};

#[test]
fn an_attempt_is_a_payment_that_names_the_order() {
    with_mollie(async |setting| {
        let request = attempt(&setting.shop, 1);
        let (started, id) = setting.start(1).await;
        assert_eq!((started.report.status, started.report.amount), (AttemptStatus::Pending, Some(euros(1_999))));
        assert_eq!(started.redirect_url, Some(format!("{}/pay/{id}", setting.mollie.base_url())));
        assert_eq!(started.expires_at.expect("a time").to_rfc3339(), "2026-01-15T12:15:00+00:00");

        let (body, key) = setting.last_body("/v2/payments");
        assert_eq!(key, request.reference.to_string());
        let expected = json!({
            "amount": {"currency": "EUR", "value": "19.99"},
            "description": "O-000007",
            "redirectUrl": "https://front.test/thanks?order=7",
            "cancelUrl": "https://front.test/cart",
            "locale": "nl_NL",
            "metadata": {"reference": request.reference, "order_number": "O-000007"},
        });
        assert_eq!(body, expected, "without an address for callbacks that Mollie could not reach");
    });
}

#[test]
fn callbacks_go_to_a_shop_on_the_internet_only() {
    with_mollie(async |setting| {
        for (number, address, named) in [
            (1, "https://shop.example.com/webhooks/payments/mollie", true),
            (2, "http://localhost:8080/webhooks/payments/mollie", false),
            (3, "http://192.168.1.7/webhooks/payments/mollie", false),
        ] {
            let mut request = attempt(&setting.shop, number);
            address.clone_into(&mut request.callback_url);
            setting.gateway.start(&request).await.expect("it starts");
            let (body, _) = setting.last_body("/v2/payments");
            assert_eq!(body.get("webhookUrl"), named.then(|| json!(address)).as_ref(), "{address}");
        }
    });
}

#[test]
fn the_same_reference_starts_one_payment() {
    with_mollie(async |setting| {
        let request = attempt(&setting.shop, 1);
        setting.mollie.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.start(&request).await.expect_err("the answer is lost");
        assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        let started = setting.gateway.start(&request).await.expect("the payment that was begun");
        assert_eq!(setting.gateway.start(&request).await.expect("again"), started);
        assert_eq!(started.gateway_attempt_id.as_deref(), Some("tr_Fake000001"));
        let (_, second) = setting.start(2).await;
        assert_eq!(second, "tr_Fake000002");
    });
}

#[test]
fn looking_up_tells_each_state() {
    with_mollie(async |setting| {
        for (number, status, expected) in [
            (1, "open", AttemptStatus::Pending),
            (2, "pending", AttemptStatus::Processing),
            (3, "authorized", AttemptStatus::Processing),
            (4, "paid", AttemptStatus::Succeeded),
            (5, "failed", AttemptStatus::Failed),
            (6, "canceled", AttemptStatus::Cancelled),
            (7, "expired", AttemptStatus::Expired),
        ] {
            let (_, id) = setting.start(number).await;
            setting.mollie.becomes(&id, status);
            let report = setting.gateway.look_up(&id).await.expect("an answer");
            assert_eq!((report.status, report.amount), (expected, Some(euros(1_999))), "{status}");
            assert_eq!(report.payment_id, Some(id));
            assert_eq!(report.detail.as_deref(), (status == "failed").then_some("Card declined."));
        }
        let (_, id) = setting.start(8).await;
        setting.mollie.becomes(&id, "dreaming");
        let failure = setting.gateway.look_up(&id).await.expect_err("that is no state");
        assert!(matches!(failure, GatewayError::Unknown(_)), "{failure}");
    });
}

#[test]
fn cancelling_ends_what_mollie_lets_be_ended_and_tells_what_came_first() {
    with_mollie(async |setting| {
        for (number, status, expected) in [
            (1, "open", AttemptStatus::Cancelled),
            (2, "pending", AttemptStatus::Processing),
            (3, "paid", AttemptStatus::Succeeded),
            (4, "failed", AttemptStatus::Failed),
            (5, "canceled", AttemptStatus::Cancelled),
            (6, "expired", AttemptStatus::Cancelled),
        ] {
            let (_, id) = setting.start(number).await;
            setting.mollie.becomes(&id, status);
            for _ in 0..2 {
                assert_eq!(setting.gateway.cancel(&id).await.expect("an answer").status, expected, "{status}");
            }
        }
        let (_, id) = setting.start(7).await;
        setting.mollie.set(&id, "isCancelable", json!(false));
        let refused = setting.gateway.cancel(&id).await.expect_err("it stays open");
        assert_eq!(refused, GatewayError::Refused(String::from("The payment cannot be cancelled (422)")));
    });
}

#[test]
fn only_a_clear_no_of_mollie_is_a_refusal() {
    with_mollie(async |setting| {
        let (_, id) = setting.start(100).await;
        for (number, fault, refused) in [
            (1, Fault::Fail(422), true),
            (2, Fault::Fail(401), true),
            (3, Fault::Fail(409), false),
            (4, Fault::Fail(429), false),
            (5, Fault::Fail(500), false),
            (6, Fault::DoAndFail(503), false),
            (7, Fault::DoAndBreakOff, false),
            (8, Fault::DoAndGarble, false),
            (9, Fault::DoAndFlood, false),
        ] {
            setting.mollie.next(fault);
            let failure = setting.gateway.start(&attempt(&setting.shop, number)).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
            setting.mollie.next(fault);
            let failure = setting.gateway.look_up(&id).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
            setting.mollie.next(fault);
            if refused {
                setting.gateway.look_up(&id).await.expect_err("it fails");
            } else {
                let failure = setting.gateway.cancel(&id).await.expect_err("it fails");
                assert!(matches!(failure, GatewayError::Unknown(_)), "{fault:?}: {failure}");
            }
        }
        let refused = setting.gateway.look_up("tr_unknown").await.expect_err("there is no such payment");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
        setting.gateway.look_up("../v2/methods").await.expect_err("no payment has such an id");
    });
}

#[test]
fn amounts_have_the_decimals_of_their_currency() {
    with_mollie(async |setting| {
        for (number, amount, value) in
            [(1, money(1_999, "JPY"), "1999"), (2, money(1_045, "HUF"), "10.45"), (3, money(5, "EUR"), "0.05")]
        {
            let mut request = attempt(&setting.shop, number);
            request.amount = amount;
            assert_eq!(setting.gateway.start(&request).await.expect("it starts").report.amount, Some(amount));
            assert_eq!(setting.last_body("/v2/payments").0["amount"]["value"], value);
        }
        let mut request = attempt(&setting.shop, 9);
        request.amount = money(5_120, "KWD");
        assert!(!setting.gateway.accepts(request.amount));
        let refused = setting.gateway.start(&request).await.expect_err("no such currency");
        assert_eq!(refused, GatewayError::Refused(String::from("5.120 KWD is no amount that Mollie takes")));
    });
}
