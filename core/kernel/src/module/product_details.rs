//! What modules say about the products that they sell, in `details` of the product and of the lines of a cart (contract 6.2).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, try_join_all};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};
use crate::http::answer::schema_of;
use crate::http::table::SchemaOf;

/// A product that is being shown, alone or in the line of a cart.
#[derive(Debug, Clone, Copy)]
pub struct ShownProduct<'a> {
    /// The product.
    pub product_id: i64,
    /// The product's name in URLs.
    pub slug: &'a str,
    /// What the catalog asks for one, in minor units: in the line of a cart with its selections.
    pub price_amount: i64,
    /// The product's capabilities.
    pub capabilities: &'a [String],
    /// What the modules keep about the product, by module.
    pub module_settings: &'a Map<String, Value>,
}

impl ShownProduct<'_> {
    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }

    /// What a module keeps about the product.
    pub fn settings(&self, module: &str) -> Option<&Value> {
        self.module_settings.get(module)
    }
}

/// What a module says about products: the member of `details` that has the module's name. Register it with
/// [`ModuleContext::product_details`](super::ModuleContext::product_details).
pub trait TellDetails: Send + Sync + 'static {
    /// What it works with: a database, a tuple of several things, or a struct made with [`from_shop!`](crate::from_shop!).
    type Uses: FromShop;

    /// The member, which the API's description shows to clients. It says nothing that only a buyer may know.
    type Details: Serialize + JsonSchema;

    /// Whether it changes with sales, and so is read for each request. What does not is kept with the product until the catalog changes;
    /// whoever changes it otherwise than by an import tells so with `catalog::details_changed`.
    const LIVE: bool = false;

    /// What is to be said about each of these products, in their order; none for a product that the module has no part in, which must
    /// follow from the product's capabilities and settings alone where the details are [`LIVE`](Self::LIVE). Read what is needed of all of
    /// them with one statement: they may be a whole page.
    fn details(
        &self,
        products: &[ShownProduct<'_>],
        uses: &Self::Uses,
    ) -> impl Future<Output = Result<Vec<Option<Self::Details>>, DbError>> + Send;
}

/// What is said about many products, in their order.
type Told = Vec<Option<Value>>;

trait ErasedDetails: Send + Sync {
    fn tell<'a>(
        &'a self,
        products: &'a [ShownProduct<'a>],
        shop: &'a ShopParts,
    ) -> BoxFuture<'a, Result<Told, DbError>>;
}

impl<T: TellDetails> ErasedDetails for T {
    fn tell<'a>(
        &'a self,
        products: &'a [ShownProduct<'a>],
        shop: &'a ShopParts,
    ) -> BoxFuture<'a, Result<Told, DbError>> {
        async move {
            let told = self.details(products, &T::Uses::from_shop(shop)).await?;
            let as_json = |details| serde_json::to_value(details).expect("details serialize");
            Ok(told.into_iter().map(|details| details.map(as_json)).collect())
        }
        .boxed()
    }
}

/// What one module has registered.
#[derive(Clone)]
pub(crate) struct DetailsTeller {
    module: &'static str,
    is_live: bool,
    schema: SchemaOf,
    teller: Arc<dyn ErasedDetails>,
}

impl DetailsTeller {
    pub(super) fn new<T: TellDetails>(module: &'static str, teller: T) -> Self {
        Self { module, is_live: T::LIVE, schema: schema_of::<T::Details>, teller: Arc::new(teller) }
    }
}

/// What all enabled modules say about products, frozen and sorted by module.
#[derive(Clone, Default)]
pub struct DetailsTable(Vec<DetailsTeller>);

impl fmt::Debug for DetailsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|teller| teller.module)).finish()
    }
}

impl DetailsTable {
    pub(super) fn new(mut tellers: Vec<DetailsTeller>) -> Self {
        tellers.sort_by_key(|teller| teller.module);
        Self(tellers)
    }

    /// The modules and the schema of what each says.
    pub(crate) fn schemas(&self) -> impl Iterator<Item = (&'static str, SchemaOf)> {
        self.0.iter().map(|teller| (teller.module, teller.schema))
    }
}

/// What the modules say about one product.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Details {
    by_module: BTreeMap<&'static str, Value>,
    #[serde(skip)]
    is_live: bool,
}

impl Details {
    /// The name of the schema, whose members depend on which modules are on.
    pub(crate) const SCHEMA: &'static str = "ProductDetails";

    /// Whether a part of it is right for this moment only.
    pub fn is_live(&self) -> bool {
        self.is_live
    }
}

/// The schema without the modules' members, which the document adds.
impl JsonSchema for Details {
    fn schema_name() -> Cow<'static, str> {
        Self::SCHEMA.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "description": "What is bought, as the modules tell it: a member for each that has something to say about the product.",
        })
    }
}

/// Asks the modules about products.
#[derive(Clone)]
pub struct ProductDetailsReader(ShopParts);

impl FromShop for ProductDetailsReader {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}

impl ProductDetailsReader {
    /// What is said about each of these products, in their order. Each module is asked once.
    pub async fn read(&self, products: &[ShownProduct<'_>]) -> Result<Vec<Details>, DbError> {
        let mut all = vec![Details::default(); products.len()];
        let DetailsTable(tellers) = &*self.0.details;
        if products.is_empty() || tellers.is_empty() {
            return Ok(all);
        }
        let asked = tellers.iter().map(|teller| teller.teller.tell(products, &self.0));
        for (teller, told) in tellers.iter().zip(try_join_all(asked).await?) {
            for (details, told) in all.iter_mut().zip(told) {
                let Some(told) = told else { continue };
                details.by_module.insert(teller.module, told);
                details.is_live |= teller.is_live;
            }
        }
        Ok(all)
    }
}
