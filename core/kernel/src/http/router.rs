//! From the frozen route table to one axum router.

use std::future::ready;
use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, Uri, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::answer::see_other;
use super::error::ApiError;
use super::freeze::FrozenRoutes;
use super::guard::{GuardLayer, GuardState, reads_only};
use super::table::Operation;
use crate::order_link::{ORDER_KEY, ORDER_NUMBER};

/// Routes of the site itself, outside the API: health, media, the reference page.
pub type SiteRoutes = Router;

/// Mounts all routes behind their guards, and the site's own beside them.
///
/// `origins` are the configured `server.allowed_origins`.
pub fn router(routes: FrozenRoutes, site: SiteRoutes, state: &Arc<GuardState>, origins: &[String]) -> Router {
    let mut router = Router::new();
    for route in routes.entries {
        let (access, limit, name) = (route.route.access, route.route.limit, route.route.name);
        let Operation { body, by_order_key, .. } = &route.route.operation;
        let (takes_body, by_order_key) = (body.is_some(), *by_order_key);
        let guard = GuardLayer { state: Arc::clone(state), access, limit, name, takes_body, by_order_key };
        let path = route.route.full_path();
        router = router.route(&path, route.handler.layer(guard));
    }
    let console = Arc::<str>::from(state.shop.config.console.path.0.as_str());
    let not_allowed = move |method: Method, uri: Uri| ready(method_not_allowed(&console, &method, uri.path()));
    let router = router.merge(site).fallback(not_found).method_not_allowed_fallback(not_allowed);
    if origins.is_empty() { router } else { router.layer(cors(origins)) }
}

async fn not_found() -> Response {
    ApiError::not_found().into_response()
}

/// Whoever opens the address of an act of the console, such as by reloading a page that has refused it, is led to the page above it,
/// where its form stands.
fn method_not_allowed(console: &str, method: &Method, path: &str) -> Response {
    let below = path.strip_prefix(console).filter(|below| below.starts_with('/') && reads_only(method));
    match below.and_then(|below| below.rsplit_once('/')) {
        Some((above, _)) => see_other(&format!("{console}{above}")),
        None => ApiError::method_not_allowed().into_response(),
    }
}

/// Lets browsers of the configured origins read answers, credentials included.
fn cors(origins: &[String]) -> CorsLayer {
    let origins = origins.iter().filter_map(|origin| HeaderValue::from_str(origin).ok());
    let request = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        header::ACCEPT,
        header::ACCEPT_LANGUAGE,
        header::IF_NONE_MATCH,
        header::IF_RANGE,
        header::RANGE,
        HeaderName::from_static("x-cart-token"),
        HeaderName::from_static(ORDER_KEY),
        HeaderName::from_static(ORDER_NUMBER),
        HeaderName::from_static("idempotency-key"),
        HeaderName::from_static("x-request-id"),
        HeaderName::from_static("x-xsrf-token"),
    ];
    let answer = [
        header::ACCEPT_RANGES,
        header::CONTENT_DISPOSITION,
        header::CONTENT_RANGE,
        header::ETAG,
        header::RETRY_AFTER,
        HeaderName::from_static("x-cart-token"),
        HeaderName::from_static("x-request-id"),
        HeaderName::from_static("x-ratelimit-limit"),
        HeaderName::from_static("x-ratelimit-remaining"),
    ];
    CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_credentials(true)
        .allow_methods([Method::GET, Method::HEAD, Method::POST, Method::PATCH, Method::DELETE])
        .allow_headers(request)
        .expose_headers(answer)
        .max_age(std::time::Duration::from_mins(10))
}
