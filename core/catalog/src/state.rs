//! The catalog of one instance.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use serde_json::{Value, json};
use tokio::sync::{Mutex, watch};

use stoa_kernel::config::Config;
use stoa_kernel::from_shop::{BaseUrl, Capabilities, FromShop, ShopParts};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::random::Random;

use super::answers::Answers;
use super::bodies::ProductBodies;
use super::index::{Shelf, Texts};

/// What the catalog's answers depend on besides the database; fixed once the address is bound.
pub struct Frame {
    pub(super) base_url: Arc<str>,
    pub(super) money: Arc<MoneyFormatter>,
    /// Capability keys that are available, sorted.
    pub(super) capabilities: Vec<&'static str>,
    /// The enabled modules, as the statements take them.
    pub(super) modules: String,
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
        }
    }
}

/// The catalog as one instance holds it in memory.
pub struct Catalog {
    pub(super) frame: std::sync::OnceLock<Frame>,
    shelf: RwLock<Arc<Shelf>>,
    pub(super) texts: RwLock<Texts>,
    /// The version that `texts` follows; searches wait for it.
    pub(super) texts_version: watch::Sender<i64>,
    pub(super) bodies: ProductBodies,
    pub(super) answers: Answers,
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
            shelf: RwLock::default(),
            texts: RwLock::default(),
            texts_version: watch::Sender::new(0),
            bodies: ProductBodies::new(memory - for_lists, random),
            answers: Answers::new(for_lists),
            refreshing: Mutex::default(),
        }
    }

    /// The shelf as it is now.
    pub(super) fn shelf(&self) -> Arc<Shelf> {
        Arc::clone(&self.shelf.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn put_shelf(&self, shelf: Arc<Shelf>) {
        *self.shelf.write().unwrap_or_else(PoisonError::into_inner) = shelf;
    }

    pub(super) fn frame(&self) -> &Frame {
        self.frame.get().expect("the catalog is started before it is asked")
    }

    /// The texts, at least as new as the shelf of `version`.
    pub(super) async fn texts_at(&self, version: i64) -> RwLockReadGuard<'_, Texts> {
        let mut seen = self.texts_version.subscribe();
        // The sender lives as long as the catalog, so this cannot fail.
        let _ = seen.wait_for(|texts| *texts >= version).await;
        self.texts.read().unwrap_or_else(PoisonError::into_inner)
    }
}
