//! A shop that takes payments through fakes, and somebody who pays there.

use std::sync::Arc;

use axum::body::Body;
use chrono::DateTime;
use http::{Method, Request};
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Sql};
use stoa_core::gateways::AttemptStatus;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::orders::{find_order, history_of};
use stoa_core::payments::{Attempt, CallbackRecord, CallbackState, find_attempt, list_callbacks};
use stoa_core::sql;
use stoa_core::testing::{TestClient, TestResponse, TestShop, TestShopBuilder};
use stoa_core::webhooks::{DeliveryFilter, EndpointKind, NewEndpoint, add_endpoint, list_deliveries};
use stoa_fakes::Callback;
use stoa_fakes::mollie::{self, Mollie};
use stoa_fakes::paypal::{self, Paypal};
use stoa_fakes::stripe::{self, Stripe};

use crate::listening::{Listening, PAID, RECORDED};

/// What everything here costs, in cents.
pub(crate) const PRICE: i64 = 1_999;

const COUNT_EVENTS: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE kind = $1");
const COUNT_PAID: Sql = sql!("SELECT COUNT(*) FROM payments WHERE order_id = $1 AND status = 'paid'");
const LIMITS: &str =
    "[limits]\nprotected = { requests = 0, per_seconds = 60 }\ncheckout = { requests = 0, per_seconds = 60 }";

/// The shop, the providers, and a customer.
pub(crate) struct Till {
    pub(crate) shop: TestShop,
    pub(crate) stripe: Stripe,
    pub(crate) mollie: Mollie,
    pub(crate) paypal: Paypal,
    pub(crate) client: TestClient,
    config: String,
    backend: Backend,
}

/// An order that is being paid.
#[derive(Debug, Clone)]
#[expect(clippy::struct_field_names, reason = "they are three different ids")]
pub(crate) struct Begun {
    pub(crate) order_id: i64,
    pub(crate) attempt_id: i64,
    /// What the provider calls the attempt.
    pub(crate) gateway_attempt_id: String,
}

/// How often everybody was told of a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Told {
    /// Events `OrderPaid`.
    pub(crate) paid: i64,
    /// Events `PaymentRecorded`.
    pub(crate) recorded: i64,
    /// Webhooks `order.paid`.
    pub(crate) order_paid: usize,
    /// Webhooks `payment.recorded`.
    pub(crate) payment_recorded: usize,
}

/// Everybody was told once.
pub(crate) const ONCE: Told = Told { paid: 1, recorded: 1, order_paid: 1, payment_recorded: 1 };

impl Till {
    pub(crate) async fn new(backend: Backend) -> Self {
        Self::with(backend, "").await
    }

    /// The same with more configuration.
    pub(crate) async fn with(backend: Backend, more: &str) -> Self {
        let clock = Clock::manual(DateTime::from_timestamp(1_768_478_400, 0).expect("a time"));
        let told = clock.clone();
        let settings = stripe::Settings { clock: Arc::new(move || told.now().timestamp()), ..Default::default() };
        let stripe = Stripe::start(settings).await.expect("a fake listens");
        let mollie = Mollie::start(mollie::Settings::default()).await.expect("a fake listens");
        let paypal = Paypal::start(paypal::Settings::default()).await.expect("a fake listens");
        let config = format!(
            "{LIMITS}\n[payments.stripe]\nenabled = true\nsecret_key = '{}'\nwebhook_secret = '{}'\napi_base = '{}'\n\
             [payments.mollie]\nenabled = true\napi_key = '{}'\napi_base = '{}'\n\
             [payments.paypal]\nenabled = true\nclient_id = '{}'\nclient_secret = '{}'\nwebhook_id = '{}'\n\
             api_base = '{}'\n{more}",
            stripe.settings().secret_key,
            stripe.settings().webhook_secret,
            stripe.base_url(),
            mollie.settings().api_key,
            mollie.base_url(),
            paypal.settings().client_id,
            paypal.settings().client_secret,
            paypal.settings().webhook_id,
            paypal.base_url(),
        );
        let shop = TestShop::builder(backend).clock(&clock).module::<Listening>().config(&config).open().await;
        shop.stock(&[json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": PRICE})]).await;
        let customer = shop.customer().await;
        let client = shop.client().token(&customer, &["*"]).await;
        Self { shop, stripe, mollie, paypal, client, config, backend }
    }

    /// A second instance of the shop on the same database.
    pub(crate) async fn second_instance(&self) -> TestShop {
        self.another().open().await
    }

    /// The same with a console.
    pub(crate) async fn instance_with_console(&self) -> TestShop {
        self.another().console(Arc::new(stoa_console::register)).open().await
    }

    fn another(&self) -> TestShopBuilder {
        let builder = TestShop::builder(self.backend).on(self.shop.database()).clock(&self.shop.clock).seed(2);
        builder.module::<Listening>().config(&self.config)
    }

    /// Places an order that will be paid through this gateway; gives its id.
    pub(crate) async fn order(&self, gateway: &str) -> i64 {
        let product = self.client.get("/products/lamp").await.expect_status(200).json();
        let line = json!({"product_id": product["data"]["id"], "quantity": 1});
        self.client.post("/cart", &line).await.expect_status(200);
        let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                             "country": "NL"});
        let checkout = json!({"billing": billing, "payment_method": gateway});
        let order = self.client.post("/checkout", &checkout).await.expect_status(201).json();
        order["data"]["id"].as_i64().expect("an id")
    }

