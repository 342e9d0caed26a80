//! Answers with HTML.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, StatusCode, header};

use stoa_kernel::http::shape::DescribesAnswer;
use stoa_kernel::http::table::Operation;

use crate::assets::compressed;

/// What a page may load and do: styles, script, pictures and requests of the shop's own, and nothing inline.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self' https:; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

/// Below it, compressing costs more than it saves.
const WORTH_COMPRESSING: usize = 1024;

/// Who may keep a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeping {
    /// Everybody for a minute, since it says nothing about who looks at it.
    Everybody,
    /// Nobody.
    Nobody,
}

/// A page of the shop.
pub struct HtmlPage {
    /// The status.
    pub status: StatusCode,
    /// The document.
    pub html: String,
    /// Who may keep it.
    pub keeping: Keeping,
    /// Whether the browser takes it compressed.
    pub takes_gzip: bool,
}

impl IntoResponse for HtmlPage {
    fn into_response(self) -> Response {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
        headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
        headers.insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static(match self.keeping {
                Keeping::Everybody => "public, max-age=0, s-maxage=60, stale-while-revalidate=300",
                Keeping::Nobody => "private, no-store",
            }),
        );
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding, accept-language, cookie"));
        let body = if self.takes_gzip && self.html.len() >= WORTH_COMPRESSING {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            Body::from(compressed(self.html.as_bytes()))
        } else {
            Body::from(self.html)
        };
        (self.status, headers, body).into_response()
    }
}

/// Whether a browser takes answers compressed with gzip.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut codings = values.flat_map(|value| value.split(','));
    codings.any(|coding| {
        let (name, parameters) = coding.split_once(';').unwrap_or((coding, ""));
        let is_refused =
            parameters.trim().strip_prefix("q=").is_some_and(|q| q.trim().trim_matches(['0', '.']).is_empty());
        matches!(name.trim(), "gzip" | "*") && !is_refused
    })
}

/// An answer of a page's route, of which the API's document says nothing.
pub struct PageResponse(pub Response);

impl IntoResponse for PageResponse {
    fn into_response(self) -> Response {
        self.0
    }
}

impl DescribesAnswer for PageResponse {
    fn answers(_: &mut Operation) {}
}

/// Sends the browser on to another page after a form (303).
pub fn see_other(location: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    // What cannot stand in a header leads home.
    let location = HeaderValue::from_str(location).unwrap_or(HeaderValue::from_static("/"));
    response.headers_mut().insert(header::LOCATION, location);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(value: &'static str) -> bool {
        takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
    }

    #[test]
    fn gzip_is_used_where_the_browser_takes_it() {
        for value in ["gzip", "br, gzip;q=0.5", "deflate,*"] {
            assert!(takes(value), "{value}");
        }
        for value in ["", "br", "gzip;q=0", "gzip; q=0.000", "identity"] {
            assert!(!takes(value), "{value}");
        }
    }
}
