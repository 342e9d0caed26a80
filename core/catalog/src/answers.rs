//! Finished answers, kept while they are current and fit into memory.

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use foldhash::fast::RandomState;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use quick_cache::sync::{Cache, DefaultLifecycle};
use sha2::{Digest, Sha256};

use stoa_kernel::http::conditions::is_known;
use stoa_kernel::http::shared_cache::SharedAnswer;
use stoa_kernel::i18n::Language;

/// Whoever keeps an answer asks each time whether it is still right.
const UNSHARED: HeaderValue = HeaderValue::from_static("public, max-age=0, must-revalidate");

/// What an answer costs besides its key's text and its body.
const OVERHEAD: usize = 200;

/// Bytes of a list that is kept, about; only a hint for the cache.
const USUAL_SIZE: u64 = 16 * 1024;

/// Which answer it is: the catalog's version, the kind of request, and what it asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct AnswerKey {
    pub(super) version: i64,
    pub(super) kind: AnswerKind,
    pub(super) asked: Box<str>,
}

/// The kinds of catalog requests that are answered with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AnswerKind {
    Products,
    Categories,
    Category,
    Search,
    /// In a language: modules say what is chosen.
    Browse(Language),
}

/// Tells one content from all others: the first 12 bytes of a SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag([u8; 12]);

impl Tag {
    /// The tag of the content that these pieces make up together.
    pub(super) fn of<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut hash = Sha256::new();
        for piece in pieces {
            hash.update(piece);
        }
        let mut tag = [0; 12];
        tag.copy_from_slice(&hash.finalize()[..12]);
        Self(tag)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// As the header `ETag` has it.
    fn header(self) -> HeaderValue {
        let mut text = [b'"'; 26];
        hex::encode_to_slice(self.0, &mut text[1..25]).expect("24 digits for 12 bytes");
        HeaderValue::from_bytes(&text).expect("hexadecimal digits are visible ASCII")
    }
}

/// A finished answer. Cloning copies no content.
#[derive(Debug, Clone)]
pub(super) struct CachedAnswer {
    pub(super) body: Bytes,
    pub(super) tag: Tag,
    /// Whether it is right for this moment only, and is not kept.
    pub(super) is_live: bool,
    /// What caches outside are told, if they may keep it.
    pub(super) shared: Option<SharedAnswer>,
}

impl CachedAnswer {
    /// The response, or 304 when the client has this very answer.
    pub(super) fn respond(self, request: &HeaderMap, is_personal: bool) -> Response {
        let etag = self.tag.header();
        let known = is_known(request, etag.as_bytes());
        let mut response = if known { Response::new(Body::empty()) } else { Response::new(Body::from(self.body)) };
        let headers = response.headers_mut();
        headers.insert(header::ETAG, etag);
        match self.shared.filter(|_| !self.is_live && !is_personal) {
            Some(shared) => shared.write(headers),
            None => drop(headers.insert(header::CACHE_CONTROL, UNSHARED)),
        }
        if known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        } else {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        response
    }
}

#[derive(Debug, Clone)]
struct Weighter;

impl quick_cache::Weighter<AnswerKey, CachedAnswer> for Weighter {
    fn weight(&self, key: &AnswerKey, answer: &CachedAnswer) -> u64 {
        (key.asked.len() + answer.body.len() + OVERHEAD) as u64
    }
}

/// The answers that are kept.
pub(super) struct AnswerCache {
    cache: Option<Cache<AnswerKey, CachedAnswer, Weighter, RandomState>>,
}

impl AnswerCache {
    /// Keeps up to so many bytes; 0 keeps none.
    pub(super) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
        let cache = (bytes > 0)
            .then(|| Cache::with(items, bytes, Weighter, RandomState::default(), DefaultLifecycle::default()));
        Self { cache }
    }

    pub(super) fn get(&self, key: &AnswerKey) -> Option<CachedAnswer> {
        self.cache.as_ref()?.get(key)
    }

    pub(super) fn put(&self, key: AnswerKey, answer: CachedAnswer) {
        if let Some(cache) = self.cache.as_ref().filter(|_| !answer.is_live) {
            cache.insert(key, answer);
        }
    }

    /// Lets go of everything, after the catalog has changed.
    pub(super) fn clear(&self) {
        if let Some(cache) = &self.cache {
            cache.clear();
        }
    }
}
