//! Stripe.

mod callbacks;
mod official;
mod payments;
mod refunds;
mod saved;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use chrono::DateTime;
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::gateways::StartedAttempt;
use stoa_core::testing::{TestGateway, TestShop, run_test};
use stoa_fakes::stripe::{Outcome, Settings, Stripe};

use crate::requests::attempt;

/// A shop that takes payments through a fake.
struct Setting {
    stripe: Stripe,
    shop: TestShop,
    gateway: TestGateway,
}

impl Setting {
    async fn new(backend: Backend) -> Self {
        let clock = Clock::manual(DateTime::from_timestamp(1_768_478_400, 0).expect("a time"));
        let told = clock.clone();
        let settings = Settings { clock: Arc::new(move || told.now().timestamp()), ..Settings::default() };
        let stripe = Stripe::start(settings).await.expect("a fake listens");
        let config = format!(
            "[payments.stripe]\nenabled = true\nsecret_key = '{}'\nwebhook_secret = '{}'\napi_base = '{}'",
            stripe.settings().secret_key,
            stripe.settings().webhook_secret,
            stripe.base_url(),
        );
        let shop = TestShop::builder(backend).clock(&clock).config(&config).open().await;
        let gateway = shop.gateway("stripe");
        Self { stripe, shop, gateway }
    }

    /// Starts an attempt; gives its id at Stripe too.
    async fn start(&self, number: u128) -> (StartedAttempt, String) {
        let started = self.gateway.start(&attempt(&self.shop, number)).await.expect("it starts");
        let id = started.gateway_attempt_id.clone().expect("a session");
        (started, id)
    }

    /// Starts an attempt that the customer pays; gives the session and the payment intent.
    async fn paid(&self, number: u128) -> (String, String) {
        let (_, id) = self.start(number).await;
        self.stripe.happens(&id, Outcome::Pay);
        let report = self.gateway.look_up(&id).await.expect("an answer");
        (id, report.payment_id.expect("a payment intent"))
    }

    /// The form of the newest request that was posted there.
    fn last_form(&self, path: &str) -> (BTreeMap<String, String>, String) {
        let requests = self.stripe.requests();
        let request = requests.iter().rfind(|request| request.path == path).expect("it was posted");
        let fields = url::form_urlencoded::parse(&request.body).into_owned().collect();
        let key = request.headers.get("idempotency-key").expect("a key").to_str().expect("text").to_owned();
        (fields, key)
    }
}

/// Runs a test. The database is not concerned.
fn with_stripe<F: Future<Output = ()>>(test: impl FnOnce(Setting) -> F) {
    run_test(Backend::Sqlite, async |backend| test(Setting::new(backend).await).await);
}
