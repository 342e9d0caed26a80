//! Payment by hand.

use http::HeaderMap;
use stoa_core::db::Backend;
use stoa_core::gateways::{AttemptStatus, CallbackError, RefundStatus};
use stoa_core::i18n::Language;
use stoa_core::testing::{TestShop, run_test};

use crate::requests::{attempt, euros, refund};

#[test]
fn an_attempt_waits_for_the_operator_and_can_always_be_cancelled() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::new(backend).await;
        let manual = shop.gateway("manual");
        let request = attempt(&shop, 1);
        let started = manual.start(&request).await.expect("it starts");
        assert_eq!((started.report.status, started.report.amount), (AttemptStatus::Pending, Some(euros(1_999))));
        assert_eq!((started.redirect_url.as_deref(), started.expires_at), (None, None));
        assert_eq!(manual.start(&request).await.expect("it starts again"), started);

        let id = started.gateway_attempt_id.expect("an id made from the reference");
        assert_eq!(id, request.reference.to_string());
        assert_eq!(manual.look_up(&id).await.expect("an answer").status, AttemptStatus::Pending);
        assert_eq!(manual.cancel(&id).await.expect("an answer").status, AttemptStatus::Cancelled);
    });
}

#[test]
fn a_refund_is_done_since_the_operator_sends_the_money() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::new(backend).await;
        let request = refund(1, "an-attempt", None, euros(500));
        let report = shop.gateway("manual").refund(&request).await.expect("it is refunded");
        assert_eq!(
            (report.status, report.gateway_refund_id),
            (RefundStatus::Succeeded, Some(request.reference.to_string()))
        );
    });
}

#[test]
fn customers_read_what_the_shop_tells_them_to_do() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::builder(backend)
            .config("[payments.manual]\nexpiry_minutes = 60\ninstructions = \"Send {amount} to X,\\nfor {order}.\"")
            .open()
            .await;
        let manual = shop.gateway("manual");
        let told = manual.instructions("O-000007", "€19.99");
        assert_eq!(told.as_deref(), Some("Send €19.99 to X,\nfor O-000007."));
        assert_eq!(manual.expiry_minutes(), Some(60));

        let plain = TestShop::new(backend).await;
        let manual = plain.gateway("manual");
        assert_eq!((manual.instructions("O-000007", "€0.01"), manual.expiry_minutes()), (None, Some(20_160)));
    });
}

#[test]
fn nobody_calls_back() {
    run_test(Backend::Sqlite, async |backend| {
        let manual = TestShop::new(backend).await.gateway("manual");
        assert!(!manual.has_callbacks());
        let refused = manual.verify(&HeaderMap::new(), b"paid").await.expect_err("it proves nothing");
        assert!(matches!(refused, CallbackError::Unverified(_)), "{refused}");
    });
}

#[test]
fn the_label_speaks_the_customers_language() {
    run_test(Backend::Sqlite, async |backend| {
        let manual = TestShop::new(backend).await.gateway("manual");
        let labels = Language::BUILT_IN.map(|language| manual.label(language));
        assert_eq!(labels, ["Bank transfer", "Überweisung", "Overschrijving"]);
    });
}
