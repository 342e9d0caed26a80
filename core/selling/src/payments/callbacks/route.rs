//! `POST {base_url}/webhooks/payments/{gateway}` (S4.6).
//!
//! Outside the API and its guard: who calls is proven by the gateway's own verification of the raw body, nothing else.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use serde_json::json;

use stoa_kernel::auth::{LimitClass, Outcome};
use stoa_kernel::config::Config;
use stoa_kernel::fair_queue::{FairQueue, Full};
use stoa_kernel::from_shop::FromShop;
use stoa_kernel::gateways::{Callback, CallbackError, GatewayTable};
use stoa_kernel::http::GuardState;
use stoa_kernel::http::answer::json_response;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::receive::receive_body;
use stoa_kernel::metrics::Metrics;

use super::queries;
use super::receive::{Received, receive};
use crate::payments::Payments;

/// Largest body of a callback, in bytes.
const MAX_BODY: usize = 256 * 1024;

/// Callbacks that a gateway verifies at once: some of them ask the provider for it.
const AT_ONCE: usize = 4;

/// Callbacks that may wait for that.
const WAITING: usize = 200;

/// What the handler works with.
#[derive(Clone)]
struct CallbackRoute {
    guard: Arc<GuardState>,
    config: Arc<Config>,
    payments: Payments,
    metrics: Option<Metrics>,
    /// Places to be verified in, of each gateway.
    places: Arc<BTreeMap<&'static str, FairQueue>>,
}

/// The route, below the shop's root.
pub fn callback_routes(guard: Arc<GuardState>, metrics: Option<Metrics>) -> Router {
    let (config, payments) = <(Arc<Config>, Payments)>::from_shop(&guard.shop);
    let places =
        Arc::new(payments.gateways.ids().into_iter().map(|id| (id, FairQueue::new(AT_ONCE, WAITING))).collect());
    let route = CallbackRoute { guard, config, payments, metrics, places };
    Router::new().route("/webhooks/payments/{gateway}", post(callback)).with_state(route)
}

async fn callback(
    State(route): State<CallbackRoute>,
    params: Result<RawPathParams, RawPathParamsRejection>,
    request: Request<Body>,
) -> Response {
    let mut response = match gateway_of(&route.payments.gateways, params) {
        Some(gateway) => {
            let answer = route.clone().answer(gateway, request).await;
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
fn gateway_of(gateways: &GatewayTable, params: Result<RawPathParams, RawPathParamsRejection>) -> Option<&'static str> {
    let params = params.ok()?;
    let (_, name) = params.iter().next()?;
    let gateway = gateways.find_enabled(name).filter(|gateway| gateway.has_callbacks())?;
    Some(gateway.id())
}

impl CallbackRoute {
    /// Reads and takes a callback. It is counted before it is read, and no longer once it turns out to be the provider's: those of
    /// a large shop come from a few addresses.
    async fn answer(self, gateway: &'static str, request: Request<Body>) -> ApiResult<Received> {
        let judge = |received: &ApiResult<Received>| match received {
            Err(refused) if refused.status().is_client_error() => Outcome::Failed,
            Ok(_) | Err(_) => Outcome::Unknown,
        };
        // In a task of its own: a provider that hangs up can neither cut it in half nor leave it counted and undecided.
        let task = tokio::spawn(async move {
            let guard = Arc::clone(&self.guard);
            let client = guard.client(&request);
            let receiving = Box::pin(async move {
                let (parts, body) = request.into_parts();
                let body = receive_body(&parts.headers, body, MAX_BODY).await?;
                self.take(gateway, client, &parts.headers, &body).await
            });
            guard.limiter.attempt_from(LimitClass::Callbacks, client, receiving, judge).await
        });
        task.await.map_err(ApiError::internal)?
    }

    /// Verifies first; nothing of the body is looked at before (S4.6 rule 2).
    async fn take(&self, id: &'static str, client: IpAddr, headers: &HeaderMap, body: &[u8]) -> ApiResult<Received> {
        let payments = &self.payments;
        let gateway = payments.gateways.find_enabled(id).ok_or_else(ApiError::not_found)?;
        let callback = Callback { headers, body, now: payments.db.now() };
        let unverified = |reason: &str| {
            tracing::warn!(gateway = id, reason, "a payment callback is not verified");
            ApiError::unauthorized()
        };
        if let Some(payment) = gateway.unproven_payment(&callback) {
            let named = payments.db.read(queries::COUNT_NAMED).bind(id).bind(payment.as_str()).scalar::<i64>().await;
            if named.map_err(ApiError::internal)? == 0 {
                return Err(unverified("it names no payment that was begun here"));
            }
        }
        let notification = {
            let places = self.places.get(id).ok_or_else(ApiError::not_found)?;
            let _permit = places.acquire(client).await.map_err(|Full| ApiError::rate_limited(1))?;
            gateway.verify(&callback).await
        };
        let notification = notification.map_err(|error| match error {
            CallbackError::Unverified(reason) => unverified(&reason),
            CallbackError::Unavailable(reason) => ApiError::internal(reason),
        })?;
        // 500 whatever failed, as it is written (S4.6 rule 6): every provider sends a message again after that.
        receive(&self.config, payments, id, &notification).await.map_err(ApiError::internal)
    }
}

/// What came of a callback, as it is counted.
fn outcome(answer: &ApiResult<Received>) -> &'static str {
    match answer {
        Ok(received) if received.is_duplicate => "duplicate",
        Ok(received) => received.state.as_str(),
        Err(refused) => match refused.status() {
            StatusCode::FORBIDDEN => "unverified",
            StatusCode::PAYLOAD_TOO_LARGE => "too_large",
            StatusCode::TOO_MANY_REQUESTS => "limited",
            _ => "failed",
        },
    }
}
