//! Requests to Mollie.

use http::Method;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::exchange::{Failure, exchange, missing_key};
use super::answers::MollieProblem;
use crate::secret::Secret;
use crate::services::Services;

/// How the adapter reaches Mollie.
#[derive(Debug)]
pub(super) struct Api {
    base: String,
    api_key: Option<Secret>,
}

/// A body that is none.
pub(super) const NOTHING: Option<&()> = None;

impl Api {
    pub(super) fn new(base: &str, api_key: Option<Secret>) -> Self {
        Self { base: base.to_owned(), api_key }
    }

    /// Scheme and host that are asked.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks for something.
    pub(super) async fn get<T: DeserializeOwned>(&self, services: &Services, path: &str) -> Result<T, Failure> {
        self.send(services, Method::GET, path, None, NOTHING).await
    }

    /// Does something, once for each idempotency key.
    pub(super) async fn send<T: DeserializeOwned, B: Serialize + Sync>(
        &self,
        services: &Services,
        method: Method,
        path: &str,
        idempotency_key: Option<&str>,
        body: Option<&B>,
    ) -> Result<T, Failure> {
        let key = self.api_key.as_ref().ok_or_else(|| missing_key("payments.mollie.api_key"))?;
        let mut request = services.http.client().request(method, format!("{}{path}", self.base));
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
