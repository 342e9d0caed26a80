//! Attempts at PayPal, from their start to their end.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::gateways::{AttemptStatus, GatewayError};
use stoa_fakes::Fault;

use super::with_paypal;
use crate::requests::{attempt, euros, money};

#[test]
fn an_attempt_is_an_order_that_the_shop_will_capture() {
    with_paypal(async |setting| {
        let request = attempt(&setting.shop, 1);
        let (started, id) = setting.start(1).await;
        assert_eq!((started.report.status, started.report.amount), (AttemptStatus::Pending, Some(euros(1_999))));
        assert_eq!(started.redirect_url, Some(format!("{}/checkoutnow/{id}", setting.paypal.base_url())));

        let (body, request_id) = setting.last_body("/v2/checkout/orders");
        assert_eq!(request_id, request.reference.to_string());
        let expected = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": request.reference,
                "description": "O-000007",
                "amount": {"currency_code": "EUR", "value": "19.99"},
            }],
            "payment_source": {"paypal": {"experience_context": {
                "brand_name": "Stoa",
                "locale": "nl-NL",
                "user_action": "PAY_NOW",
                "shipping_preference": "NO_SHIPPING",
                "return_url": "https://front.test/thanks?order=7",
                "cancel_url": "https://front.test/cart",
            }}},
        });
        assert_eq!(body, expected);
    });
}

#[test]
fn one_token_serves_until_it_ends_or_is_revoked() {
    with_paypal(async |setting| {
        for number in 1..4 {
            setting.start(number).await;
        }
        assert_eq!(setting.count("/v1/oauth2/token"), 1);
        setting.shop.advance(TimeDelta::seconds(32_400 - 61));
        setting.start(4).await;
        assert_eq!(setting.count("/v1/oauth2/token"), 1);
        setting.shop.advance(TimeDelta::seconds(2));
        setting.start(5).await;
        assert_eq!(setting.count("/v1/oauth2/token"), 2);
        setting.paypal.revoke_tokens();
        setting.start(6).await;
        assert_eq!(setting.count("/v1/oauth2/token"), 3);
    });
}

#[test]
fn the_same_reference_starts_one_order() {
    with_paypal(async |setting| {
        setting.start(100).await;
        let request = attempt(&setting.shop, 1);
        setting.paypal.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.start(&request).await.expect_err("the answer is lost");
        assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        let started = setting.gateway.start(&request).await.expect("the order that was begun");
        assert_eq!(setting.gateway.start(&request).await.expect("again"), started);
        let (_, next) = setting.start(2).await;
        assert_eq!(
            (started.gateway_attempt_id.as_deref(), next.as_str()),
            (Some("000000000003ORDER"), "000000000004ORDER")
        );
    });
}

#[test]
fn an_order_that_the_customer_agreed_to_is_captured_once_when_it_is_looked_up() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, AttemptStatus::Pending);
        assert_eq!(setting.count("/capture"), 0);
        setting.paypal.approve(&id);
        // The first request is for the order, the second takes the money.
        for faults in [&[Fault::Fail(500)][..], &[Fault::Pass, Fault::DoAndBreakOff]] {
            for fault in faults {
                setting.paypal.next(*fault);
            }
            let lost = setting.gateway.look_up(&id).await.expect_err("nobody knows");
            assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        }
        let report = setting.gateway.look_up(&id).await.expect("it is captured");
        assert_eq!((report.status, report.amount), (AttemptStatus::Succeeded, Some(euros(1_999))));
        assert_eq!(setting.gateway.look_up(&id).await.expect("the same"), report);
        assert_eq!(setting.count("/capture"), 1);
        assert_eq!(
            setting.paypal.order(&id)["purchase_units"][0]["payments"]["captures"].as_array().map(Vec::len),
            Some(1)
        );
    });
}

#[test]
fn a_capture_that_somebody_else_made_meanwhile_is_found() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        setting.paypal.approve(&id);
        let (first, second) = tokio::join!(setting.gateway.look_up(&id), setting.gateway.look_up(&id));
        let (first, second) = (first.expect("an answer"), second.expect("an answer"));
        assert_eq!((first.status, &first), (AttemptStatus::Succeeded, &second));
        setting.paypal.forget_request_ids();
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer"), first);
    });
}

#[test]
fn a_declined_card_leaves_the_customer_another_try() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        setting.paypal.approve(&id);
        setting.paypal.decline_next_capture(&id);
        let report = setting.gateway.look_up(&id).await.expect("an answer");
        assert_eq!(report.status, AttemptStatus::Pending);
        assert!(report.detail.expect("a reason").starts_with("INSTRUMENT_DECLINED: "));
        setting.paypal.approve(&id);
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, AttemptStatus::Succeeded);
    });
}

