//! PayPal.

mod callbacks;
mod payments;
mod refunds;
mod saved;

use std::future::Future;

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::gateways::StartedAttempt;
use stoa_core::testing::{TestGateway, TestShop, run_test};
use stoa_fakes::paypal::{Paypal, Settings};

use crate::requests::attempt;

/// A shop that takes payments through a fake.
struct Setting {
    paypal: Paypal,
    shop: TestShop,
    gateway: TestGateway,
}

impl Setting {
    async fn new() -> Self {
        let paypal = Paypal::start(Settings::default()).await.expect("a fake listens");
        let Settings { client_id, client_secret, webhook_id, .. } = paypal.settings();
        let config = format!(
            "[payments.paypal]\nenabled = true\nclient_id = '{client_id}'\nclient_secret = '{client_secret}'\n\
             webhook_id = '{webhook_id}'\napi_base = '{}'",
            paypal.base_url(),
        );
        let shop = TestShop::builder(Backend::Sqlite).config(&config).open().await;
        let gateway = shop.gateway("paypal");
        Self { paypal, shop, gateway }
    }

    /// Starts an attempt; gives its id at PayPal too.
    async fn start(&self, number: u128) -> (StartedAttempt, String) {
        let started = self.gateway.start(&attempt(&self.shop, number)).await.expect("it starts");
        let id = started.gateway_attempt_id.clone().expect("an order");
        (started, id)
    }

    /// Starts an attempt that the customer pays; gives the order and the capture.
    async fn paid(&self, number: u128) -> (String, String) {
        let (_, id) = self.start(number).await;
        self.paypal.approve(&id);
        let report = self.gateway.look_up(&id).await.expect("it is captured");
        (id, report.payment_id.expect("a capture"))
    }

    /// How many requests went to addresses that end like this.
    fn count(&self, ending: &str) -> usize {
        self.paypal.requests().iter().filter(|request| request.path.ends_with(ending)).count()
    }

    /// Body and request id of the newest request that was posted there.
    fn last_body(&self, ending: &str) -> (Value, String) {
        let requests = self.paypal.requests();
        let posted = requests.iter().rfind(|request| request.method == "POST" && request.path.ends_with(ending));
        let request = posted.expect("it was posted");
        let id = request.headers["paypal-request-id"].to_str().expect("text").to_owned();
        (serde_json::from_slice(&request.body).expect("JSON"), id)
    }
}

/// Runs a test. The database is not concerned.
fn with_paypal<F: Future<Output = ()>>(test: impl FnOnce(Setting) -> F) {
    run_test(Backend::Sqlite, async |_| test(Setting::new().await).await);
}
