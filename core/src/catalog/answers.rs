//! Finished answers, kept while they are current and fit into memory.

use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use moka::sync::Cache;
use sha2::{Digest, Sha256};

/// What an answer costs besides its body: its key, headers and the cache's own bookkeeping.
const OVERHEAD: usize = 256;

/// Which answer it is: the catalog's version, the kind of request, and what it asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AnswerKey {
    pub(super) version: i64,
    pub(super) kind: AnswerKind,
    pub(super) asked: Box<str>,
}

/// The kinds of catalog requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnswerKind {
    Products,
    Product,
    Categories,
    Category,
    Search,
}

/// A finished answer.
#[derive(Debug, Clone)]
pub(super) struct Answer {
    body: Bytes,
    etag: HeaderValue,
}

impl Answer {
    /// An answer with this JSON, its tag made from the content.
    pub(super) fn new(body: Vec<u8>) -> Self {
        let digest = Sha256::digest(&body);
        let etag = format!("\"{}\"", hex::encode(&digest[..12]));
        let etag = HeaderValue::from_str(&etag).expect("hexadecimal digits are visible ASCII");
        Self { body: body.into(), etag }
    }

    /// The response, or 304 when the client has this very answer.
    pub(super) fn respond(&self, request: &HeaderMap) -> Response {
        let known = request.get(header::IF_NONE_MATCH).is_some_and(|given| matches(given, &self.etag));
        let mut response =
            if known { Response::new(Body::empty()) } else { Response::new(Body::from(self.body.clone())) };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=0, must-revalidate"));
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        response
    }
}

/// Whether one of the tags of `If-None-Match` is this one, compared weakly (RFC 9110, 13.1.2).
fn matches(given: &HeaderValue, etag: &HeaderValue) -> bool {
    let (Ok(given), Ok(etag)) = (given.to_str(), etag.to_str()) else { return false };
    given.split(',').map(str::trim).any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

/// The answers that are kept.
pub(super) struct Answers {
    kept: Option<Cache<AnswerKey, Arc<Answer>, foldhash::fast::RandomState>>,
}

impl Answers {
    /// Keeps up to so many MiB; 0 keeps none.
    pub(super) fn new(megabytes: u64) -> Self {
        let kept = (megabytes > 0).then(|| {
            Cache::builder()
                .max_capacity(megabytes * 1024 * 1024)
                .weigher(|key: &AnswerKey, answer: &Arc<Answer>| {
                    u32::try_from(key.asked.len() + answer.body.len() + OVERHEAD).unwrap_or(u32::MAX)
                })
                .build_with_hasher(foldhash::fast::RandomState::default())
        });
        Self { kept }
    }

    pub(super) fn get(&self, key: &AnswerKey) -> Option<Arc<Answer>> {
        self.kept.as_ref()?.get(key)
    }

    pub(super) fn put(&self, key: AnswerKey, answer: Arc<Answer>) {
        if let Some(kept) = &self.kept {
            kept.insert(key, answer);
        }
    }

    /// Lets go of everything, after the catalog has changed.
    pub(super) fn clear(&self) {
        if let Some(kept) = &self.kept {
            kept.invalidate_all();
        }
    }
}
