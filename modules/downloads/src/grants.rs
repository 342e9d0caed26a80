//! Granting: every unit that was paid has each file of its product, once.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::prelude::*;
use stoa_core::random::Random;

use crate::config::Config;
use crate::queries;

/// Letters and digits of a token: 285 bits, so that nobody guesses one.
const TOKEN_LENGTH: usize = 48;

/// Grants that are made in one transaction.
const BATCH: i64 = 200;

/// Whose grants are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Those of one order.
    Order(i64),
    /// Those of all units of one product.
    Product(i64),
}

/// A unit that lacks a file.
#[derive(Debug, sqlx::FromRow)]
struct Missing {
    order_line_id: i64,
    unit: i64,
    customer_id: i64,
    order_id: i64,
    asset_id: i64,
    download_limit: Option<i64>,
    valid_days: Option<i64>,
    suspended_at: Option<DateTime<Utc>>,
}

/// Makes all grants that are missing; how many there were.
pub(crate) async fn grant_missing(db: &Db, random: &Random, config: &Config, scope: Scope) -> Result<u64, DbError> {
    let mut granted = 0;
    loop {
        let (looked, made) = db
            .write(async |tx| -> Result<(usize, u64), DbError> { grant_batch(tx, random, config, scope).await })
            .await?;
        granted += made;
        if i64::try_from(looked).is_ok_and(|looked| looked < BATCH) {
            return Ok(granted);
        }
    }
}

/// Makes some of the grants that are missing: how many were looked at, and how many made.
pub(crate) async fn grant_batch(
    tx: &mut Tx,
    random: &Random,
    config: &Config,
    scope: Scope,
) -> Result<(usize, u64), DbError> {
    let now = tx.now();
    let missing = match scope {
        Scope::Order(order_id) => tx.run(queries::MISSING_OF_ORDER).bind(order_id),
        Scope::Product(product_id) => tx.run(queries::MISSING_OF_PRODUCT).bind(product_id),
    };
    let missing = missing.bind(BATCH).all::<Missing>().await?;
    let mut made = 0;
    for unit in &missing {
        let token = random.alphanumeric(TOKEN_LENGTH);
        let expires_at = config.validity(unit.valid_days).map(|days: TimeDelta| now + days);
        let grant = tx.run(queries::INSERT_GRANT).bind(token).bind(unit.customer_id).bind(unit.order_id);
        let grant = grant.bind(unit.order_line_id).bind(unit.unit).bind(unit.asset_id);
        let grant = grant.bind(config.limit(unit.download_limit)).bind(expires_at).bind(unit.suspended_at).bind(now);
        made += grant.execute().await?;
    }
    Ok((missing.len(), made))
}
