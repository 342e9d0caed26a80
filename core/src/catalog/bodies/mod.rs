//! The JSON of single products, kept while it is current and fits into memory.
//!
//! The answer for one product is such a body, and lists are put together from them, so that only
//! products that nobody has asked for since the last change are read from the database.

use std::hash::BuildHasher;
use std::sync::Arc;

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

/// What knowing a product's place by its id costs.
const PLACE_COST: u64 = 80;

/// Bytes of a body, about; only a hint for the cache.
const USUAL_SIZE: u64 = 1024;

/// A product's JSON as of a version of the catalog. Cloning copies no content.
#[derive(Debug, Clone)]
pub(super) struct ProductBody {
    version: i64,
    product_id: i64,
    tag: Tag,
    content: Content,
}

/// A slug and behind it the answer for its product, in one piece of memory: with many products each place is memory that
/// the processor has to wait for.
#[derive(Debug, Clone)]
struct Content {
    slug_and_answer: Arc<[u8]>,
    slug_length: usize,
}

impl Content {
    fn slug(&self) -> &[u8] {
        &self.slug_and_answer[..self.slug_length]
    }
}

/// The answer.
impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        &self.slug_and_answer[self.slug_length..]
    }
}

impl ProductBody {
    /// The body of a product that was read when the catalog had at least this version.
    pub(super) fn new(version: i64, product: &ProductResource) -> Result<Self, serde_json::Error> {
        #[derive(Serialize)]
        struct Envelope<'a> {
            data: &'a ProductResource,
        }
        let mut bytes = product.slug.as_bytes().to_vec();
        serde_json::to_writer(&mut bytes, &Envelope { data: product })?;
        let content = Content { slug_and_answer: bytes.into(), slug_length: product.slug.len() };
        debug_assert!(content.as_ref().starts_with(OPENING), "the envelope has one member");
        Ok(Self { version, product_id: product.id, tag: Tag::of([content.as_ref()]), content })
    }

    /// The answer for this product alone.
    pub(super) fn answer(self) -> Answer {
        Answer { body: Bytes::from_owner(self.content), tag: self.tag }
    }

    /// The product's JSON, for a list.
    pub(super) fn json(&self) -> &[u8] {
        let answer = self.content.as_ref();
        &answer[OPENING.len()..answer.len() - 1]
    }

    pub(super) fn tag(&self) -> Tag {
        self.tag
    }
}

#[derive(Debug, Clone)]
struct BodyWeighter;

impl quick_cache::Weighter<u64, ProductBody> for BodyWeighter {
    fn weight(&self, _: &u64, body: &ProductBody) -> u64 {
        (body.content.slug_and_answer.len() + BODY_OVERHEAD) as u64
    }
}

#[derive(Debug, Clone)]
struct PlaceWeighter;

impl quick_cache::Weighter<i64, u64> for PlaceWeighter {
    fn weight(&self, _: &i64, _: &u64) -> u64 {
        PLACE_COST
    }
}

/// The bodies that are kept.
pub(super) struct ProductBodies {
    kept: Option<Kept>,
}

/// A body stands under the hash of its slug, and has the slug itself to compare. Lists, which are kept themselves, find that
/// place by the product's id.
struct Kept {
    bodies: Cache<u64, ProductBody, BodyWeighter, RandomState>,
    places: Cache<i64, u64, PlaceWeighter, RandomState>,
    hash: RandomState,
}

impl ProductBodies {
    /// Keeps up to so many bytes; 0 keeps none.
    pub(super) fn new(bytes: u64) -> Self {
        let kept = (bytes > 0).then(|| {
            // A place is about a tenth of its product.
            let for_places = bytes / 10;
            let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
            let hash = RandomState::default();
            Kept {
                bodies: Cache::with(items, bytes - for_places, BodyWeighter, hash.clone(), DefaultLifecycle::default()),
                places: Cache::with(items, for_places, PlaceWeighter, hash.clone(), DefaultLifecycle::default()),
                hash,
            }
        });
        Self { kept }
    }

    /// The body of a product, unless it has to be read anew.
    pub(super) fn of_id(&self, version: i64, id: i64) -> Option<ProductBody> {
        let kept = self.kept.as_ref()?;
        let body = kept.bodies.get(&kept.places.get(&id)?)?;
        (body.version == version && body.product_id == id).then_some(body)
    }

    /// The body of the product that a slug names, unless it has to be read anew.
    pub(super) fn of_slug(&self, version: i64, slug: &str) -> Option<ProductBody> {
        let kept = self.kept.as_ref()?;
        let body = kept.bodies.get(&kept.hash.hash_one(slug.as_bytes()))?;
        // Of two slugs with the same hash, the last that was asked for is kept.
        (body.version == version && body.content.slug() == slug.as_bytes()).then_some(body)
    }

    /// Keeps the body.
    pub(super) fn put(&self, body: ProductBody) {
        if let Some(kept) = &self.kept {
            let place = kept.hash.hash_one(body.content.slug());
            kept.places.insert(body.product_id, place);
            kept.bodies.insert(place, body);
        }
    }

    /// Lets go of everything, after the catalog has changed.
    pub(super) fn clear(&self) {
        if let Some(kept) = &self.kept {
            kept.bodies.clear();
            kept.places.clear();
        }
    }
}
