//! The catalog of one instance.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use serde_json::{Value, json};
use tokio::sync::{Mutex, watch};

use stoa_kernel::config::{Config, SharedCacheConfig};
use stoa_kernel::from_shop::{BaseUrl, Capabilities, CatalogVersion, FromShop, ShopParts};
use stoa_kernel::i18n::Texts as ShopTexts;
use stoa_kernel::module::{FacetReader, ProductDetailsReader, SellingRules};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::random::Random;

use super::answers::AnswerCache;
use super::browse::TraitsIndex;
use super::index::{ListingIndex, Texts};
use super::product_cache::ProductCache;
use super::purge::{PurgeTarget, targets_of};

/// What the catalog's answers depend on besides the database; fixed once the address is bound.
pub struct Frame {
    pub(super) base_url: Arc<str>,
    pub(super) money: Arc<MoneyFormatter>,
    /// Capability keys that are available, sorted.
    pub(super) capabilities: Vec<&'static str>,
    /// The enabled modules, as the statements take them.
    pub(super) modules: String,
    /// What modules make of prices.
    pub(super) selling: Arc<SellingRules>,
    pub(super) details: ProductDetailsReader,
    pub(super) facets: FacetReader,
    pub(super) texts: ShopTexts,
    /// Where pages see which version they are made from.
    pub(super) version: CatalogVersion,
}

impl FromShop for Frame {
    fn from_shop(shop: &ShopParts) -> Self {
        let config = Arc::<Config>::from_shop(shop);
        let enabled = config.modules.iter().filter(|(_, section)| section.enabled);
        Self {
            base_url: BaseUrl::from_shop(shop).0,
            money: Arc::from_shop(shop),
            capabilities: Capabilities::from_shop(shop).to_vec(),
            modules: Value::Array(enabled.map(|(name, _)| json!({"name": name})).collect()).to_string(),
            selling: Arc::from_shop(shop),
            details: FromShop::from_shop(shop),
            facets: FromShop::from_shop(shop),
            texts: FromShop::from_shop(shop),
            version: FromShop::from_shop(shop),
        }
    }
}

/// The catalog as one instance holds it in memory.
pub struct Catalog {
    pub(super) frame: std::sync::OnceLock<Frame>,
    listing: RwLock<Arc<ListingIndex>>,
    pub(super) texts: RwLock<Texts>,
    pub(super) traits: RwLock<TraitsIndex>,
    /// The version that `texts` and `traits` follow; searches wait for it.
    pub(super) texts_version: watch::Sender<i64>,
    /// The version that the modules' part of `traits` was read at.
    pub(super) facets_version: Mutex<i64>,
    pub(super) product_cache: ProductCache,
    pub(super) answers: AnswerCache,
    /// How long caches outside keep answers.
    pub(super) shared_cache: Option<SharedCacheConfig>,
    /// Whom to tell that something has changed.
    pub(super) purge_targets: Arc<[PurgeTarget]>,
    /// Held by whoever takes over a version.
    pub(super) refreshing: Mutex<()>,
}

impl Catalog {
    /// An empty catalog; it is filled when it starts to follow the database.
    pub fn new(config: &Config, random: &Random) -> Self {
        let memory = config.catalog.cache_megabytes * 1024 * 1024;
        // Lists are quickly put together again, products have to be read from the database.
        let for_lists = memory / 10;
        Self {
            frame: std::sync::OnceLock::new(),
            listing: RwLock::default(),
            texts: RwLock::default(),
            traits: RwLock::default(),
            texts_version: watch::Sender::new(0),
            facets_version: Mutex::default(),
            product_cache: ProductCache::new(memory - for_lists, random),
            answers: AnswerCache::new(for_lists),
            shared_cache: config.catalog.cache,
            purge_targets: targets_of(config),
            refreshing: Mutex::default(),
        }
    }

    /// The listing as it is now.
    pub(super) fn listing_index(&self) -> Arc<ListingIndex> {
        Arc::clone(&self.listing.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn put_listing(&self, listing: Arc<ListingIndex>) {
        let version = listing.version;
        *self.listing.write().unwrap_or_else(PoisonError::into_inner) = listing;
        if let Some(frame) = self.frame.get() {
            frame.version.set(version);
        }
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frame.get().expect("the catalog is started before it is asked")
    }

    /// What products are browsed by, as new as the texts.
    pub(super) fn traits(&self) -> RwLockReadGuard<'_, TraitsIndex> {
        self.traits.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The texts, at least as new as the listing of `version`.
    pub(super) async fn texts_at(&self, version: i64) -> RwLockReadGuard<'_, Texts> {
        let mut seen = self.texts_version.subscribe();
        // The sender lives as long as the catalog, so this cannot fail.
        let _ = seen.wait_for(|texts| *texts >= version).await;
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }
}
