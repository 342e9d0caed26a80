//! Taking deliveries over (S6.4).

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::routing::post;
use serde_json::Value;
use stoa_core::clock::Clock;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{headers, verify};

use crate::inbox::{Inbox, Stored};

/// Bodies are small; whoever sends more is not the shop.
const LARGEST_BODY: usize = 1024 * 1024;

/// What receives.
#[derive(Debug)]
pub struct Receiver {
    /// The secret that `stoa webhook add` printed.
    pub secret: Secret,
    /// The time, for the tolerance of 300 seconds.
    pub clock: Clock,
    /// Where deliveries are kept.
    pub inbox: Inbox,
}

/// The application: deliveries come to `/hook`.
pub fn router(receiver: Receiver) -> Router {
    let limit = DefaultBodyLimit::max(LARGEST_BODY);
    Router::new().route("/hook", post(receive)).layer(limit).with_state(Arc::new(receiver))
}

/// Takes the raw body, since a body that was parsed and written again would have another signature.
async fn receive(State(receiver): State<Arc<Receiver>>, headers: HeaderMap, body: Bytes) -> StatusCode {
    let (timestamp, signature) = (text(&headers, &headers::TIMESTAMP), text(&headers, &headers::SIGNATURE));
    let now = receiver.clock.now().timestamp();
    if verify(receiver.secret.expose(), timestamp, signature, &body, now).is_err() {
        return StatusCode::UNAUTHORIZED;
    }
    let delivery = text(&headers, &headers::DELIVERY).to_owned();
    let event = text(&headers, &headers::EVENT).to_owned();
    let Ok(content) = serde_json::from_slice::<Value>(&body) else { return StatusCode::BAD_REQUEST };
    if delivery.is_empty() {
        return StatusCode::BAD_REQUEST;
    }
    // Writing to the disk takes its time, which must not stop other requests.
    let kept = tokio::task::spawn_blocking(move || receiver.inbox.store(&delivery, &event, &content)).await;
    match kept {
        // A repetition is a success too: the shop only wants to know that it arrived. What is booked follows from the
        // inbox, so it is booked once.
        Ok(Ok(Stored::New | Stored::Known)) => StatusCode::OK,
        // The shop will try again.
        Ok(Err(_)) | Err(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
