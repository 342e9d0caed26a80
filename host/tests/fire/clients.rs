//! Customers who buy one thing over and over, and pay every second time.

use std::sync::Arc;

use serde_json::json;
use stoa_fakes::Callback;
use stoa_fakes::stripe::{Outcome, Stripe};

use crate::calling::{Caller, Told};

/// A customer.
pub(crate) struct Shopper {
    pub(crate) caller: Caller,
    pub(crate) product_id: i64,
    pub(crate) stripe: Arc<Stripe>,
}

impl Shopper {
    /// Buys until it is over.
    pub(crate) async fn shop(self) -> Told {
        let mut told = Told::default();
        let mut turn = 0;
        while !self.caller.is_over() {
            turn += 1;
            self.buy(turn, &mut told).await;
            self.caller.pause().await;
        }
        told
    }

    async fn buy(&self, turn: usize, told: &mut Told) {
        let line = json!({"product_id": self.product_id, "quantity": 1});
        let filled = self.caller.post(turn, "/cart", &line, &[]).await;
        assert_eq!(filled.status, 200, "{}", filled.body);
        told.unanswered += filled.unanswered;
        let order_id = self.caller.place(turn, "stripe", told).await;
        self.caller.got_on();
        if turn.is_multiple_of(2) {
            told.unanswered += self.pay(turn, order_id).await;
            told.paid.insert(order_id);
        }
    }

    /// Pays, and gives how many requests got no answer.
    async fn pay(&self, turn: usize, order_id: i64) -> usize {
        let urls = json!({"gateway": "stripe", "return_url": "https://front.example/thanks",
                          "cancel_url": "https://front.example/cart"});
        let attempt = self.caller.post(turn, &format!("/orders/{order_id}/pay"), &urls, &[]).await;
        assert_eq!(attempt.status, 200, "{}", attempt.body);
        let url =
            attempt.body["data"]["redirect_url"].as_str().unwrap_or_else(|| panic!("{}", attempt.body)).to_owned();
        let session = url.rsplit('/').next().expect("it ends with the session");
        let callback = self.stripe.callback(&self.stripe.happens(session, Outcome::Pay));
        let taken = self.caller.repeat(turn, |address| self.callback(address, &callback)).await;
        assert_eq!(taken.status, 200, "{}", taken.body);
        attempt.unanswered + taken.unanswered
    }

    fn callback(&self, address: &str, callback: &Callback) -> reqwest::RequestBuilder {
        let url = format!("http://{address}/webhooks/payments/stripe");
        self.caller.http.post(url).headers(callback.headers.clone()).body(callback.body.clone())
    }
}
