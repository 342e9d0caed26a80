//! Customers of a shop that is killed again and again: they repeat a request until it is answered, and remember every answer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use serde_json::{Value, json};
use stoa_standins::Callback;
use stoa_standins::stripe::{Outcome, Stripe};
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
    pub(crate) is_over: bool,
}

/// What one customer was told.
#[derive(Debug, Default)]
pub(crate) struct Told {
    /// Orders whose placing was answered with 200 or 201.
    pub(crate) placed: BTreeSet<i64>,
    /// Orders whose money was reported, and the report taken.
    pub(crate) paid: BTreeSet<i64>,
    /// Requests without an answer.
    pub(crate) unanswered: usize,
    /// Orders that had been placed by a request without an answer.
    pub(crate) placed_unheard: usize,
}

/// An answer, with how often the request got none before.
struct Answer {
    status: u16,
    body: Value,
    unanswered: usize,
}

/// A customer.
pub(crate) struct Shopper {
    pub(crate) number: usize,
    pub(crate) token: String,
    pub(crate) product_id: i64,
    pub(crate) http: reqwest::Client,
    pub(crate) scene: watch::Receiver<Scene>,
    pub(crate) stripe: Arc<Stripe>,
    /// How many orders were acknowledged by the servers that run now.
    pub(crate) progress: Arc<watch::Sender<usize>>,
}

impl Shopper {
    /// Buys until it is over.
    pub(crate) async fn shop(self) -> Told {
        let mut told = Told::default();
        let mut turn = 0;
        while !self.scene.borrow().is_over {
            turn += 1;
            self.buy(turn, &mut told).await;
        }
        told
    }

    async fn buy(&self, turn: usize, told: &mut Told) {
        let line = json!({"product_id": self.product_id, "quantity": 1});
        let filled = self.api(turn, "/cart", &line, &[]).await;
        assert_eq!(filled.status, 200, "{}", filled.body);
        told.unanswered += filled.unanswered;
        let key = format!("{}-{turn}", self.number);
        let answer = self.api(turn, "/checkout", &checkout("stripe"), &[("idempotency-key", &key)]).await;
        assert!(matches!(answer.status, 200 | 201), "{} {}", answer.status, answer.body);
        let order_id = answer.body["data"]["id"].as_i64().expect("an id");
        assert!(told.placed.insert(order_id), "order {order_id} was given for two requests");
        told.unanswered += answer.unanswered;
        told.placed_unheard += usize::from(answer.status == 200);
        self.progress.send_modify(|orders| *orders += 1);
        if turn.is_multiple_of(2) {
            told.unanswered += self.pay(turn, order_id).await;
            told.paid.insert(order_id);
        }
    }

    /// Pays, and gives how many requests got no answer.
    async fn pay(&self, turn: usize, order_id: i64) -> usize {
        let urls = json!({"gateway": "stripe", "return_url": "https://front.example/thanks",
                          "cancel_url": "https://front.example/cart"});
        let attempt = self.api(turn, &format!("/orders/{order_id}/pay"), &urls, &[]).await;
        assert_eq!(attempt.status, 200, "{}", attempt.body);
        let url =
            attempt.body["data"]["redirect_url"].as_str().unwrap_or_else(|| panic!("{}", attempt.body)).to_owned();
        let session = url.rsplit('/').next().expect("it ends with the session");
        let callback = self.stripe.callback(&self.stripe.happens(session, Outcome::Pay));
        let taken = self.repeat(turn, |address| self.callback(address, &callback)).await;
        assert_eq!(taken.status, 200, "{}", taken.body);
        attempt.unanswered + taken.unanswered
    }

    async fn api(&self, turn: usize, path: &str, body: &Value, headers: &[(&'static str, &str)]) -> Answer {
        let request = |address: &str| {
            let url = format!("http://{address}/api/v1{path}");
            let mut request = self.http.request(Method::POST, url).bearer_auth(&self.token);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            request.json(body)
        };
        self.repeat(turn, request).await
    }

    fn callback(&self, address: &str, callback: &Callback) -> reqwest::RequestBuilder {
        let url = format!("http://{address}/webhooks/payments/stripe");
        self.http.request(Method::POST, url).headers(callback.headers.clone()).body(callback.body.clone())
    }

    /// Sends a request until it is answered, to one server after the other.
    async fn repeat(&self, turn: usize, request: impl Fn(&str) -> reqwest::RequestBuilder) -> Answer {
        let until = Instant::now() + PATIENCE;
        let mut unanswered = 0;
        while Instant::now() < until {
            let addresses = self.scene.borrow().addresses.clone();
            if !addresses.is_empty() {
                let address = &addresses[(self.number + turn + unanswered) % addresses.len()];
                if let Ok(response) = request(address).send().await {
                    let status = response.status().as_u16();
                    if let Ok(body) = response.json().await {
                        return Answer { status, body, unanswered };
                    }
                }
                unanswered += 1;
            }
            sleep(PAUSE).await;
        }
        panic!("shopper {} got no answer within {PATIENCE:?}", self.number);
    }
}
