//! Products as they are stored, on which records are laid.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Tx};

use super::products::ProductState;
use super::queries;
use crate::record::Record;

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
            db.read(queries::STORED_PRODUCTS).bind(slugs.as_str()).all::<ProductState>().await?,
            db.read(queries::STORED_SETTINGS).bind(slugs.as_str()).all::<SettingsRow>().await?,
        ),
        Source::Tx(tx) => (
            tx.run(queries::STORED_PRODUCTS).bind(slugs.as_str()).all::<ProductState>().await?,
            tx.run(queries::STORED_SETTINGS).bind(slugs.as_str()).all::<SettingsRow>().await?,
        ),
    };
    let mut products = rows.into_iter().map(|row| (row.slug.clone(), row)).collect::<BTreeMap<_, _>>();
    for row in settings {
        if let Some(product) = products.get_mut(&row.slug) {
            product.settings.insert(row.module, row.settings.0);
        }
    }
    Ok(products)
}
