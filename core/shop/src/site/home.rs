//! `GET /`: a small page with the shop's name and links (contract 2).

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, header};

use stoa_kernel::html::escape;

use super::SiteState;

/// Answers the page.
pub(super) async fn home(State(state): State<SiteState>) -> Response {
    let name = escape(&state.parts.config.shop.name);
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{name}</title>\n</head>\n\
         <body>\n<h1>{name}</h1>\n<ul>\n<li><a href=\"/development/api\">API reference</a></li>\n\
         <li><a href=\"/api/v1/products\">Products</a></li>\n<li><a href=\"/api/v1/categories\">Categories</a></li>\n\
         <li><a href=\"/api/v1/openapi.json\">OpenAPI document</a></li>\n</ul>\n</body>\n</html>\n"
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'")),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    (headers, page).into_response()
}
