//! Pools: whoever takes values from one, or gives some back, locks it first.
//!
//! So nobody is told that a pool is empty because somebody else was about to take a value, and no two can get the same one,
//! on either database and with any number of workers. Several pools are locked in the order of their names, and before any
//! row of a unit or value is touched: no two transactions ever wait for each other.

use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::catalog::no_such_product;
use stoa_core::prelude::*;

use crate::queries;
use crate::settings::SecretSettings;

/// A pool whose row this transaction holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LockedPool {
    pub(crate) id: i64,
}

/// Locks the pool of this name, which is made when there is none yet.
pub(crate) async fn lock_pool(tx: &mut Tx, name: &str) -> Result<LockedPool, DbError> {
    loop {
        if let Some(id) = tx.run(queries::LOCK_POOL).bind(name).optional_scalar::<i64>().await? {
            return Ok(LockedPool { id });
        }
        make_pool(tx, name).await?;
    }
}

/// The id of the pool of this name, which is made when there is none yet; it is not locked.
pub(crate) async fn pool_id(tx: &mut Tx, name: &str) -> Result<i64, DbError> {
    loop {
        if let Some(id) = tx.run(queries::FIND_POOL).bind(name).optional_scalar::<i64>().await? {
            return Ok(id);
        }
        make_pool(tx, name).await?;
    }
}

async fn make_pool(tx: &mut Tx, name: &str) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::INSERT_POOL).bind(name).bind(now).execute().await?;
    Ok(())
}

/// Locks all pools that an order takes from.
pub(crate) async fn lock_pools_of_order(tx: &mut Tx, order_id: i64) -> Result<Vec<LockedPool>, DbError> {
    let ids = tx.run(queries::LOCK_POOLS_OF_ORDER).bind(order_id).scalars::<i64>().await?;
    Ok(ids.into_iter().map(|id| LockedPool { id }).collect())
}

/// Why nothing can be added for a product.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoPool {
    /// There is no such product.
    #[error("{0}")]
    NoProduct(String),
    /// Its values are generated.
    #[error(
        "the values of `{slug}` are generated from the pattern `{pattern}`, so it takes none from a pool; take `pattern` out of the \
         product's settings first"
    )]
    Generated {
        /// The product.
        slug: String,
        /// What they are generated from.
        pattern: String,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The name of the pool that a product takes its values from.
pub(crate) async fn pool_of_product(db: &Db, slug: &str) -> Result<String, NoPool> {
    let product = db.read(queries::FIND_PRODUCT).bind(slug);
    let product = product.optional::<(String, Option<Json<SecretSettings>>)>().await?;
    let Some((slug, settings)) = product else { return Err(NoPool::NoProduct(no_such_product(db, slug).await?)) };
    let settings = settings.map(|settings| settings.0).unwrap_or_default();
    match settings.pattern {
        Some(ref pattern) => Err(NoPool::Generated { slug, pattern: pattern.clone() }),
        None => Ok(settings.pool_of(&slug).to_owned()),
    }
}

/// Says below how many values a pool runs low; none follows the setting. Whether there is such a pool.
pub(crate) async fn set_low_water(db: &Db, pool: &str, number: Option<i64>) -> Result<bool, DbError> {
    db.write(async |tx| {
        let before = tx.run(queries::LOCK_LOW_WATER).bind(pool).optional_scalar::<Option<i64>>().await?;
        let Some(before) = before else { return Ok(false) };
        tx.run(queries::SET_LOW_WATER).bind(pool).bind(number).execute().await?;
        let (before, after) = (json!({"low_water": before}), json!({"low_water": number}));
        tx.audit_operator("digital_secrets.low-water", Subject::new("pool", pool), before, after).await?;
        Ok(true)
    })
    .await
}

/// Names as a statement takes them.
pub(crate) fn names_json<'a>(names: impl Iterator<Item = &'a str>) -> String {
    Value::Array(names.map(|name| json!({"name": name})).collect()).to_string()
}
