//! JSON compressed with gzip, for clients that take it so.
//!
//! What is the same for everybody, such as lists of products and the document, is compressed once and kept by its validator. Pages
//! and files see to it by themselves.

use axum::body::{Body, HttpBody as _};
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use http_body_util::BodyExt;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::accept::takes_gzip;
use super::gzip;

/// Below it, compressing costs more than it saves, in bytes.
const WORTH_COMPRESSING: u64 = 1024;

/// What is larger is sent as it is, so that nobody waits for it to be compressed.
const MOST: u64 = 4 * 1024 * 1024;

/// Room for what is kept, in bytes.
const KEPT: u64 = 16 * 1024 * 1024;

/// Bytes of what is kept, about; only a hint for the cache.
const USUAL: usize = 4 * 1024;

/// From here on, in bytes, compressing is felt by whoever else is on the thread.
const LONG: usize = 64 * 1024;

#[derive(Debug, Clone)]
struct BySize;

impl Weighter<HeaderValue, Bytes> for BySize {
    fn weight(&self, key: &HeaderValue, compressed: &Bytes) -> u64 {
        (key.len() + compressed.len()) as u64
    }
}

/// Compresses answers.
pub(super) struct Compressor {
    kept: Cache<HeaderValue, Bytes, BySize>,
}

impl Compressor {
    pub(super) fn new() -> Self {
        let items = usize::try_from(KEPT).unwrap_or(usize::MAX) / USUAL;
        Self { kept: Cache::with_weighter(items, KEPT, BySize) }
    }

    /// Whether a request may be answered compressed: not one for the headers alone, whose length would be another.
    pub(super) fn is_wanted(method: &Method, headers: &HeaderMap) -> bool {
        *method != Method::HEAD && takes_gzip(headers)
    }

    /// The answer, compressed if that is wanted. Caches between here and there are told that it depends on that.
    pub(super) async fn compress(&self, mut response: Response, is_wanted: bool) -> Response {
        if !is_worth_it(&response) {
            return response;
        }
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-encoding"));
        if !is_wanted {
            return response;
        }
        let etag = response.headers().get(header::ETAG).cloned();
        let known = etag.as_ref().and_then(|etag| self.kept.get(etag));
        let (mut parts, body) = response.into_parts();
        let compressed = if let Some(known) = known {
            known
        } else {
            // It is in memory as a whole, since its size is known and it is no file.
            let Ok(collected) = body.collect().await else {
                return Response::from_parts(parts, Body::empty());
            };
            let plain = collected.to_bytes();
            let Some(compressed) = compressed(plain.clone()).await else {
                return Response::from_parts(parts, Body::from(plain));
            };
            if let Some(etag) = &etag {
                self.kept.insert(etag.clone(), compressed.clone());
            }
            compressed
        };
        // Other bytes with the same meaning (RFC 9110, 8.8.1).
        if let Some(weak) = etag.and_then(|etag| HeaderValue::from_bytes(&[b"W/", etag.as_bytes()].concat()).ok()) {
            parts.headers.insert(header::ETAG, weak);
        }
        parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        parts.headers.remove(header::CONTENT_LENGTH);
        Response::from_parts(parts, Body::from(compressed))
    }
}

fn is_worth_it(response: &Response) -> bool {
    let headers = response.headers();
    let is_json = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes() == b"application/json");
    let is_whole = response.status() != StatusCode::PARTIAL_CONTENT && !headers.contains_key(header::CONTENT_ENCODING);
    let size = response.body().size_hint().exact();
    is_json && is_whole && size.is_some_and(|size| (WORTH_COMPRESSING..=MOST).contains(&size))
}

/// The content compressed with gzip; none when that is interrupted.
async fn compressed(plain: Bytes) -> Option<Bytes> {
    if plain.len() < LONG {
        return Some(gzip::fast(&plain));
    }
    tokio::task::spawn_blocking(move || gzip::fast(&plain)).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(size: usize) -> Response {
        let mut response = Response::new(Body::from("1".repeat(size)));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response.headers_mut().insert(header::ETAG, HeaderValue::from_static("\"a\""));
        response
    }

    #[tokio::test]
    async fn what_is_small_or_no_json_comes_as_it_is() {
        let compressor = Compressor::new();
        let mut picture = json(5000);
        picture.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("image/png"));
        for response in [json(100), picture] {
            let answer = compressor.compress(response, true).await;
            assert!(!answer.headers().contains_key(header::CONTENT_ENCODING));
        }
    }

    #[tokio::test]
    async fn what_is_compressed_says_so_and_has_a_validator_of_the_same_meaning() {
        let compressor = Compressor::new();
        for _ in 0..2 {
            let answer = compressor.compress(json(5000), true).await;
            assert_eq!(answer.headers()[header::CONTENT_ENCODING], "gzip");
            assert_eq!(answer.headers()[header::ETAG], "W/\"a\"");
            assert_eq!(answer.headers()[header::VARY], "accept-encoding");
            assert!(answer.body().size_hint().exact().is_some_and(|size| size < 200));
        }
        let plain = compressor.compress(json(5000), false).await;
        assert_eq!(plain.headers()[header::VARY], "accept-encoding");
        assert!(!plain.headers().contains_key(header::CONTENT_ENCODING));
    }
}
