//! `POST {base_url}/webhooks/payments/{gateway}` (S4.6).
//!
//! Outside the API and its guard: who calls is proven by the gateway's own verification of the raw body, nothing else.

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use serde_json::json;

use super::receive::{Received, receive};
use crate::gateways::{Callback, CallbackError};
use crate::http::answer::json_response;
use crate::http::error::{ApiError, ApiResult};
use crate::http::receive::receive_body;
use crate::metrics::Metrics;
use crate::services::Services;

/// Largest body of a callback, in bytes.
const MAX_BODY: usize = 256 * 1024;

/// What the handler works with.
#[derive(Clone)]
struct CallbackRoute {
    services: Services,
    metrics: Option<Metrics>,
}

/// The route, below the shop's root.
pub(crate) fn callback_routes(services: Services, metrics: Option<Metrics>) -> Router {
    Router::new().route("/webhooks/payments/{gateway}", post(callback)).with_state(CallbackRoute { services, metrics })
}

async fn callback(
    State(route): State<CallbackRoute>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Response {
    let mut response = match gateway_of(&route.services, params) {
        Some(gateway) => {
            let answer = answer(route.services, gateway, request).await;
            if let Some(metrics) = &route.metrics {
                metrics.count_payment_callback(gateway, outcome(&answer));
            }
            match answer {
                Ok(Received { id, is_duplicate, .. }) => {
                    json_response(StatusCode::OK, &json!({"ok": true, "id": id, "duplicate": is_duplicate}))
                }
                Err(refused) => refused.into_response(),
            }
        }
        None => ApiError::not_found().into_response(),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

/// The gateway that the path names; none for bytes that are no text, and for what has no callbacks (S4.6 rule 3).
fn gateway_of(services: &Services, params: Result<RawPathParams, RawPathParamsRejection>) -> Option<&'static str> {
    let params = params.ok()?;
    let (_, name) = params.iter().next()?;
    let gateway = services.gateways.find_enabled(name).filter(|gateway| gateway.has_callbacks())?;
    Some(gateway.id())
}

async fn answer(services: Services, gateway: &'static str, request: Request<Body>) -> ApiResult<Received> {
    let (parts, body) = request.into_parts();
    let body = receive_body(&parts.headers, body, MAX_BODY).await?;
    // In a task of its own: a provider that hangs up cannot cut it in half.
    let task = tokio::spawn(async move { take(&services, gateway, &parts.headers, &body).await });
    task.await.map_err(ApiError::internal)?
}

/// What came of a callback, as it is counted.
fn outcome(answer: &ApiResult<Received>) -> &'static str {
    match answer {
        Ok(received) if received.is_duplicate => "duplicate",
        Ok(received) => received.state.as_str(),
        Err(refused) => match refused.status() {
            StatusCode::FORBIDDEN => "unverified",
            StatusCode::PAYLOAD_TOO_LARGE => "too_large",
            _ => "failed",
        },
    }
}

/// Verifies first; nothing of the body is looked at before (S4.6 rule 2).
async fn take(services: &Services, id: &'static str, headers: &HeaderMap, body: &[u8]) -> ApiResult<Received> {
    let gateway = services.gateways.find_enabled(id).ok_or_else(ApiError::not_found)?;
    let callback = Callback { headers, body, now: services.db.now() };
    let notification = gateway.verify(&callback, services).await.map_err(|error| match error {
        CallbackError::Unverified(reason) => {
            tracing::warn!(gateway = id, reason, "a payment callback is not verified");
            ApiError::unauthorized()
        }
        CallbackError::Unavailable(reason) => ApiError::internal(reason),
    })?;
    // 500 whatever failed, as it is written (S4.6 rule 6): every provider sends a message again after that.
    receive(services, id, &notification).await.map_err(ApiError::internal)
}
