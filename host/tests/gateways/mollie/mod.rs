//! Mollie.

mod callbacks;
mod payments;
mod refunds;
mod saved;
mod subscription;

use std::future::Future;

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::gateways::{CallbackError, Notification, StartedAttempt};
use stoa_core::testing::{TestGateway, TestShop, run_test};
use stoa_fakes::Callback;
use stoa_fakes::mollie::{Mollie, Settings};

use crate::requests::attempt;

/// A shop that takes payments through a fake.
struct Setting {
    mollie: Mollie,
    shop: TestShop,
    gateway: TestGateway,
}

impl Setting {
    /// With more lines in the section of Mollie.
    async fn new(more: &str) -> Self {
        let mollie = Mollie::start(Settings::default()).await.expect("a fake listens");
        let (key, base) = (mollie.settings().api_key.clone(), mollie.base_url());
        let config = format!("[payments.mollie]\nenabled = true\napi_key = '{key}'\napi_base = '{base}'\n{more}");
        let shop = TestShop::builder(Backend::Sqlite).config(&config).open().await;
        let gateway = shop.gateway("mollie");
        Self { mollie, shop, gateway }
    }

    /// Starts an attempt; gives its id at Mollie too.
    async fn start(&self, number: u128) -> (StartedAttempt, String) {
        let started = self.gateway.start(&attempt(&self.shop, number)).await.expect("it starts");
        let id = started.gateway_attempt_id.clone().expect("a payment");
        (started, id)
    }

    /// Starts an attempt that the customer pays.
    async fn paid(&self, number: u128) -> String {
        let (_, id) = self.start(number).await;
        self.mollie.becomes(&id, "paid");
        id
    }

    /// What the gateway says about a callback.
    async fn verify(&self, callback: &Callback) -> Result<Notification, CallbackError> {
        self.gateway.verify(&callback.headers, &callback.body).await
    }

    /// Body and idempotency key of the newest request that was posted there.
    fn last_body(&self, path: &str) -> (Value, String) {
        let requests = self.mollie.requests();
        let posted = |path: &str| requests.iter().rfind(|request| request.method == "POST" && request.path == path);
        let request = posted(path).expect("it was posted");
        let key = request.headers["idempotency-key"].to_str().expect("text").to_owned();
        (serde_json::from_slice(&request.body).expect("JSON"), key)
    }
}

/// Runs a test. The database is not concerned.
fn with_mollie<F: Future<Output = ()>>(test: impl FnOnce(Setting) -> F) {
    run_test(Backend::Sqlite, async |_| test(Setting::new("").await).await);
}
