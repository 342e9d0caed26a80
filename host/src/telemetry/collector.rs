//! A collector of traces and metrics, which takes OTLP as protobuf over HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode, header};
use opentelemetry::KeyValue;
use opentelemetry_http::{HttpClient, HttpError};
use stoa_core::config::ServiceUrl;
use stoa_core::error_chain;
use stoa_core::outbound;
use stoa_core::secret::Secret;
use tokio::runtime::Handle;

use super::SERVICE;
use crate::failure::Failure;

/// Where traces and metrics go. A failure is told once, and that it is over. Cloning gives the same.
#[derive(Debug, Clone)]
pub(super) struct Collector(Arc<Connection>);

#[derive(Debug)]
struct Connection {
    http: outbound::HttpClient,
    /// Traces are sent by a thread of their own, which has no runtime.
    runtime: Handle,
    base: String,
    headers: HeaderMap,
    fails: AtomicBool,
}

impl Collector {
    pub(super) fn new(otlp: &ServiceUrl, headers: &BTreeMap<String, Secret>) -> Result<Self, Failure> {
        let headers = headers.iter().filter_map(|(name, value)| {
            let mut value = HeaderValue::from_str(value.expose()).ok()?;
            value.set_sensitive(true);
            Some((HeaderName::from_bytes(name.as_bytes()).ok()?, value))
        });
        let http = outbound::HttpClient::new().map_err(|error| Failure::operation(error_chain(&error)))?;
        Ok(Self(Arc::new(Connection {
            http,
            runtime: Handle::current(),
            base: otlp.as_str().to_owned(),
            headers: headers.collect(),
            fails: AtomicBool::default(),
        })))
    }

    /// Where one kind of telling goes.
    pub(super) fn address_of(&self, signal: &str) -> String {
        format!("{}/v1/{signal}", self.0.base)
    }

    /// Sends one kind of telling.
    pub(super) async fn send(&self, signal: &str, body: Vec<u8>) -> Result<(), HttpError> {
        let request = Request::post(self.address_of(signal)).header(header::CONTENT_TYPE, "application/x-protobuf");
        self.0.exchange(request.body(Bytes::from(body))?).await.map(drop)
    }
}

impl Connection {
    async fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.ask(request).await;
        let reason = match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("it answered {}", answer.status())),
            Err(error) => Some(error_chain(error)),
        };
        match (reason, self.fails.load(Ordering::Relaxed)) {
            (Some(reason), false) => {
                self.fails.store(true, Ordering::Relaxed);
                tracing::warn!(collector = self.base, reason, "traces and metrics cannot be sent");
            }
            (None, true) => {
                self.fails.store(false, Ordering::Relaxed);
                tracing::info!(collector = self.base, "traces and metrics are sent again");
            }
            (Some(_), true) | (None, false) => {}
        }
        answer.map_err(HttpError::from)
    }

    async fn ask(&self, request: Request<Bytes>) -> Result<Response<Bytes>, stoa_core::reqwest::Error> {
        let (parts, body) = request.into_parts();
        let asked = self.http.client().post(parts.uri.to_string()).headers(parts.headers).headers(self.headers.clone());
        let answer = asked.body(body).send().await?;
        let status: StatusCode = answer.status();
        let mut response = Response::new(answer.bytes().await?);
        *response.status_mut() = status;
        Ok(response)
    }
}

impl HttpClient for Collector {
    fn send_bytes<'a, 'b>(&'a self, request: Request<Bytes>) -> BoxFuture<'b, Result<Response<Bytes>, HttpError>>
    where
        'a: 'b,
        Self: 'b,
    {
        let connection = Arc::clone(&self.0);
        let sent = self.0.runtime.spawn(async move { connection.exchange(request).await });
        Box::pin(async move { sent.await? })
    }
}

/// What tells this program from others.
pub(super) fn resource() -> [KeyValue; 2] {
    [KeyValue::new("service.name", SERVICE), KeyValue::new("service.version", env!("CARGO_PKG_VERSION"))]
}
