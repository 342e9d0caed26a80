//! Requests to Mollie.

use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;

use super::super::exchange::{Failure, exchange, missing_key};
use super::answers::MollieProblem;

/// How the gateway reaches Mollie.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    http: HttpClient,
    key: Option<Secret>,
}

/// A body that is none.
pub(super) const NOTHING: Option<&()> = None;

impl Api {
    pub(super) fn new(base: &str, key: Option<Secret>, http: HttpClient) -> Self {
        Self { base: base.to_owned(), http, key }
    }

    /// Scheme and host that are asked.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks for something.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        self.send(Method::GET, path, None, NOTHING).await
    }

    /// Does something, once for each idempotency key.
    pub(super) async fn send<T: DeserializeOwned, B: Serialize + Sync>(
        &self,
        method: Method,
        path: &str,
        idempotency_key: Option<&str>,
        body: Option<&B>,
    ) -> Result<T, Failure> {
        let key = self.key.as_ref().ok_or_else(|| missing_key("payments.mollie.api_key"))?;
        let mut request = self.http.client().request(method, format!("{}{path}", self.base));
        request = request.bearer_auth(key.expose());
        if let Some(idempotency_key) = idempotency_key {
            request = request.header("idempotency-key", idempotency_key);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        exchange::<T, MollieProblem>(request).await
    }
}