    /// Tries to pay an order.
    pub(crate) async fn try_to_pay(&self, order_id: i64, gateway: &str) -> TestResponse {
        let body = json!({"gateway": gateway, "return_url": "https://front.example/thanks",
                          "cancel_url": "https://front.example/cart"});
        self.client.post(&format!("/orders/{order_id}/pay"), &body).await
    }

    /// Begins to pay an order.
    pub(crate) async fn pay(&self, order_id: i64, gateway: &str) -> Begun {
        let attempt = self.try_to_pay(order_id, gateway).await.expect_status(200).json()["data"].clone();
        assert_eq!((&attempt["status"], &attempt["amount"]), (&json!("pending"), &json!(PRICE)));
        assert!(attempt["redirect_url"].is_string(), "{attempt}");
        let attempt_id = attempt["attempt_id"].as_i64().expect("an id");
        let gateway_attempt_id = self.attempt(attempt_id).await.gateway_attempt_id.expect("the provider has answered");
        Begun { order_id, attempt_id, gateway_attempt_id }
    }

    /// Places an order and begins to pay it.
    pub(crate) async fn begin(&self, gateway: &str) -> Begun {
        let order_id = self.order(gateway).await;
        self.pay(order_id, gateway).await
    }

    /// Brings a callback to the shop.
    pub(crate) async fn call(&self, gateway: &str, callback: &Callback) -> TestResponse {
        call(&self.shop.client(), gateway, callback).await
    }

    /// Brings a callback that is taken, and seen for the first time; gives it as it was kept.
    pub(crate) async fn tell(&self, gateway: &str, callback: &Callback) -> CallbackRecord {
        let answer = self.call(gateway, callback).await.expect_status(200).json();
        assert_eq!((&answer["ok"], &answer["duplicate"]), (&json!(true), &json!(false)), "{answer}");
        self.callback(answer["id"].as_i64().expect("an id")).await
    }

    /// The same with an event of Stripe.
    pub(crate) async fn tell_stripe(&self, event: &Value) -> CallbackRecord {
        self.tell("stripe", &self.stripe.callback(event)).await
    }

    /// Everything that is in the inbox, newest first.
    pub(crate) async fn callbacks(&self) -> Vec<CallbackRecord> {
        list_callbacks(&self.shop.parts.db, None, None, 1_000).await.expect("they are read")
    }

    /// What is in the inbox under an id.
    pub(crate) async fn callback(&self, id: i64) -> CallbackRecord {
        self.callbacks().await.into_iter().find(|callback| callback.id == id).expect("it is kept")
    }

    pub(crate) async fn attempt(&self, id: i64) -> Attempt {
        find_attempt(&self.shop.parts.db, id).await.expect("it is read").expect("it is there")
    }

