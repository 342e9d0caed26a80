//! `POST {base_url}/webhooks/payments/{gateway}` (S4.6).
//!
//! Outside the API and its guard: who calls is proven by the gateway's own verification of the raw body, nothing else.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::{HeaderMap, HeaderValue, Request, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde_json::json;

use super::receive::{Received, receive};
use crate::gateways::{Callback, CallbackError};
use crate::http::answer::json_response;
use crate::http::error::{ApiError, ApiResult};
use crate::services::Services;

/// Largest body of a callback, in bytes.
const MAX_BODY: usize = 256 * 1024;

/// The route, below the shop's root.
pub(crate) fn callback_routes(services: Services) -> Router {
    Router::new().route("/webhooks/payments/{gateway}", post(callback)).with_state(services)
}

async fn callback(State(services): State<Services>, params: RawPathParams, request: Request<Body>) -> Response {
    let gateway = params.iter().next().map(|(_, value)| value.to_owned()).unwrap_or_default();
    let (parts, body) = request.into_parts();
    let answer = async {
        let Some(id) = services.gateways.find_enabled(&gateway).filter(|gateway| gateway.has_callbacks()) else {
            return Err(ApiError::not_found());
        };
        let id = id.id();
        let body = read(&parts.headers, body).await?;
        // In a task of its own: a provider that hangs up cannot cut it in half.
        let task = tokio::spawn(async move { take(&services, id, &parts.headers, &body).await });
        task.await.map_err(ApiError::internal)?
    };
    let mut response = match answer.await {
        Ok(Received { id, is_duplicate }) => {
            json_response(http::StatusCode::OK, &json!({"ok": true, "id": id, "duplicate": is_duplicate}))
        }
        Err(refused) => refused.into_response(),
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

async fn read(headers: &HeaderMap, body: Body) -> ApiResult<Bytes> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > MAX_BODY as u64) {
        return Err(ApiError::payload_too_large());
    }
    match Limited::new(body, MAX_BODY).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::payload_too_large()),
        Err(error) => Err(ApiError::internal(error)),
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
    Ok(receive(services, id, &notification).await?)
}