#[test]
fn looking_up_tells_each_state_of_the_money() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(1).await;
        setting.paypal.approve(&id);
        setting.paypal.hold_next_capture(&id);
        let held = setting.gateway.look_up(&id).await.expect("an answer");
        assert_eq!((held.status, held.detail.as_deref()), (AttemptStatus::Processing, Some("PENDING_REVIEW")));
        for (status, expected) in [
            ("COMPLETED", AttemptStatus::Succeeded),
            ("PARTIALLY_REFUNDED", AttemptStatus::Succeeded),
            ("REFUNDED", AttemptStatus::Succeeded),
            ("DECLINED", AttemptStatus::Failed),
            ("FAILED", AttemptStatus::Failed),
        ] {
            setting.paypal.capture_becomes(&id, status);
            assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, expected, "{status}");
        }
        let (_, id) = setting.start(2).await;
        setting.paypal.order_becomes(&id, "VOIDED");
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, AttemptStatus::Cancelled);
        setting.paypal.forget_order(&id);
        assert_eq!(setting.gateway.look_up(&id).await.expect("an answer").status, AttemptStatus::Expired);
    });
}

#[test]
fn an_order_that_was_not_captured_is_cancelled_by_leaving_it_alone() {
    with_paypal(async |setting| {
        let (_, open) = setting.start(1).await;
        assert_eq!(setting.gateway.cancel(&open).await.expect("an answer").status, AttemptStatus::Cancelled);
        setting.paypal.forget_order(&open);
        assert_eq!(setting.gateway.cancel(&open).await.expect("an answer").status, AttemptStatus::Cancelled);

        let (_, agreed) = setting.start(2).await;
        setting.paypal.approve(&agreed);
        assert_eq!(setting.gateway.cancel(&agreed).await.expect("an answer").status, AttemptStatus::Processing);
        assert_eq!(setting.count("/capture"), 0, "cancelling takes no money");

        let (paid, _) = setting.paid(3).await;
        assert_eq!(setting.gateway.cancel(&paid).await.expect("an answer").status, AttemptStatus::Succeeded);
    });
}

#[test]
fn only_a_clear_no_of_paypal_is_a_refusal() {
    with_paypal(async |setting| {
        let (_, id) = setting.start(100).await;
        for (number, fault, refused) in [
            (1, Fault::Fail(400), true),
            (2, Fault::Fail(422), true),
            (3, Fault::Fail(409), false),
            (4, Fault::Fail(429), false),
            (5, Fault::Fail(500), false),
            (6, Fault::DoAndFail(503), false),
            (7, Fault::DoAndBreakOff, false),
            (8, Fault::DoAndGarble, false),
            (9, Fault::DoAndFlood, false),
        ] {
            setting.paypal.next(fault);
            let failure = setting.gateway.start(&attempt(&setting.shop, number)).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
            setting.paypal.next(fault);
            let failure = setting.gateway.cancel(&id).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
        }
    });
}

#[test]
fn wrong_credentials_are_refused_without_being_told() {
    with_paypal(async |setting| {
        let config = format!(
            "[payments.paypal]\nenabled = true\nclient_id = 'somebody'\nclient_secret = 'hunter2hunter2'\n\
             webhook_id = 'x'\napi_base = '{}'",
            setting.paypal.base_url(),
        );
        let shop = stoa_core::testing::TestShop::builder(stoa_core::db::Backend::Sqlite).config(&config).open().await;
        let refused = shop.gateway("paypal").start(&attempt(&shop, 1)).await.expect_err("nobody knows them");
        let words = String::from("invalid_client: Client Authentication failed (401)");
        assert_eq!(refused, GatewayError::Refused(words));
    });
}

#[test]
fn some_currencies_have_no_decimals() {
    with_paypal(async |setting| {
        for (number, amount, value) in
            [(1, money(1_999, "JPY"), "1999"), (2, money(199_900, "HUF"), "1999"), (3, money(5, "USD"), "0.05")]
        {
            let mut request = attempt(&setting.shop, number);
            request.amount = amount;
            assert_eq!(setting.gateway.start(&request).await.expect("it starts").report.amount, Some(amount));
            let (body, _) = setting.last_body("/v2/checkout/orders");
            assert_eq!(body["purchase_units"][0]["amount"]["value"], value);
        }
        let mut request = attempt(&setting.shop, 9);
        request.amount = money(199_950, "HUF");
        assert!(!setting.gateway.accepts(request.amount));
        let refused = setting.gateway.start(&request).await.expect_err("no such amount");
        assert_eq!(refused, GatewayError::Refused(String::from("1999.50 HUF is no amount that PayPal takes")));
    });
}
