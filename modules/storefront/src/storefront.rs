//! What all pages of a shop share: theme, the operator's own pages, and what is kept in memory.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use quick_cache::sync::Cache;

use stoa_core::chrono::{DateTime, Utc};
use stoa_core::from_shop::Frozen;
use stoa_core::http::shared_cache::SharedAnswer;
use stoa_core::pages::answer::Html;
use stoa_core::pages::theme::{Theme, ThemeError};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::kept::KeptByVersion;
use crate::operator_pages::OperatorPages;
use crate::theme;
use crate::view::Shop;

/// Pages that are kept in memory.
const KEPT_PAGES: usize = 2000;

/// What all pages share.
#[derive(Clone)]
pub(crate) struct Storefront(Arc<Shared>);

struct Shared {
    config: Config,
    theme: OnceLock<Theme>,
    own_pages: OnceLock<OperatorPages>,
    kept: Cache<u64, Arc<KeptPage>>,
    sitemap: KeptByVersion<Html>,
    feed: KeptByVersion<Html>,
    has_loose: KeptByVersion<bool>,
}

/// A page that says nothing about who looks at it, with the version of the catalog that it was made from, and when.
pub(crate) struct KeptPage {
    pub(crate) version: i64,
    pub(crate) made_at: DateTime<Utc>,
    pub(crate) html: Html,
    /// What caches outside are told, if they may keep it.
    pub(crate) shared: Option<SharedAnswer>,
}

impl Storefront {
    pub(crate) fn new(config: Config) -> Self {
        let kept = Cache::new(KEPT_PAGES);
        let (theme, own_pages, sitemap, feed, has_loose) = Default::default();
        Self(Arc::new(Shared { config, theme, own_pages, kept, sitemap, feed, has_loose }))
    }

    /// Reads theme and pages, or says what is wrong with them.
    pub(crate) fn open(&self, frozen: &Frozen) -> Result<(), ThemeError> {
        let theme = theme::load(&self.0.config, frozen)?;
        let pages = OperatorPages::read(self.0.config.pages.as_deref(), &frozen.texts.languages())?;
        // A second start finds what the first one has read.
        let _ = (self.0.theme.set(theme), self.0.own_pages.set(pages));
        Ok(())
    }

    /// Reads theme and pages, and looks through what the operator has written.
    pub(crate) fn check(&self, frozen: &Frozen) -> Result<(), ThemeError> {
        self.open(frozen)?;
        self.0.theme.get().map_or(Ok(()), |theme| theme.check(&frozen.members))
    }

    /// The theme. Who asks before the shop has started has it read.
    pub(crate) fn theme(&self, shop: &Shop) -> ApiResult<&Theme> {
        if self.0.theme.get().is_none() {
            self.open(&shop.frozen).map_err(ApiError::internal)?;
        }
        self.0.theme.get().ok_or_else(|| ApiError::internal("the storefront has no theme"))
    }

    /// The operator's own pages.
    pub(crate) fn own_pages(&self) -> &OperatorPages {
        static NONE: OnceLock<OperatorPages> = OnceLock::new();
        self.0.own_pages.get().unwrap_or_else(|| NONE.get_or_init(OperatorPages::default))
    }

    /// The page that is kept under what names it.
    pub(crate) fn kept_page(&self, names: &impl Hash) -> Option<Arc<KeptPage>> {
        self.0.kept.get(&hashed(names))
    }

    /// Keeps a page under what names it.
    pub(crate) fn keep(&self, names: &impl Hash, page: KeptPage) {
        self.0.kept.insert(hashed(names), Arc::new(page));
    }

    /// The sitemap.
    pub(crate) fn sitemap(&self) -> &KeptByVersion<Html> {
        &self.0.sitemap
    }

    /// The product feed.
    pub(crate) fn feed(&self) -> &KeptByVersion<Html> {
        &self.0.feed
    }

    /// Whether there are products that stand in no category.
    pub(crate) fn has_loose(&self) -> &KeptByVersion<bool> {
        &self.0.has_loose
    }

    /// Whether the operator has chosen a colour.
    pub(crate) fn has_accent(&self) -> bool {
        self.0.config.accent.is_some()
    }

    /// The name of the logo among the assets.
    pub(crate) fn logo(&self) -> Option<String> {
        self.0.config.logo.as_deref().map(theme::logo_name)
    }
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
