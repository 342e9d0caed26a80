//! The JSON of single products, kept while it is current and fits into memory.
//!
//! The answer for one product is such a body, and lists are put together from them, so that only
//! products that nobody has asked for since the last change are read from the database.

use bytes::Bytes;
use foldhash::fast::RandomState;
use quick_cache::sync::{Cache, DefaultLifecycle};
use serde::Serialize;

use super::answers::{Answer, Tag};
use super::model::ProductResource;

/// What comes before a product's JSON in the answer for that product alone; `}` comes after it.
const OPENING: &[u8] = b"{\"data\":";

/// What a body costs besides its bytes.
const BODY_OVERHEAD: usize = 150;

/// What a slug costs besides its bytes.
const SLUG_OVERHEAD: usize = 80;

/// Bytes of a body, about; only a hint for the cache.
const USUAL_SIZE: u64 = 1024;

/// A product's JSON as of a version of the catalog. Cloning copies no content.
#[derive(Debug, Clone)]
pub(super) struct ProductBody {
    version: i64,
    product_id: i64,
    answer: Answer,
}

impl ProductBody {
    /// The body of a product that was read when the catalog had at least this version.
    pub(super) fn new(version: i64, product: &ProductResource) -> Result<Self, serde_json::Error> {
        #[derive(Serialize)]
        struct Envelope<'a> {
            data: &'a ProductResource,
        }
        let body = serde_json::to_vec(&Envelope { data: product })?;
        debug_assert!(body.starts_with(OPENING), "the envelope has one member");
        let tag = Tag::of([body.as_slice()]);
        Ok(Self { version, product_id: product.id, answer: Answer { body: Bytes::from(body.into_boxed_slice()), tag } })
    }

    /// The answer for this product alone.
    pub(super) fn answer(self) -> Answer {
        self.answer
    }

    /// The product's JSON, for a list.
    pub(super) fn json(&self) -> &[u8] {
        let body = &self.answer.body;
        &body[OPENING.len()..body.len() - 1]
    }

    pub(super) fn tag(&self) -> Tag {
        self.answer.tag
    }
}

#[derive(Debug, Clone)]
struct BodyWeighter;

impl quick_cache::Weighter<Box<str>, ProductBody> for BodyWeighter {
    fn weight(&self, slug: &Box<str>, body: &ProductBody) -> u64 {
        (slug.len() + body.answer.body.len() + BODY_OVERHEAD) as u64
    }
}

#[derive(Debug, Clone)]
struct SlugWeighter;

impl quick_cache::Weighter<i64, Box<str>> for SlugWeighter {
    fn weight(&self, _: &i64, slug: &Box<str>) -> u64 {
        (slug.len() + SLUG_OVERHEAD) as u64
    }
}

/// The bodies that are kept.
pub(super) struct ProductBodies {
    kept: Option<Kept>,
}

/// A body stands under its slug, so that asking for one product looks in one place only: with many products each place is
/// memory that the processor has to wait for. Lists, which are kept themselves, go by way of the slug.
struct Kept {
    bodies: Cache<Box<str>, ProductBody, BodyWeighter, RandomState>,
    slugs: Cache<i64, Box<str>, SlugWeighter, RandomState>,
}

impl ProductBodies {
    /// Keeps up to so many bytes; 0 keeps none.
    pub(super) fn new(bytes: u64) -> Self {
        let kept = (bytes > 0).then(|| {
            // A slug is about a tenth of its product.
            let for_slugs = bytes / 10;
            let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
            let hash = RandomState::default();
            Kept {
                bodies: Cache::with(items, bytes - for_slugs, BodyWeighter, hash.clone(), DefaultLifecycle::default()),
                slugs: Cache::with(items, for_slugs, SlugWeighter, hash, DefaultLifecycle::default()),
            }
        });
        Self { kept }
    }

    /// The body of a product, unless it has to be read anew.
    pub(super) fn of_id(&self, version: i64, id: i64) -> Option<ProductBody> {
        let slug = self.kept.as_ref()?.slugs.get(&id)?;
        self.of_slug(version, &slug).filter(|body| body.product_id == id)
    }

    /// The body of the product that a slug names, unless it has to be read anew.
    pub(super) fn of_slug(&self, version: i64, slug: &str) -> Option<ProductBody> {
        self.kept.as_ref()?.bodies.get(slug).filter(|body| body.version == version)
    }

    /// Keeps the body of the product with this slug.
    pub(super) fn put(&self, slug: &str, body: ProductBody) {
        if let Some(kept) = &self.kept {
            kept.slugs.insert(body.product_id, slug.into());
            kept.bodies.insert(slug.into(), body);
        }
    }

    /// Lets go of everything, after the catalog has changed.
    pub(super) fn clear(&self) {
        if let Some(kept) = &self.kept {
            kept.bodies.clear();
            kept.slugs.clear();
        }
    }
}
