//! What the log tells of requests: each of them if the operator wants so, and those that took long.

use std::time::{Duration, Instant};

use axum::response::Response;
use http::{HeaderValue, Method, Request, Uri};

use super::front::RouteName;
use crate::config::LogConfig;

/// Which requests are told.
#[derive(Debug, Clone, Copy)]
pub(super) struct RequestWatch {
    tells_all: bool,
    slow: Option<Duration>,
}

/// A request that is being answered.
pub(super) struct Seen(Option<Watched>);

struct Watched {
    watch: RequestWatch,
    started: Instant,
    method: Method,
    uri: Uri,
}

impl RequestWatch {
    pub(super) fn of(config: &LogConfig) -> Self {
        Self { tells_all: config.access, slow: config.slow() }
    }

    /// Notes when a request has begun.
    pub(super) fn begin<B>(self, request: &Request<B>) -> Seen {
        if !self.tells_all && self.slow.is_none() {
            return Seen(None);
        }
        let (method, uri) = (request.method().clone(), request.uri().clone());
        Seen(Some(Watched { watch: self, started: Instant::now(), method, uri }))
    }
}

impl Seen {
    /// Tells what has become of it.
    pub(super) fn end(self, response: &Response, id: &HeaderValue) {
        let Some(Watched { watch, started, method, uri }) = self.0 else { return };
        let took = started.elapsed();
        let is_slow = watch.slow.is_some_and(|slow| took >= slow);
        if !watch.tells_all && !is_slow {
            return;
        }
        let id = id.to_str().unwrap_or_default();
        let route = response.extensions().get::<RouteName>().map(|route| route.0);
        // Without its query, which may hold what a customer is looking for.
        let (method, path, status) = (method.as_str(), uri.path(), response.status().as_u16());
        let duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        if watch.tells_all {
            tracing::info!(request.id = id, method, path, route, status, duration_ms, "request");
        }
        if is_slow {
            tracing::warn!(request.id = id, method, path, route, status, duration_ms, "a request took long");
        }
    }
}
