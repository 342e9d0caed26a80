//! The JSON of single products, kept while it is current and fits into memory.
//!
//! The answer for one product is such a body, and lists are put together from them, so that only
//! products that nobody has asked for since the last change are read from the database.

mod entries;
mod key;
mod segments;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use prefetch_index::prefetch_index;
use serde::Serialize;

use stoa_kernel::http::shared_cache::SharedAnswer;
use stoa_kernel::random::Random;

use self::entries::CacheEntries;
use super::answers::{CachedAnswer, Tag};
use super::model::ProductResource;

/// What comes before a product's JSON in the answer for that product alone; `}` comes after it.
const OPENING: &[u8] = b"{\"data\":";

/// What a product's JSON begins with.
const ID: &[u8] = b"{\"id\":";

/// Bytes that a processor gets from memory at once.
const CACHE_LINE: usize = 64;

/// Bytes of a body that are asked for ahead; behind them the processor sees by itself what comes next.
const AHEAD: usize = 2 * 1024;

/// A product's JSON as of one version of the catalog. Cloning copies no content.
#[derive(Debug, Clone)]
pub(super) struct ProductBody {
    answer: Bytes,
    tag: Tag,
    is_live: bool,
}

impl ProductBody {
    fn new(product: &ProductResource) -> Result<Self, serde_json::Error> {
        #[derive(Serialize)]
        struct Envelope<'a> {
            data: &'a ProductResource,
        }
        let answer = serde_json::to_vec(&Envelope { data: product })?;
        debug_assert!(
            answer[OPENING.len()..].starts_with(ID),
            "the envelope has one member, and a product begins with its id"
        );
        let is_live = product.price_varies || product.details.is_live();
        Ok(Self { tag: Tag::of([answer.as_slice()]), answer: answer.into(), is_live })
    }

    /// The answer for this product alone.
    pub(super) fn answer(self, shared: Option<SharedAnswer>) -> CachedAnswer {
        CachedAnswer { body: self.answer, tag: self.tag, is_live: self.is_live, shared }
    }

    /// The product's id, which comes first in its JSON. Kept beside it, an entry would not fit into a cache line.
    pub(super) fn id(&self) -> i64 {
        let digits = self.json().strip_prefix(ID).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |id, digit| id * 10 + i64::from(digit - b'0'))
    }

    /// The product's JSON, for a list.
    pub(super) fn json(&self) -> &[u8] {
        &self.answer[OPENING.len()..self.answer.len() - 1]
    }

    /// Whether it is right for this moment only, and is not kept.
    pub(super) fn is_live(&self) -> bool {
        self.is_live
    }

    pub(super) fn tag(&self) -> Tag {
        self.tag
    }

    /// Has the content fetched from memory while the head of the answer is made: of many products, most are in no cache.
    fn fetched_ahead(self) -> Self {
        for line in (0..self.answer.len().min(AHEAD)).step_by(CACHE_LINE) {
            prefetch_index(&self.answer, line);
        }
        self
    }
}

/// The bodies that are cached.
pub(super) struct ProductCache {
    entries: Option<CacheEntries>,
}

impl ProductCache {
    /// Keeps up to so many bytes; 0 keeps none.
    pub(super) fn new(bytes: u64, random: &Random) -> Self {
        Self { entries: (bytes > 0).then(|| CacheEntries::new(bytes, random)) }
    }

    /// The body of a product, unless it has to be read anew.
    pub(super) fn of_id(&self, version: i64, id: i64) -> Option<ProductBody> {
        self.entries.as_ref()?.of_id(version, id).map(ProductBody::fetched_ahead)
    }

    /// The body of the product that a slug names, unless it has to be read anew.
    pub(super) fn of_slug(&self, version: i64, slug: &str) -> Option<ProductBody> {
        self.entries.as_ref()?.of_slug(version, slug).map(ProductBody::fetched_ahead)
    }

    /// Makes the body of a product that was read when the catalog had at least this version, and keeps it unless it is live.
    pub(super) fn put(&self, version: i64, product: &ProductResource) -> Result<ProductBody, serde_json::Error> {
        let body = ProductBody::new(product)?;
        if let Some(entries) = self.entries.as_ref().filter(|_| !body.is_live) {
            entries.put(version, product.id, &product.slug, &body);
        }
        Ok(body)
    }

    /// Lets go of everything, after the catalog has changed.
    pub(super) fn clear(&self) {
        if let Some(entries) = &self.entries {
            entries.clear();
        }
    }
}
