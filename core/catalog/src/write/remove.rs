//! Removing products that nobody has ever ordered, and categories that are empty.

use std::collections::BTreeSet;

use serde_json::Value;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::events::{Event, ListenerError, TransactionEvent, Veto};

use super::audit::{category_facts, product_facts};
use super::categories::Categories;
use super::changed::{CatalogChanged, announce_changed};
use super::queries;
use super::stored::{Source, products_named};

/// A product that no order has is about to be deleted. Announced inside the transaction, which holds the catalog's lock and that
/// of the product.
///
/// A veto keeps the product. Rows that refer to it by a foreign key without `ON DELETE CASCADE` have to be deleted, and by a
/// listener of [`on_transaction_even_off`](stoa_kernel::module::ModuleContext::on_transaction_even_off): those of a module that is off
/// would stand in the way as well.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductDeleting {
    /// The product.
    pub product_id: i64,
    /// Its name in URLs.
    pub slug: String,
}

impl Event for ProductDeleting {
    const NAME: &'static str = "ProductDeleting";
}

impl TransactionEvent for ProductDeleting {}

/// Why a product was not removed. Everything is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RemoveProductError {
    /// There is no such product.
    #[error("there is no such product")]
    Unknown,
    /// Orders have it, which must be able to name what was sold.
    #[error("{0} orders have it")]
    Ordered(i64),
    /// A feature or module refuses.
    #[error("refused")]
    Refused(Veto),
    /// A feature or module could not delete what it keeps.
    #[error("what is kept about the product could not be deleted: {0}")]
    Failed(String),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<ListenerError> for RemoveProductError {
    fn from(error: ListenerError) -> Self {
        match error {
            ListenerError::Veto(veto) => Self::Refused(veto),
            ListenerError::Db(error) => Self::Db(error),
            ListenerError::Failed(text) => Self::Failed(text),
        }
    }
}

/// Removes a product that no order has, from carts too, and returns how many carts had it.
pub async fn remove_product(db: &Db, slug: &str) -> Result<i64, RemoveProductError> {
    db.write(async |tx| -> Result<i64, RemoveProductError> {
        tx.run(queries::RAISE_VERSION).execute().await?;
        // From here on nobody puts the product into a cart; whoever is doing so is waited for.
        let find = tx.run(queries::LOCK_PRODUCT).bind(slug).optional_scalar::<i64>().await?;
        let product_id = find.ok_or(RemoveProductError::Unknown)?;
        // Nor is a cart placed that has it; whoever is placing one is waited for, so that the order is seen below.
        let carts = tx.run(queries::LOCK_CARTS_WITH).bind(product_id).scalars::<i64>().await?.len();
        let orders = tx.run(queries::COUNT_ORDERS_WITH).bind(product_id).scalar::<i64>().await?;
        if orders > 0 {
            return Err(RemoveProductError::Ordered(orders));
        }
        tx.announce(&ProductDeleting { product_id, slug: slug.to_owned() }).await?;
        let slug = slug.to_owned();
        let stored = products_named(Source::Tx(tx), BTreeSet::from([&slug])).await?;
        let before = stored.get(&slug).map(product_facts).map_or(Value::Null, Value::Object);
        let changed = || CatalogChanged::Products { slugs: vec![slug.clone()], left: Vec::new() };
        announce_changed(tx, changed).await?;
        tx.run(queries::DELETE_PRODUCT).bind(product_id).execute().await?;
        tx.audit_operator("products.delete", Subject::product(&slug), before, Value::Null).await?;
        Ok(i64::try_from(carts).unwrap_or(i64::MAX))
    })
    .await
}

/// Why a category was not removed. Everything is as it was.
#[derive(Debug, thiserror::Error)]
pub enum RemoveCategoryError {
    /// There is no such category.
    #[error("there is no such category")]
    Unknown,
    /// Something stands in it.
    #[error("it has {products} products and {children} categories")]
    Filled {
        /// Products in it, inactive ones too.
        products: i64,
        /// Categories right below it.
        children: i64,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Removes a category in which nothing stands.
pub async fn remove_category(db: &Db, slug: &str) -> Result<(), RemoveCategoryError> {
    db.write(async |tx| -> Result<(), RemoveCategoryError> {
        // Whoever puts something into a category holds this lock as well.
        tx.run(queries::RAISE_VERSION).execute().await?;
        let (id, products, children) = filling(tx, slug).await?.ok_or(RemoveCategoryError::Unknown)?;
        if products + children > 0 {
            return Err(RemoveCategoryError::Filled { products, children });
        }
        let stored = Categories::new(tx.run(queries::ALL_CATEGORIES).all().await?);
        let before = stored.get(slug).map(category_facts).map_or(Value::Null, Value::Object);
        tx.run(queries::DELETE_CATEGORY).bind(id).execute().await?;
        announce_changed(tx, || CatalogChanged::Everything).await?;
        Ok(tx.audit_operator("categories.delete", Subject::category(slug), before, Value::Null).await?)
    })
    .await
}

/// The id of a category, the number of its products, and that of the categories right below it.
async fn filling(tx: &mut Tx, slug: &str) -> Result<Option<(i64, i64, i64)>, DbError> {
    tx.run(queries::CATEGORY_FILLING).bind(slug).optional().await
}
