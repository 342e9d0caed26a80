//! The pages that a sitemap tells search engines of.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use chrono::{DateTime, Utc};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, try_join_all};

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};

/// A page that everybody may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapPage {
    /// Its path at the shop's root, encoded as in an address: `/reviews/desk-lamp`.
    pub path: String,
    /// When what it says last changed, where that is known.
    pub changed_at: Option<DateTime<Utc>>,
}

impl SitemapPage {
    /// A page of which nobody knows when it changed.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), changed_at: None }
    }
}

/// Lists a module's public pages. Register it with [`ModuleContext::sitemap`](crate::module::ModuleContext::sitemap).
pub trait ListPages: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// The pages, always in the same order. They are asked for once for each version of the catalog.
    ///
    /// # Errors
    ///
    /// If the database fails.
    fn pages(&self, uses: &Self::Uses) -> impl Future<Output = Result<Vec<SitemapPage>, DbError>> + Send;
}

trait ErasedListPages: Send + Sync {
    fn pages<'a>(&'a self, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<SitemapPage>, DbError>>;
}

impl<L: ListPages> ErasedListPages for L {
    fn pages<'a>(&'a self, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<SitemapPage>, DbError>> {
        async move { ListPages::pages(self, &L::Uses::from_shop(shop)).await }.boxed()
    }
}

/// What one module has registered.
#[derive(Clone)]
pub(crate) struct PageLister(Arc<dyn ErasedListPages>);

impl PageLister {
    pub(crate) fn new(lister: impl ListPages) -> Self {
        Self(Arc::new(lister))
    }
}

impl fmt::Debug for PageLister {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageLister")
    }
}

/// What all enabled modules have registered.
pub(crate) type PageListers = Arc<[PageLister]>;

/// Asks the modules for their public pages.
#[derive(Clone)]
pub struct SitemapReader(ShopParts);

impl FromShop for SitemapReader {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl SitemapReader {
    /// All public pages of all enabled modules.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn read(&self) -> Result<Vec<SitemapPage>, DbError> {
        let listers = &*self.0.shown.sitemap;
        let pages = try_join_all(listers.iter().map(|lister| lister.0.pages(&self.0))).await?;
        Ok(pages.into_iter().flatten().collect())
    }
}
