//! What the theme is made of, and what panels of modules do: forms and files of the API, for browsers.

use axum::extract::State;
use axum::response::IntoResponse;
use http::{HeaderMap, HeaderValue, Method, header};
use serde_json::{Value, json};

use stoa_core::http::extract::AssetPath;
use stoa_core::http::file::FILE_POLICY;
use stoa_core::http::shape::Takes;
use stoa_core::pages::answer::PageResponse;
use stoa_core::prelude::*;

use crate::forms::Form;
use crate::view::{Shop, Storefront, View};

pub(crate) fn pages() -> Routes<Storefront> {
    routes().get("storefront.theme", "/theme/{*path}", theme).get("storefront.file", "/file/{*path}", file).post(
        "storefront.act",
        "/do/{*path}",
        act,
    )
}

/// A file of the theme.
async fn theme(
    State(storefront): State<Storefront>,
    Uses(shop): Uses<Shop>,
    AssetPath(path): AssetPath,
    Sent(headers): Sent,
) -> ApiResult<PageResponse> {
    let answer = storefront.theme(&shop)?.assets().answer(&path, &headers);
    answer.map(PageResponse).ok_or_else(ApiError::not_found)
}

/// The request's headers.
struct Sent(HeaderMap);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Sent {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut http::request::Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.headers.clone()))
    }
}

impl Takes for Sent {}

/// A file of the API, such as an invoice as PDF, for the customer who is logged in: a browser that follows a link cannot say which
/// kind it wants.
async fn file(State(_): State<Storefront>, AssetPath(path): AssetPath, mut view: View) -> ApiResult<PageResponse> {
    let query = view.query();
    let wanted = query.get("as").and_then(Value::as_str).unwrap_or("application/pdf").to_owned();
    let answer = view.visitor.get(&format!("/{path}"), &[("accept", wanted.as_str())]).await?;
    if !answer.status.is_success() {
        return Err(ApiError::not_found());
    }
    let mut headers = HeaderMap::new();
    for name in [header::CONTENT_TYPE, header::CONTENT_DISPOSITION] {
        headers.extend(answer.headers.get(&name).map(|value| (name, value.clone())));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    Ok(view.finish((headers, answer.body).into_response()))
}

/// A form of a module's panel: `/do/subscriptions/3/cancel` is `POST /api/v1/subscriptions/3/cancel` by whoever is logged in. The
/// fields are the body, but for `_method`, another method, and `_back`, where to go then.
async fn act(
    State(_): State<Storefront>,
    AssetPath(path): AssetPath,
    mut view: View,
    form: Form,
) -> ApiResult<PageResponse> {
    let method = match form.text("_method") {
        Some("DELETE") => Method::DELETE,
        Some("PATCH") => Method::PATCH,
        _ => Method::POST,
    };
    let mut body = json!({});
    for (name, value) in form.below("") {
        if !name.starts_with('_') {
            body[name] = json!(value);
        }
    }
    let answer = view.send(method, &format!("/{path}"), &body).await?;
    if answer.status.is_success() {
        view.notice("storefront-notice-done");
    } else {
        view.notice("storefront-notice-refused");
    }
    let back =
        form.text("_back").filter(|back| back.starts_with("/account")).unwrap_or("/account/purchases").to_owned();
    Ok(view.redirect(&back))
}
