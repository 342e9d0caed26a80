//! `POST {base_url}/webhooks/payments/{gateway}` (S4.6).
//!
//! Outside the API: who calls is proven by the gateway's own verification of the raw body, nothing else.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use axum::extract::State;
use http::StatusCode;
use serde_json::json;

use stoa_kernel::auth::LimitClass;
use stoa_kernel::config::Config;
use stoa_kernel::core_routes::{Arrived, CoreRoutes, Unverified};
use stoa_kernel::fair_queue::{FairQueue, Full};
use stoa_kernel::gateways::{Callback, CallbackError};
use stoa_kernel::http::answer::{PageResponse, json_response};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Name, Uses};
use stoa_kernel::http::table::{Routes, routes};
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

/// What the handler keeps between callbacks.
#[derive(Clone)]
pub(in crate::payments) struct CallbackRoute {
    metrics: Option<Metrics>,
    /// Places to be verified in, of each gateway; which there are is known once the shop is open.
    places: Arc<OnceLock<BTreeMap<&'static str, FairQueue>>>,
}

/// The route, below the shop's root.
pub(in crate::payments) fn callback_routes() -> Routes<CallbackRoute> {
    routes()
        .post("payments.callback", "/webhooks/payments/{gateway}", callback)
        .summary("Take in what a payment provider tells")
        .callback(LimitClass::Callbacks)
}

/// A path that names no gateway, or one that has no callbacks, is not found, and counts nothing (S4.6 rule 3).
async fn callback(
    State(route): State<CallbackRoute>,
    Uses((config, payments)): Uses<(Arc<Config>, Payments)>,
    name: Name,
    unverified: Unverified,
) -> ApiResult<PageResponse> {
    let gateway = payments.gateways.find_enabled(&name.0).filter(|gateway| gateway.has_callbacks());
    let gateway = gateway.ok_or_else(ApiError::not_found)?.id();
    let metrics = route.metrics.clone();
    let take = move |arrived| async move { route.verify_and_receive(&config, &payments, gateway, &arrived).await };
    let answer = unverified.take(MAX_BODY, take).await;
    if let Some(metrics) = metrics {
        metrics.count_payment_callback(gateway, outcome(&answer));
    }
    let Received { id, is_duplicate, .. } = answer?;
    Ok(PageResponse(json_response(StatusCode::OK, &json!({"ok": true, "id": id, "duplicate": is_duplicate}))))
}

impl CallbackRoute {
    pub(in crate::payments) fn new(metrics: Option<Metrics>) -> Self {
        Self { metrics, places: Arc::default() }
    }

    /// Verifies first; nothing of the body is looked at before (S4.6 rule 2).
    async fn verify_and_receive(
        &self,
        config: &Config,
        payments: &Payments,
        id: &'static str,
        Arrived { client, headers, body }: &Arrived,
    ) -> ApiResult<Received> {
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
            let places = self.places(payments).get(id).ok_or_else(ApiError::not_found)?;
            let _permit = places.acquire(*client).await.map_err(|Full| ApiError::rate_limited(1))?;
            gateway.verify(&callback).await
        };
        let notification = notification.map_err(|error| match error {
            CallbackError::Unverified(reason) => unverified(&reason),
            CallbackError::Unavailable(reason) => ApiError::internal(reason),
        })?;
        // 500 whatever failed, as it is written (S4.6 rule 6): every provider sends a message again after that.
        receive(config, payments, id, &notification).await.map_err(ApiError::internal)
    }

    fn places(&self, payments: &Payments) -> &BTreeMap<&'static str, FairQueue> {
        self.places.get_or_init(|| {
            let ids = payments.gateways.ids();
            ids.into_iter().map(|id| (id, FairQueue::new(AT_ONCE, WAITING))).collect()
        })
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
