//! Requests to Stripe.

use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;
use url::form_urlencoded::Serializer;

use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;

use super::super::exchange::{Failure, exchange, missing_key};
use super::answers::StripeProblem;

/// The version of Stripe's interface that this gateway was written for. Answers keep its form whatever the account says.
const VERSION: &str = "2026-10-28.endive";

/// How the gateway reaches Stripe.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    http: HttpClient,
    secret_key: Option<Secret>,
}

impl Api {
    pub(super) fn new(base: &str, secret_key: Option<Secret>, http: HttpClient) -> Self {
        Self { base: base.to_owned(), http, secret_key }
    }

    /// Whether the key moves real money, as its beginning says; none for keys of another form.
    pub(super) fn is_live(&self) -> Option<bool> {
        let key = self.secret_key.as_ref()?.expose();
        let begins = |beginnings: [&str; 2]| beginnings.iter().any(|beginning| key.starts_with(beginning));
        if begins(["sk_live_", "rk_live_"]) { Some(true) } else { begins(["sk_test_", "rk_test_"]).then_some(false) }
    }

    /// Scheme and host that are asked.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks for something.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let request = self.http.client().get(format!("{}{path}", self.base));
        self.send(request).await
    }

    /// Does something, once for each idempotency key.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        idempotency_key: &str,
        fields: &[(&str, &str)],
    ) -> Result<T, Failure> {
        let request = self
            .http
            .client()
            .post(format!("{}{path}", self.base))
            .header("content-type", "application/x-www-form-urlencoded")
            .header("idempotency-key", idempotency_key)
            .body(Serializer::new(String::new()).extend_pairs(fields).finish());
        let failure = match self.send(request).await {
            Ok(answer) => return Ok(answer),
            Err(failure) => failure,
        };
        // The key was used for something a little different: that first request may well have been done.
        if failure.is("idempotency_error") {
            return Err(Failure::Unknown(String::from(
                "it was asked for something else with the same idempotency key",
            )));
        }
        Err(failure)
    }

    async fn send<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Failure> {
        let key = self.secret_key.as_ref().ok_or_else(|| missing_key("payments.stripe.secret_key"))?;
        let request = request.bearer_auth(key.expose()).header("stripe-version", VERSION);
        exchange::<T, StripeProblem>(request).await
    }
}
