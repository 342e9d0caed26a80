//! The shop's own pages outside the API: home, health, metrics, media and the API reference.

mod health;
mod home;
mod media;
mod queries;
mod reference;
mod write_probe;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, header};
use tokio_util::sync::CancellationToken;

pub(crate) use self::write_probe::WriteProbe;
use stoa_kernel::db::MigrationSet;
use stoa_kernel::from_shop::ShopParts;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::metrics::{self, Instruments};

/// What the site's pages need.
#[derive(Clone)]
pub(crate) struct SiteState {
    pub(crate) parts: ShopParts,
    pub(crate) migrations: Arc<[MigrationSet]>,
    /// What `GET /metrics` tells, if it does.
    pub(crate) instruments: Option<Instruments>,
    pub(crate) write_probe: Arc<WriteProbe>,
    /// Cancelled when this instance shall get no more requests.
    pub(crate) leaving: CancellationToken,
}

/// The routes of the site. A module that has pages has the one at the root, too.
pub(crate) fn routes(state: SiteState, has_storefront: bool) -> Router {
    let media = media::service(&state.parts.config.media);
    let router = if has_storefront { Router::new() } else { Router::new().route("/", get(home::home)) };
    router
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .route("/metrics", get(metrics))
        .merge(reference::routes())
        .nest_service("/media", media)
        .with_state(state)
}

/// `GET /metrics`: Prometheus text, when it is switched on (contract 1).
async fn metrics(State(state): State<SiteState>) -> Response {
    let Some(instruments) = &state.instruments else { return ApiError::not_found().into_response() };
    let content_type = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    let text = metrics::render(&instruments.samples().await);
    ([(header::CONTENT_TYPE, content_type)], text).into_response()
}
