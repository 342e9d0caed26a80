//! Which keys a change concerns, written down in its transaction.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::events::{InTransaction, ListenerError};
use stoa_kernel::http::shared_cache::{CATALOG_KEY, LIST_KEY, PRODUCTS_KEY, category_key, product_key};

use super::PurgeTarget;
use super::queries;
use super::send::SendPurge;
use crate::write::CatalogChanged;

/// Writes keys down for each address.
pub(super) struct NoteKeys(pub(super) Arc<[PurgeTarget]>);

impl InTransaction<CatalogChanged> for NoteKeys {
    async fn in_transaction(&self, changed: &CatalogChanged, tx: &mut Tx) -> Result<(), ListenerError> {
        let keys = keys_of(tx, changed).await?;
        let pairs = self.0.iter().flat_map(|target| keys.iter().map(|key| json!({"target": target.id, "key": key})));
        let pairs = Value::Array(pairs.collect()).to_string();
        let now = tx.now();
        tx.run(queries::NOTE).bind(pairs).bind(now).execute().await?;
        for target in &*self.0 {
            tx.enqueue_at(&SendPurge { target: target.id }, now).await?;
        }
        Ok(())
    }
}

async fn keys_of(tx: &mut Tx, changed: &CatalogChanged) -> Result<BTreeSet<String>, DbError> {
    let slugs = |slugs: &[String]| Value::Array(slugs.iter().map(|slug| json!({"slug": slug})).collect()).to_string();
    match changed {
        CatalogChanged::Everything => Ok(BTreeSet::from([CATALOG_KEY.to_owned()])),
        CatalogChanged::Availability(ids) => {
            Ok(ids.iter().map(|id| product_key(*id)).chain([PRODUCTS_KEY.to_owned()]).collect())
        }
        CatalogChanged::Products { slugs: changed, left } => {
            let changed = slugs(changed);
            let products = tx.run(queries::PRODUCTS).bind(changed.as_str()).scalars::<i64>().await?;
            let categories = tx.run(queries::CATEGORIES).bind(changed).bind(slugs(left)).scalars::<i64>().await?;
            let products = products.into_iter().map(product_key);
            let lists = categories.into_iter().map(category_key).chain([LIST_KEY.to_owned(), PRODUCTS_KEY.to_owned()]);
            Ok(products.chain(lists).collect())
        }
    }
}
