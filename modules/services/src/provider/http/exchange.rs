//! One signed request to the operator's endpoint, and what came back.

use std::error::Error;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderName, HeaderValue, header};
use stoa_core::error_chain;
use stoa_core::outbound::HttpClient;
use stoa_core::secret::Secret;
use stoa_core::telemetry::Traced;
use stoa_core::webhooks::headers::{SIGNATURE, TIMESTAMP};
use stoa_core::webhooks::{Destination, ResolveError, sign};

use crate::provider::ProviderError;

/// Tells repetitions of one request.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Most bytes of an answer that are read.
const LARGEST_ANSWER: usize = 64 * 1024;

/// Most characters of an error that are kept.
const LONGEST_ERROR: usize = 300;

/// A request that is about to be sent.
pub(super) struct Exchange<'a> {
    pub(super) destination: Destination,
    pub(super) secret: &'a Secret,
    pub(super) limit: Duration,
    pub(super) idempotency_key: Option<String>,
    pub(super) body: Vec<u8>,
}

/// What the endpoint answered.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Exchange<'_> {
    /// Signs and sends, and reads the answer.
    pub(super) async fn run(self, client: &HttpClient, now: DateTime<Utc>) -> Result<Reply, ProviderError> {
        let timestamp = now.timestamp().to_string();
        let signature = sign(self.secret.expose(), &timestamp, &self.body);
        let mut request = client.client().post(self.destination.url().clone()).timeout(self.limit);
        request = request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        request = request.header(TIMESTAMP, timestamp).header(SIGNATURE, signature);
        if let Some(key) = &self.idempotency_key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        let mut response = request.body(self.body).traced().send().await.map_err(|error| explain(&error))?;
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| explain(&error))? {
            if body.len() + chunk.len() > LARGEST_ANSWER {
                return Err(ProviderError::Unknown(format!("it answered with more than {LARGEST_ANSWER} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(Reply { status, body })
    }
}

/// Why there was no answer. Without a connection nothing has happened at the other end; else nobody knows.
fn explain(error: &reqwest::Error) -> ProviderError {
    let mut source = error.source();
    let mut cause = None;
    while let Some(inner) = source {
        match inner.downcast_ref::<ResolveError>() {
            Some(ResolveError::Refused(refusal)) => {
                return ProviderError::Refused(format!("modules.services.http.url is not sent to: {refusal}"));
            }
            Some(failed @ ResolveError::Failed { .. }) => {
                return ProviderError::Unavailable(shortened(&error_chain(failed)));
            }
            None => {}
        }
        cause = Some(inner);
        source = inner.source();
    }
    let cause = cause.map_or_else(|| String::from("the request could not be sent"), error_chain);
    if error.is_connect() {
        ProviderError::Unavailable(shortened(&format!("no connection: {cause}")))
    } else if error.is_timeout() {
        ProviderError::Unknown(String::from("no answer in time"))
    } else {
        ProviderError::Unknown(shortened(&cause))
    }
}

/// Text from outside as it may stand in a log.
pub(super) fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_ERROR).collect()
}
