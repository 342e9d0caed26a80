//! What modules let customers choose products by, beside price, brand and options.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, try_join_all};

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Message;

/// A value that a product has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FacetValue {
    /// The product.
    pub product_id: i64,
    /// What `GET /products` and `GET /browse` take for it.
    pub value: String,
    /// As customers see it.
    pub label: String,
}

/// Something that customers choose products by. Register it with
/// [`ModuleContext::product_facet`](super::ModuleContext::product_facet).
pub trait ProductFacet: Send + Sync + 'static {
    /// What is called so behind the module's name and a point in the query of `GET /products` and `GET /browse`:
    /// `event_tickets.venue`.
    const KEY: &'static str;

    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// What customers read above the values.
    fn label(&self) -> Message;

    /// The values of all products of the module; a product may have several. They are read once for each version of the catalog: whoever
    /// changes them otherwise than by the settings of a product tells so with `catalog::details_changed`.
    ///
    /// # Errors
    ///
    /// If the database fails.
    fn values(&self, uses: &Self::Uses) -> impl Future<Output = Result<Vec<FacetValue>, DbError>> + Send;
}

trait ErasedFacet: Send + Sync {
    fn label(&self) -> Message;
    fn values<'a>(&'a self, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<FacetValue>, DbError>>;
}

impl<F: ProductFacet> ErasedFacet for F {
    fn label(&self) -> Message {
        ProductFacet::label(self)
    }

    fn values<'a>(&'a self, shop: &'a ShopParts) -> BoxFuture<'a, Result<Vec<FacetValue>, DbError>> {
        async move { ProductFacet::values(self, &F::Uses::from_shop(shop)).await }.boxed()
    }
}

/// What one module has registered.
#[derive(Clone)]
pub(crate) struct OwnedFacet {
    parameter: Arc<str>,
    facet: Arc<dyn ErasedFacet>,
}

impl OwnedFacet {
    pub(super) fn new<F: ProductFacet>(module: &'static str, facet: F) -> Self {
        Self { parameter: format!("{module}.{}", F::KEY).into(), facet: Arc::new(facet) }
    }
}

impl fmt::Debug for OwnedFacet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.parameter)
    }
}

/// The facets of all enabled modules.
pub(crate) type FacetTable = Arc<[OwnedFacet]>;

/// A facet as it is now.
#[derive(Debug, Clone)]
pub struct ReadFacet {
    /// The parameter that chooses by it.
    pub parameter: Arc<str>,
    /// What customers read above the values.
    pub label: Message,
    /// The values of all products.
    pub values: Vec<FacetValue>,
}

/// Asks the modules what products can be chosen by.
#[derive(Clone)]
pub struct FacetReader(ShopParts);

impl FromShop for FacetReader {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl FacetReader {
    /// Whether there is anything to ask for.
    pub fn is_empty(&self) -> bool {
        self.0.shown.facets.is_empty()
    }

    /// Whether an enabled module lets products be chosen by this parameter.
    pub fn has(&self, parameter: &str) -> bool {
        self.0.shown.facets.iter().any(|owned| &*owned.parameter == parameter)
    }

    /// The facets of all enabled modules.
    ///
    /// # Errors
    ///
    /// If the database fails.
    pub async fn read(&self) -> Result<Vec<ReadFacet>, DbError> {
        let facets = &*self.0.shown.facets;
        let values = try_join_all(facets.iter().map(|owned| owned.facet.values(&self.0))).await?;
        let read = facets.iter().zip(values).map(|(owned, values)| ReadFacet {
            parameter: Arc::clone(&owned.parameter),
            label: owned.facet.label(),
            values,
        });
        Ok(read.collect())
    }
}