    pub(crate) async fn attempt_status(&self, begun: &Begun) -> AttemptStatus {
        self.attempt(begun.attempt_id).await.status
    }

    /// Status and payment status of an order, as its customer sees them.
    pub(crate) async fn states(&self, order_id: i64) -> (String, String) {
        let order = self.client.get(&format!("/orders/{order_id}")).await.expect_status(200).json();
        let text = |member: &str| order["data"][member].as_str().unwrap_or_default().to_owned();
        (text("status"), text("payment_status"))
    }

    #[track_caller]
    pub(crate) fn assert_states(found: &(String, String), status: &str, payment_status: &str) {
        assert_eq!((found.0.as_str(), found.1.as_str()), (status, payment_status));
    }

    /// Why the operator shall look at an order.
    pub(crate) async fn review(&self, order_id: i64) -> Option<String> {
        let parts = &self.shop.parts;
        find_order(&parts.db, &parts.money, order_id).await.expect("it is read").expect("it is there").review_reason
    }

    /// How often something stands in an order's history.
    pub(crate) async fn history(&self, order_id: i64, action: &str) -> usize {
        let entries = history_of(&self.shop.parts.db, order_id).await.expect("it is read");
        entries.iter().filter(|entry| entry.action == action).count()
    }

    /// Subscribes somebody to what is sent about payments; jobs are not run after this.
    pub(crate) async fn subscribe(&self) {
        let events = vec![String::from("order.paid"), String::from("payment.recorded")];
        let url = String::from("https://receiver.example/hook");
        let endpoint = NewEndpoint { url, kind: EndpointKind::Http, events, secret: None };
        add_endpoint(
            &self.shop.parts.db,
            &self.shop.parts.random,
            &self.shop.parts.cipher,
            &self.shop.parts.config,
            endpoint,
        )
        .await
        .expect("it is added");
    }

    /// How often everybody was told of the one payment of this shop.
    pub(crate) async fn told(&self) -> Told {
        let db = &self.shop.parts.db;
        let events = async |listener: &str| db.read(COUNT_EVENTS).bind(listener).scalar().await.expect("counted");
        let webhooks = async |event: &str| {
            let filter = DeliveryFilter { event: Some(event.to_owned()), ..DeliveryFilter::default() };
            list_deliveries(db, &filter, 1_000).await.expect("they are read").len()
        };
        Told {
            paid: events(PAID).await,
            recorded: events(RECORDED).await,
            order_paid: webhooks("order.paid").await,
            payment_recorded: webhooks("payment.recorded").await,
        }
    }

    /// How many payments of an order were made.
    pub(crate) async fn payments(&self, order_id: i64) -> i64 {
        self.shop.parts.db.read(COUNT_PAID).bind(order_id).scalar().await.expect("they are counted")
    }

    /// Runs the job that asks providers.
    pub(crate) async fn reconcile(&self) {
        reconcile(&self.shop).await;
    }
}

/// Brings a callback to a shop.
pub(crate) async fn call(client: &TestClient, gateway: &str, callback: &Callback) -> TestResponse {
    client.send(request(client, gateway, callback, Body::from(callback.body.clone()))).await
}

/// The request that brings a callback, with its body in the way it is sent.
pub(crate) fn request(client: &TestClient, gateway: &str, callback: &Callback, body: Body) -> Request<Body> {
    let mut request = client.site_request(Method::POST, &format!("/webhooks/payments/{gateway}"), body);
    request.headers_mut().extend(callback.headers.clone());
    request
}

/// Runs the job that asks providers, on one of several instances.
pub(crate) async fn reconcile(shop: &TestShop) {
    let ran = run_job(&shop.parts, &shop.registry.jobs, "payments.reconcile", shop.clock.clone()).await;
    assert_eq!(ran.expect("the database is there"), RunOutcome::Done);
}

#[track_caller]
pub(crate) fn assert_state(callback: &CallbackRecord, state: CallbackState) {
    assert_eq!(callback.state, state, "{callback:?}");
}
