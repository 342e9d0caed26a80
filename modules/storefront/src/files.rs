//! What the theme is made of, and files of the API for browsers, which follow links and cannot say which kind they want.

use axum::extract::State;
use axum::response::IntoResponse;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use serde_json::Value;

use stoa_core::http::extract::AssetPath;
use stoa_core::http::file::FILE_POLICY;
use stoa_core::http::shape::Takes;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::orders::OrderLink;
use crate::view::{Shop, Storefront, View};

/// Headers of a file that its browser gets.
const PASSED_ON: [HeaderName; 7] = [
    header::ACCEPT_RANGES,
    header::CONTENT_DISPOSITION,
    header::CONTENT_LENGTH,
    header::CONTENT_RANGE,
    header::CONTENT_TYPE,
    header::ETAG,
    header::LAST_MODIFIED,
];

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.file", "/file/{*path}", file)
}

/// What pages are made of.
pub(crate) fn theme_files() -> Routes<Storefront> {
    routes().get("storefront.theme", "/theme/{*path}", theme)
}

/// A file of the theme.
async fn theme(
    State(storefront): State<Storefront>,
    Uses(shop): Uses<Shop>,
    AssetPath(path): AssetPath,
    Sent { headers, .. }: Sent,
) -> ApiResult<PageResponse> {
    let answer = storefront.theme(&shop)?.assets().answer(&path, &headers);
    answer.map(PageResponse).ok_or_else(ApiError::not_found)
}

/// The request's own method and headers.
struct Sent {
    method: Method,
    headers: HeaderMap,
}

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Sent {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut http::request::Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self { method: parts.method.clone(), headers: parts.headers.clone() })
    }
}

impl Takes for Sent {}

/// A file of the API, such as an invoice as PDF or a download: for the customer who is logged in, or for whoever comes by the link of
/// an order (`?order=O-000042&key=…`). `as` is its media type.
async fn file(
    State(_): State<Storefront>,
    AssetPath(path): AssetPath,
    Sent { method, headers: sent }: Sent,
    mut view: View,
) -> ApiResult<PageResponse> {
    let query = view.query();
    let text = |name: &str| query.get(name).and_then(Value::as_str);
    let link = OrderLink::of(text("order").unwrap_or_default(), text("key"));
    let mut asked = link.headers();
    asked.push(("accept", text("as").unwrap_or("application/pdf")));
    for name in ["range", "if-range", "if-none-match"] {
        asked.extend(sent.get(name).and_then(|value| value.to_str().ok()).map(|value| (name, value)));
    }
    let answer = view.visitor.open(method, &format!("/{path}"), &asked).await?;
    let (parts, body) = answer.into_parts();
    let mut headers = HeaderMap::new();
    for name in PASSED_ON {
        headers.extend(parts.headers.get(&name).map(|value| (name.clone(), value.clone())));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    Ok(view.finish((parts.status, headers, body).into_response()))
}
