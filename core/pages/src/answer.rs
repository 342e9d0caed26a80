//! Answers with HTML.

use std::sync::{Arc, OnceLock};

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use stoa_kernel::http::accept::takes_gzip;
pub use stoa_kernel::http::answer::{PageResponse, see_other};
use stoa_kernel::http::gzip;

/// What a page may load and do: styles, script, pictures and requests of the shop's own, and nothing inline. Forms lead to the pages of
/// payment providers, or to their stand-ins on this machine.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; font-src 'self'; \
                      connect-src 'self'; form-action 'self' https: http://127.0.0.1:* http://localhost:*; \
                      base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'";

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

/// A document, compressed when that is first asked for. Cloning copies nothing.
#[derive(Clone)]
pub struct Html(Arc<(Bytes, OnceLock<Bytes>)>);

impl From<String> for Html {
    fn from(text: String) -> Self {
        Self(Arc::new((text.into(), OnceLock::new())))
    }
}

impl Html {
    fn plain(&self) -> Bytes {
        self.0.0.clone()
    }

    fn compressed(&self) -> Bytes {
        self.0.1.get_or_init(|| gzip::small(&self.0.0)).clone()
    }

    /// The document as a client with these headers takes it, and whether that is compressed with gzip.
    pub fn taken_by(&self, headers: &HeaderMap) -> (Bytes, bool) {
        self.taken(takes_gzip(headers))
    }

    fn taken(&self, takes_gzip: bool) -> (Bytes, bool) {
        let plain = self.plain();
        if takes_gzip && plain.len() >= WORTH_COMPRESSING { (self.compressed(), true) } else { (plain, false) }
    }
}

/// A page of the shop.
pub struct HtmlPage {
    /// The status.
    pub status: StatusCode,
    /// The document.
    pub html: Html,
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
        let (body, is_compressed) = self.html.taken(self.takes_gzip);
        if is_compressed {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        (self.status, headers, Body::from(body)).into_response()
    }
}
