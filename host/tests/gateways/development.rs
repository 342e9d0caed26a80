//! The gateway that settles everything at once.

use stoa_core::db::Backend;
use stoa_core::gateways::{AttemptStatus, GatewayError, RefundStatus};
use stoa_core::testing::{TestShop, run_test};

use crate::requests::{attempt, euros, money, refund};

const ENABLED: &str = "[payments.development]\nenabled = true";

#[test]
fn an_attempt_has_succeeded_as_soon_as_it_starts() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::builder(backend).config(ENABLED).open().await;
        let development = shop.gateway("development");
        let started = development.start(&attempt(&shop, 1)).await.expect("it starts");
        assert_eq!(started.report.status, AttemptStatus::Succeeded);
        assert_eq!((started.report.amount, started.redirect_url.as_deref()), (Some(euros(1_999)), None));
        assert_eq!(development.start(&attempt(&shop, 1)).await.expect("it starts again"), started);

        let id = started.gateway_attempt_id.expect("an id");
        assert_eq!(development.look_up(&id).await.expect("an answer"), started.report);
        assert_eq!(development.cancel(&id).await.expect("it is too late"), started.report);
    });
}

#[test]
fn no_more_goes_back_than_was_paid() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::builder(backend).config(ENABLED).open().await;
        let development = shop.gateway("development");
        let id = development.start(&attempt(&shop, 1)).await.expect("it starts").gateway_attempt_id.expect("an id");
        for amount in [euros(1), euros(1_999)] {
            let report = development.refund(&refund(1, &id, None, amount)).await.expect("it is refunded");
            assert_eq!(report.status, RefundStatus::Succeeded);
        }
        for (id, amount) in [(id.as_str(), euros(2_000)), (id.as_str(), money(1, "USD")), ("another", euros(1))] {
            let refused = development.refund(&refund(2, id, None, amount)).await.expect_err("it is refused");
            assert!(matches!(refused, GatewayError::Refused(_)), "{refused}");
        }
    });
}

#[test]
fn nothing_is_paid_while_it_is_off() {
    run_test(Backend::Sqlite, async |backend| {
        let shop = TestShop::new(backend).await;
        let development = shop.gateway("development");
        let refused = development.start(&attempt(&shop, 1)).await.expect_err("it is off");
        assert_eq!(refused.to_string(), "the provider refused: `payments.development.enabled` is off");
        assert!(!shop.parts.gateways.ids().contains(&"development"));
    });
}
