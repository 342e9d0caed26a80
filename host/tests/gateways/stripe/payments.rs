//! Attempts at Stripe, from their start to their end.

use chrono::{DateTime, TimeDelta};
use stoa_core::db::Backend;
use stoa_core::gateways::{AttemptStatus, GatewayError};
use stoa_core::testing::{TestShop, run_test};
use stoa_fakes::Fault;
use stoa_fakes::stripe::{Outcome, VERSION};

use super::with_stripe;
use crate::requests::{attempt, euros, money};

#[test]
fn what_stripe_is_asked_for_is_the_version_that_operators_are_told() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/sell/payments.md");
    let told = std::fs::read_to_string(page).expect("the page is there");
    assert!(told.contains(&format!("`{VERSION}`, which the shop's own requests name too")), "{VERSION}");
    // The fake refuses every other version.
    with_stripe(async |setting| assert_eq!(setting.start(1).await.0.report.status, AttemptStatus::Pending));
}

#[test]
fn an_attempt_is_a_session_with_the_whole_order_as_one_line() {
    with_stripe(async |setting| {
        let request = attempt(&setting.shop, 1);
        let (started, id) = setting.start(1).await;
        assert_eq!((started.report.status, started.report.amount), (AttemptStatus::Pending, Some(euros(1_999))));
        let page = format!("{}/pay/{id}", setting.stripe.base_url());
        assert_eq!(started.redirect_url, Some(page));

        let (form, key) = setting.last_form("/v1/checkout/sessions");
        let reference = request.reference.to_string();
        assert_eq!(key, reference);
        for (field, expected) in [
            ("mode", "payment"),
            ("line_items[0][quantity]", "1"),
            ("line_items[0][price_data][currency]", "eur"),
            ("line_items[0][price_data][unit_amount]", "1999"),
            ("line_items[0][price_data][product_data][name]", "O-000007"),
            ("client_reference_id", &reference),
            ("metadata[reference]", &reference),
            ("payment_intent_data[metadata][reference]", &reference),
            ("success_url", "https://front.test/thanks?order=7"),
            ("cancel_url", "https://front.test/cart"),
            ("customer_email", "ada@example.com"),
            ("locale", "nl"),
            ("adaptive_pricing[enabled]", "false"),
        ] {
            assert_eq!(form.get(field).map(String::as_str), Some(expected), "{field}");
        }
    });
}

#[test]
fn a_session_ends_with_the_order_within_what_stripe_allows() {
    with_stripe(async |setting| {
        let now = setting.shop.now();
        let day = TimeDelta::minutes(23 * 60 + 50);
        for (number, wanted, expected) in [
            (1, Some(TimeDelta::minutes(1)), TimeDelta::minutes(35)),
            (2, Some(TimeDelta::hours(2)), TimeDelta::hours(2)),
            (3, Some(TimeDelta::days(14)), day),
            (4, None, day),
        ] {
            let mut request = attempt(&setting.shop, number);
            request.expires_at = wanted.map(|wanted| now + wanted);
            let started = setting.gateway.start(&request).await.expect("it starts");
            let whole_seconds = DateTime::from_timestamp((now + expected).timestamp(), 0);
            assert_eq!(started.expires_at, whole_seconds, "{wanted:?}");
        }
    });
}

#[test]
fn the_same_reference_starts_one_session_even_a_moment_later() {
    with_stripe(async |setting| {
        let request = attempt(&setting.shop, 1);
        setting.stripe.next(Fault::DoAndBreakOff);
        let lost = setting.gateway.start(&request).await.expect_err("the answer is lost");
        assert!(matches!(lost, GatewayError::Unknown(_)), "{lost}");
        setting.shop.advance(TimeDelta::minutes(3));
        let started = setting.gateway.start(&request).await.expect("the session that was begun");
        assert_eq!(setting.gateway.start(&request).await.expect("again"), started);
        let sessions = setting.stripe.requests().len();
        assert_eq!(sessions, 3);
        let id = started.gateway_attempt_id.expect("an id");
        assert!(id.ends_with("000000000001"), "{id} is the first");
    });
}

#[test]
fn another_request_under_the_same_reference_is_never_taken_for_refused() {
    with_stripe(async |setting| {
        let mut request = attempt(&setting.shop, 1);
        setting.gateway.start(&request).await.expect("it starts");
        request.amount = euros(2_000);
        let confused = setting.gateway.start(&request).await.expect_err("it was for another amount");
        assert!(matches!(confused, GatewayError::Unknown(_)), "{confused}");
    });
}

#[test]
fn looking_up_tells_each_state() {
    with_stripe(async |setting| {
        for (number, outcomes, expected) in [
            (1, &[][..], AttemptStatus::Pending),
            (2, &[Outcome::Pay], AttemptStatus::Succeeded),
            (3, &[Outcome::PayLater], AttemptStatus::Processing),
            (4, &[Outcome::PayLater, Outcome::MoneyArrives], AttemptStatus::Succeeded),
            (5, &[Outcome::PayLater, Outcome::MoneyFails], AttemptStatus::Failed),
            (6, &[Outcome::Expire], AttemptStatus::Expired),
        ] {
            let (_, id) = setting.start(number).await;
            for outcome in outcomes {
                setting.stripe.happens(&id, *outcome);
            }
            let report = setting.gateway.look_up(&id).await.expect("an answer");
            assert_eq!((report.status, report.amount), (expected, Some(euros(1_999))), "{outcomes:?}");
            let has_paid = !matches!(outcomes, [] | [Outcome::Expire]);
            assert_eq!(report.payment_id.is_some(), has_paid, "{outcomes:?}");
            let detail = (expected == AttemptStatus::Failed).then_some("The bank refused the debit.");
            assert_eq!(report.detail.as_deref(), detail);
        }
    });
}

