//! Customers of a shop that is killed again and again: they repeat a request until it is answered, and remember every answer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::Value;
use stoa_core::testing::{Published, TestResponse};
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::shelf::checkout;

/// No request is repeated for longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long a customer waits before asking a shop again that is not there.
const PAUSE: Duration = Duration::from_millis(20);

/// Where the servers listen now, and whether customers shall go on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scene {
    pub(crate) addresses: Vec<String>,
    /// Whether their database is away at times, of which they tell with 500 and 503.
    pub(crate) has_outages: bool,
    /// How long a customer does nothing after buying.
    pub(crate) pause: Duration,
    pub(crate) is_over: bool,
}

/// What customers were told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Orders whose placing was answered with 200 or 201.
    pub(crate) placed: BTreeSet<i64>,
    /// Orders of which a customer was told that they are paid, or that the report of it was taken.
    pub(crate) paid: BTreeSet<i64>,
    /// Requests without an answer.
    pub(crate) unanswered: usize,
    /// Orders that had been placed by a request without an answer.
    pub(crate) placed_unheard: usize,
}

impl Told {
    /// Adds what another customer was told.
    pub(crate) fn add(&mut self, mut other: Self) {
        let before = self.placed.len() + other.placed.len();
        self.placed.append(&mut other.placed);
        assert_eq!(self.placed.len(), before, "an order belongs to two customers");
        self.paid.append(&mut other.paid);
        self.unanswered += other.unanswered;
        self.placed_unheard += other.placed_unheard;
    }
}

/// An answer, with how often the request got none before.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Value,
    pub(crate) unanswered: usize,
}

/// How a customer reaches the shop.
pub(crate) struct Caller {
    pub(crate) number: usize,
    pub(crate) token: String,
    pub(crate) http: reqwest::Client,
    /// What answers are held against.
    pub(crate) published: Arc<Published>,
    pub(crate) scene: watch::Receiver<Scene>,
    /// How often customers got what they are waited for, from the servers that run now.
    pub(crate) progress: Arc<watch::Sender<usize>>,
}

impl Caller {
    /// Whether to stop.
    pub(crate) fn is_over(&self) -> bool {
        self.scene.borrow().is_over
    }

    /// Tells whoever kills that it is worth doing so.
    pub(crate) fn got_on(&self) {
        self.progress.send_modify(|times| *times += 1);
    }

    /// Places what is in the cart, and gives the order.
    pub(crate) async fn place(&self, turn: usize, gateway: &str, told: &mut Told) -> i64 {
        let key = format!("{}-{turn}", self.number);
        let answer = self.post(turn, "/checkout", &checkout(gateway), &[("idempotency-key", &key)]).await;
        assert!(matches!(answer.status, 200 | 201), "{} {}", answer.status, answer.body);
        let order_id = answer.body["data"]["id"].as_i64().expect("an id");
        assert!(told.placed.insert(order_id), "order {order_id} was given for two requests");
        told.unanswered += answer.unanswered;
        told.placed_unheard += usize::from(answer.status == 200);
        order_id
    }

    /// Sends a request to the API until it is answered.
    pub(crate) async fn post(&self, turn: usize, path: &str, body: &Value, headers: &[(&'static str, &str)]) -> Answer {
        self.api(turn, Method::POST, path, body, headers).await
    }

    /// The same with any method.
    pub(crate) async fn api(
        &self,
        turn: usize,
        method: Method,
        path: &str,
        body: &Value,
        headers: &[(&'static str, &str)],
    ) -> Answer {
        let request = |address: &str| {
            let url = format!("http://{address}/api/v1{path}");
            let mut request = self.http.request(method.clone(), url).bearer_auth(&self.token);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            request.json(body)
        };
        self.repeat(turn, request).await
    }

    /// Does nothing for as long as customers shall.
    pub(crate) async fn pause(&self) {
        let pause = self.scene.borrow().pause;
        sleep(pause).await;
    }

    /// Sends a request until it is answered, to one server after the other.
    pub(crate) async fn repeat(&self, turn: usize, request: impl Fn(&str) -> reqwest::RequestBuilder) -> Answer {
        let until = Instant::now() + PATIENCE;
        let mut unanswered = 0;
        while Instant::now() < until {
            let addresses = self.scene.borrow().addresses.clone();
            if !addresses.is_empty() {
                let address = &addresses[(self.number + turn + unanswered) % addresses.len()];
                if let Some(answer) = self.exchange(request(address)).await {
                    return Answer { status: answer.status.as_u16(), body: answer.json(), unanswered };
                }
                unanswered += 1;
            }
            sleep(PAUSE).await;
        }
        panic!("customer {} got no answer within {PATIENCE:?}", self.number);
    }

    /// Sends a request once; none without a whole answer, which must be as the shop's document says, or with one that tells of
    /// an outage where there are some.
    async fn exchange(&self, request: reqwest::RequestBuilder) -> Option<TestResponse> {
        let request = request.build().expect("tests make requests correctly");
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let response = self.http.execute(request).await.ok()?;
        let (status, headers) = (response.status(), response.headers().clone());
        let answer = TestResponse::new(status, headers, response.bytes().await.ok()?);
        self.published.expect(&method, &path, &answer);
        let is_outage = matches!(status.as_u16(), 500 | 503) && self.scene.borrow().has_outages;
        (!is_outage).then_some(answer)
    }
}
