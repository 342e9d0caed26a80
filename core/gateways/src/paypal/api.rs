//! Requests to PayPal, with a token that is kept until it ends.

use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use http::{Method, StatusCode};
use reqwest::RequestBuilder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use stoa_kernel::clock::Clock;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;

use super::super::exchange::{Failure, exchange, missing_key};
use super::answers::PaypalProblem;

/// How long before its end a token is not used any more.
const MARGIN: TimeDelta = TimeDelta::seconds(60);

/// How the gateway reaches PayPal.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    http: HttpClient,
    clock: Clock,
    client_id: Option<Secret>,
    client_secret: Option<Secret>,
    token: Mutex<Option<Token>>,
}

#[derive(Debug, Clone)]
struct Token {
    text: Secret,
    ends_at: DateTime<Utc>,
}

#[derive(Deserialize)]
struct TokenAnswer {
    access_token: Secret,
    expires_in: i64,
}

/// One request.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) method: Method,
    pub(super) path: &'a str,
    /// What PayPal knows a repeated request by.
    pub(super) request_id: Option<&'a str>,
    pub(super) body: Option<Box<RawValue>>,
}

impl Api {
    pub(super) fn new(
        base: &str,
        client_id: Option<Secret>,
        client_secret: Option<Secret>,
        http: HttpClient,
        clock: Clock,
    ) -> Self {
        Self { base: base.to_owned(), http, clock, client_id, client_secret, token: Mutex::new(None) }
    }

    /// Scheme and host that are asked.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks for something.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.call(&Call { method: Method::GET, path, request_id: None, body: None }).await
    }

    /// Sends a request, once more with a new token when PayPal does not take the old one.
    pub(super) async fn call<T: DeserializeOwned>(&self, call: &Call<'_>) -> Result<T, Failure> {
        let token = self.token().await?;
        let answer = exchange::<T, PaypalProblem>(self.request(call, &token)).await;
        if !matches!(answer, Err(Failure::Refused { status: StatusCode::UNAUTHORIZED, .. })) {
            return answer;
        }
        self.forget(&token);
        let token = self.token().await?;
        exchange::<T, PaypalProblem>(self.request(call, &token)).await
    }

    fn request(&self, call: &Call<'_>, token: &Secret) -> RequestBuilder {
        let Call { method, path, request_id, body } = call;
        let mut request = self.http.client().request(method.clone(), format!("{}{path}", self.base));
        request = request.bearer_auth(token.expose()).header("content-type", "application/json");
        if let Some(request_id) = request_id {
            request = request.header("paypal-request-id", *request_id).header("prefer", "return=representation");
        }
        match body {
            Some(body) => request.body(body.get().to_owned()),
            None => request,
        }
    }

    /// Sees whether PayPal takes the keys.
    pub(super) async fn log_in(&self) -> Result<(), Failure> {
        self.token().await.map(drop)
    }

    /// The token that is kept, or a new one. Two requests may fetch one each; both are good.
    async fn token(&self) -> Result<Secret, Failure> {
        let now = self.clock.now();
        let kept = self.token.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(token) = kept.filter(|token| now < token.ends_at) {
            return Ok(token.text);
        }
        let client_id = self.client_id.as_ref().ok_or_else(|| missing_key("payments.paypal.client_id"))?;
        let client_secret = self.client_secret.as_ref().ok_or_else(|| missing_key("payments.paypal.client_secret"))?;
        let request = self
            .http
            .client()
            .post(format!("{}/v1/oauth2/token", self.base))
            .basic_auth(client_id.expose(), Some(client_secret.expose()))
            .header("content-type", "application/x-www-form-urlencoded")
            .body("grant_type=client_credentials");
        let TokenAnswer { access_token, expires_in } = exchange::<_, PaypalProblem>(request).await?;
        if !access_token.expose().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Failure::Unknown(String::from("its token cannot be used")));
        }
        let lasts = TimeDelta::seconds(expires_in.clamp(0, 86_400));
        let token = Token { text: access_token.clone(), ends_at: now + lasts - MARGIN };
        *self.token.lock().unwrap_or_else(PoisonError::into_inner) = Some(token);
        Ok(access_token)
    }

    fn forget(&self, token: &Secret) {
        let mut kept = self.token.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.as_ref().is_some_and(|kept| kept.text == *token) {
            *kept = None;
        }
    }
}