#[test]
fn cancelling_ends_an_open_session_and_tells_what_came_first() {
    with_stripe(async |setting| {
        for (number, outcomes, expected) in [
            (1, &[][..], AttemptStatus::Cancelled),
            (2, &[Outcome::Pay], AttemptStatus::Succeeded),
            (3, &[Outcome::PayLater], AttemptStatus::Processing),
            (4, &[Outcome::PayLater, Outcome::MoneyFails], AttemptStatus::Failed),
            (5, &[Outcome::Expire], AttemptStatus::Cancelled),
        ] {
            let (_, id) = setting.start(number).await;
            for outcome in outcomes {
                setting.stripe.happens(&id, *outcome);
            }
            for _ in 0..2 {
                let report = setting.gateway.cancel(&id).await.expect("an answer");
                assert_eq!(report.status, expected, "{outcomes:?}");
            }
            if outcomes.is_empty() {
                assert_eq!(setting.stripe.session(&id)["status"], "expired");
            }
        }
    });
}

#[test]
fn only_a_clear_no_of_stripe_is_a_refusal() {
    with_stripe(async |setting| {
        let (_, id) = setting.start(100).await;
        for (number, fault, refused) in [
            (1, Fault::Fail(400), true),
            (2, Fault::Fail(402), true),
            (3, Fault::Fail(409), false),
            (4, Fault::Fail(429), false),
            (5, Fault::Fail(500), false),
            (6, Fault::Fail(503), false),
            (7, Fault::DoAndFail(502), false),
            (8, Fault::DoAndBreakOff, false),
            (9, Fault::DoAndGarble, false),
            (10, Fault::DoAndFlood, false),
        ] {
            setting.stripe.next(fault);
            let failure = setting.gateway.start(&attempt(&setting.shop, number)).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
            assert!(!failure.to_string().contains("sk_"), "{failure}");
            setting.stripe.next(fault);
            let failure = setting.gateway.look_up(&id).await.expect_err("it fails");
            assert_eq!(matches!(failure, GatewayError::Refused(_)), refused, "{fault:?}: {failure}");
        }
        setting.gateway.look_up("cs_test_unknown").await.expect_err("there is no such session");
    });
}

#[test]
fn a_provider_that_is_not_there_leaves_everything_open() {
    run_test(Backend::Sqlite, async |backend| {
        let config = "[payments.stripe]\nenabled = true\nsecret_key = 'sk_test_0123456789'\n\
                      webhook_secret = 'whsec_0123456789'\napi_base = 'http://127.0.0.1:1'";
        let shop = TestShop::builder(backend).config(config).open().await;
        let failure = shop.gateway("stripe").start(&attempt(&shop, 1)).await.expect_err("nobody is there");
        assert_eq!(failure, GatewayError::Unknown(String::from("it cannot be reached")));
    });
}

#[test]
fn a_wrong_key_is_refused_and_a_missing_one_is_named() {
    with_stripe(async |setting| {
        let config = format!(
            "[payments.stripe]\nenabled = true\nsecret_key = 'sk_test_another'\nwebhook_secret = 'whsec_0123456789'\n\
             api_base = '{}'",
            setting.stripe.base_url(),
        );
        let shop = TestShop::builder(Backend::Sqlite).config(&config).open().await;
        let refused = shop.gateway("stripe").look_up("cs_test_1").await.expect_err("the key is wrong");
        assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
        assert!(!refused.to_string().contains("sk_test_another"), "{refused}");

        let without = TestShop::new(Backend::Sqlite).await;
        let refused = without.gateway("stripe").look_up("cs_test_1").await.expect_err("there is no key");
        assert_eq!(refused.to_string(), "the provider refused: `payments.stripe.secret_key` is not set");
    });
}

#[test]
fn an_id_from_elsewhere_leads_to_no_other_address() {
    with_stripe(async |setting| {
        for id in ["../refunds", "x?y", "", "a/b"] {
            setting.gateway.look_up(id).await.expect_err("no session");
            setting.gateway.cancel(id).await.expect_err("no session");
        }
        assert_eq!(setting.stripe.requests().len(), 0);
    });
}

#[test]
fn other_currencies_are_told_in_stripes_units() {
    with_stripe(async |setting| {
        for (number, amount, unit) in
            [(1, money(5_000, "JPY"), "5000"), (2, money(500, "ISK"), "50000"), (3, money(5_120, "KWD"), "5120")]
        {
            let mut request = attempt(&setting.shop, number);
            request.amount = amount;
            assert!(setting.gateway.accepts(amount));
            let started = setting.gateway.start(&request).await.expect("it starts");
            assert_eq!(started.report.amount, Some(amount));
            let (form, _) = setting.last_form("/v1/checkout/sessions");
            assert_eq!(form["line_items[0][price_data][unit_amount]"], unit);
        }
        let mut request = attempt(&setting.shop, 9);
        request.amount = money(5_124, "KWD");
        assert!(!setting.gateway.accepts(request.amount));
        let refused = setting.gateway.start(&request).await.expect_err("no such amount");
        assert_eq!(refused, GatewayError::Refused(String::from("5.124 KWD is no amount that Stripe takes")));
    });
}
