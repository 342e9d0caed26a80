//! Products as they are stored, on which records are laid.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Tx};

use super::products::ProductState;
use super::queries;
use crate::facts::ProductFacts;
use crate::record::{OptionRecord, Record};

#[derive(sqlx::FromRow)]
struct ProductRow {
    slug: String,
    name: String,
    subtitle: Option<String>,
    sku: Option<String>,
    description: Option<String>,
    price_amount: i64,
    #[sqlx(flatten)]
    facts: ProductFacts,
    tax_class: Option<String>,
    category: Option<String>,
    images: Json<Vec<String>>,
    active: bool,
    capabilities: Json<Vec<String>>,
    options: Json<Vec<OptionRecord>>,
}

#[derive(sqlx::FromRow)]
struct SettingsRow {
    slug: String,
    module: String,
    settings: Json<Value>,
}

/// Where products are read: in the transaction that writes them, or outside of one for a dry run.
pub(super) enum Source<'a> {
    Db(&'a Db),
    Tx(&'a mut Tx),
}

/// Slugs as the statements take them.
pub(super) fn wanted<'a>(slugs: impl Iterator<Item = &'a String>) -> String {
    Value::Array(slugs.map(|slug| json!({"slug": slug})).collect()).to_string()
}

/// The products that the records speak of, as far as there are any, by slug.
pub(super) async fn stored_products(
    source: Source<'_>,
    records: &[Record],
) -> Result<BTreeMap<String, ProductState>, DbError> {
    let slugs = records.iter().filter_map(|record| match record {
        Record::Product(product) => Some(&product.slug),
        Record::Category(_) => None,
    });
    products_named(source, slugs.collect()).await
}

/// The products with these slugs, as far as there are any.
pub(super) async fn products_named(
    source: Source<'_>,
    slugs: BTreeSet<&String>,
) -> Result<BTreeMap<String, ProductState>, DbError> {
    if slugs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let slugs = wanted(slugs.into_iter());
    let (rows, settings) = match source {
        Source::Db(db) => (
            db.read(queries::STORED_PRODUCTS).bind(slugs.as_str()).all::<ProductRow>().await?,
            db.read(queries::STORED_SETTINGS).bind(slugs.as_str()).all::<SettingsRow>().await?,
        ),
        Source::Tx(tx) => (
            tx.run(queries::STORED_PRODUCTS).bind(slugs.as_str()).all::<ProductRow>().await?,
            tx.run(queries::STORED_SETTINGS).bind(slugs.as_str()).all::<SettingsRow>().await?,
        ),
    };
    let mut products =
        rows.into_iter().map(|row| (row.slug.clone(), row.into())).collect::<BTreeMap<_, ProductState>>();
    for row in settings {
        if let Some(product) = products.get_mut(&row.slug) {
            product.settings.insert(row.module, row.settings.0);
        }
    }
    Ok(products)
}

impl From<ProductRow> for ProductState {
    fn from(row: ProductRow) -> Self {
        Self {
            slug: row.slug,
            name: row.name,
            subtitle: row.subtitle,
            sku: row.sku,
            description: row.description,
            price_amount: row.price_amount,
            facts: row.facts,
            tax_class: row.tax_class,
            category: row.category,
            images: row.images.0,
            active: row.active,
            capabilities: row.capabilities.0,
            options: row.options.0,
            settings: BTreeMap::new(),
        }
    }
}
