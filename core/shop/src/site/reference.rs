//! The page `GET /development/api`: the API reference with a console to try each operation (S1 rule 2: a page for people, never a proxy of the API).
//!
//! Everything the page needs is compiled into the binary and comes from this server, so that it works without any other host and under a
//! policy that allows none. The assets lie below a folder that is named by the hash of all of them: a browser may keep them forever, and
//! asks for others after an update.

use std::fmt::Write as _;
use std::sync::{LazyLock, OnceLock};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, REFERRER_POLICY, VARY,
};
use http::response::Builder;
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};

use stoa_kernel::http::accept::takes_gzip;
use stoa_kernel::http::conditions::is_known;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::extract::AssetPath;
use stoa_kernel::http::gzip;

use super::SiteState;

/// The OpenAPI document's URL, relative to the page.
///
/// Being relative, it stays right whatever host a proxy serves the shop under.
const DOCUMENT_URL: &str = "../api/v1/openapi.json";

/// What the page may load and do: scripts, styles, pictures and requests of its own origin, and the pictures within Swagger UI's style sheet.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The assets' folder, relative to the page; the bundle's hash follows.
const FOLDER: &str = "api/assets";

const TEMPLATE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/reference/page.html"));

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE_SHEET: &str = "text/css; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";

/// One file of the page.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    body: &'static [u8],
    /// The body compressed with gzip, made when first asked for and then kept.
    compressed: OnceLock<Bytes>,
}

macro_rules! assets {
    ($($content_type:ident { $($folder:literal / $name:literal),* $(,)? })*) => {
        [$($(Asset {
            name: $name,
            content_type: $content_type,
            body: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/", $folder, "/", $name)),
            compressed: OnceLock::new(),
        }),*),*]
    };
}

const SVG: &str = "image/svg+xml";

static ASSETS: [Asset; 14] = assets! {
    JAVASCRIPT {
        "reference" / "theme.js", "reference" / "reference.js", "reference" / "document.js", "reference" / "credentials.js",
        "reference" / "layout.js", "reference" / "links.js", "reference" / "operation.js", "reference/swagger-ui" / "swagger-ui-bundle.js",
    }
    STYLE_SHEET { "reference" / "reference.css", "reference/swagger-ui" / "swagger-ui.css" }
    SVG { "reference" / "icon.svg" }
    TEXT {
        "reference/swagger-ui" / "LICENSE", "reference/swagger-ui" / "NOTICE",
        "reference/swagger-ui" / "swagger-ui-bundle.js.LICENSE.txt",
    }
};

/// Names the assets as a whole: the first 16 hexadecimal digits of the SHA-256 over all names and bodies.
static BUNDLE: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in &ASSETS {
        hash.update(asset.name);
        hash.update(asset.body.len().to_be_bytes());
        hash.update(asset.body);
    }
    hex::encode(&hash.finalize()[..8])
});

/// The routes of the page and its assets; whatever else lies below the page is not found.
pub(super) fn routes() -> Router<SiteState> {
    Router::new().route("/development/api", get(show)).route("/development/api/assets/{*path}", get(send))
}

async fn show(State(state): State<SiteState>) -> Response {
    page(&state.parts.config.shop.name, DOCUMENT_URL)
}

async fn send(AssetPath(path): AssetPath, headers: HeaderMap) -> Response {
    asset(&path, &headers).unwrap_or_else(|| ApiError::not_found().into_response())
}

/// Answers the page for a shop of this name, reading the document at `document_url`, which is usually [`DOCUMENT_URL`].
///
/// Another origin than the page's own cannot be read from: the page's policy forbids it.
fn page(shop_name: &str, document_url: &str) -> Response {
    let assets = format!("{FOLDER}/{}", *BUNDLE);
    let body = fill(TEMPLATE, &[("shop", shop_name), ("assets", &assets), ("document", document_url)]);
    secured(StatusCode::OK)
        .header(CONTENT_TYPE, "text/html; charset=utf-8")
        .header(CONTENT_SECURITY_POLICY, POLICY)
        .header(CACHE_CONTROL, "no-cache")
        .body(Body::from(body))
        .expect("every header value is a constant")
}

/// Answers the asset at `path`, which is what follows `/development/api/assets/` (`<hash>/reference.js`), or nothing when there is none.
///
/// The request's `headers` decide between the plain and the compressed body, and whether `304 Not Modified` suffices. An older hash finds
/// nothing: a page that was loaded before an update asks for a mixture of both otherwise.
fn asset(path: &str, headers: &HeaderMap) -> Option<Response> {
    let (bundle, name) = path.split_once('/')?;
    let asset = ASSETS.iter().find(|asset| asset.name == name).filter(|_| bundle == *BUNDLE)?;
    let gzip = takes_gzip(headers);
    let tag = format!("\"{bundle}{}\"", if gzip { "-gzip" } else { "" });
    let response = |status| {
        secured(status)
            .header(ETAG, &tag)
            .header(VARY, "Accept-Encoding")
            .header(CACHE_CONTROL, "public, max-age=31536000, immutable")
    };
    if is_known(headers, tag.as_bytes()) {
        return Some(response(StatusCode::NOT_MODIFIED).body(Body::empty()).expect("every header value is ASCII"));
    }
    let response = response(StatusCode::OK).header(CONTENT_TYPE, asset.content_type);
    let response = if gzip {
        response.header(CONTENT_ENCODING, "gzip").body(Body::from(asset.compressed()))
    } else {
        response.body(Body::from(asset.body))
    };
    Some(response.expect("every header value is ASCII"))
}

impl Asset {
    fn compressed(&self) -> Bytes {
        self.compressed.get_or_init(|| gzip::small(self.body)).clone()
    }
}

/// A response that takes no address of this page along.
fn secured(status: StatusCode) -> Builder {
    Response::builder().status(status).header(REFERRER_POLICY, "no-referrer")
}

/// Puts values in place of `{name}`, as text and attribute values of HTML.
fn fill(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |page, (name, value)| page.replace(&format!("{{{name}}}"), &escaped(value)))
}

/// Text that HTML reads as itself; a brace too, so that no value can stand for another.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, character| {
        match character {
            '&' | '<' | '>' | '"' | '\'' | '{' | '}' => {
                write!(escaped, "&#{};", u32::from(character)).expect("writing into a string cannot fail");
            }
            other => escaped.push(other),
        }
        escaped
    })
}

#[cfg(test)]
mod tests;
