//! Changes that the operator makes: counting, adding, taking away.

use serde_json::json;
use stoa_core::catalog::lock_catalog;
use stoa_core::prelude::*;
use stoa_core::suggestion::meant_or;

use crate::availability::show;
use crate::config::Config;
use crate::ledger::{Actor, Kind, Movement, record};
use crate::products::{ProductFacts, ProductRow, insert_new, take_in};
use crate::queries;
use crate::settings::{Declared, MOST_PIECES, check_sku};
use crate::stock::Stock;

/// What the operator wants of one SKU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// So many pieces are on hand.
    Count(i64),
    /// So many pieces more are on hand, or fewer.
    Adjust(i64),
    /// Whether more can be ordered than there is.
    Backorder(bool),
    /// It is not counted any more.
    Forget,
}

/// Why stock was not changed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChangeError {
    /// No product is sold by it.
    #[error("no product is sold by `{sku}`{instead}")]
    Unknown {
        /// What was named.
        sku: String,
        /// What may have been meant, or where all are.
        instead: String,
    },
    /// It cannot be a SKU.
    #[error("the SKU {0}")]
    NoSku(String),
    /// There cannot be fewer than none.
    #[error("{sku} has {on_hand} on hand, which {change:+} would make {}; `stoa inventory set` counts anew", on_hand + change)]
    Negative {
        /// The SKU.
        sku: String,
        /// What there is.
        on_hand: i64,
        /// By how much it was to change.
        change: i64,
    },
    /// There cannot be so many.
    #[error("{sku} would have more than {MOST_PIECES} pieces")]
    TooMany {
        /// The SKU.
        sku: String,
    },
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Changes the stock of one SKU after the catalog's lock was taken; of several, take them sorted.
pub(crate) async fn change(
    tx: &mut Tx,
    config: Config,
    sku: &str,
    wish: Wish,
    reason: Option<&str>,
) -> Result<Stock, ChangeError> {
    check_sku(sku).map_err(ChangeError::NoSku)?;
    let now = tx.now();
    let locked = match tx.run(queries::LOCK_STOCK).bind(sku).bind(now).optional::<Stock>().await? {
        Some(locked) => locked,
        None => begin(tx, config, sku).await?,
    };
    let mut stock = locked.clone();
    let mut movements = Vec::new();
    let tracked = wish != Wish::Forget;
    if locked.tracked != tracked {
        stock = tx.run(queries::SET_TRACKED).bind(sku).bind(tracked).bind(now).one().await?;
        let word = if tracked { "on" } else { "off" };
        movements.push(Movement::new(Kind::Track, Actor::Operator, &stock).because(reason.or(Some(word))));
    }
    let moved = match wish {
        Wish::Count(count) => Some((Kind::Count, count - locked.on_hand)),
        Wish::Adjust(change) => Some((Kind::Adjust, change)),
        Wish::Backorder(_) | Wish::Forget => None,
    };
    if let Some((kind, change)) = moved {
        check_change(&locked, change)?;
        stock = tx.run(queries::MOVE_STOCK).bind(sku).bind(change).bind(0_i64).bind(now).one().await?;
        movements.push(Movement::new(kind, Actor::Operator, &stock).changing(change, 0).because(reason));
    }
    if let Wish::Backorder(backorder) = wish
        && backorder != locked.backorder
    {
        stock = tx.run(queries::SET_BACKORDER).bind(sku).bind(backorder).bind(now).one().await?;
        let word = if backorder { "on" } else { "off" };
        movements.push(Movement::new(Kind::Backorder, Actor::Operator, &stock).because(reason.or(Some(word))));
    }
    record(tx, &movements).await?;
    let told = |stock: &Stock| json!({"on_hand": stock.on_hand, "backorder": stock.backorder, "tracked": stock.tracked, "reason": reason});
    tx.audit_operator("inventory.change", Subject::new("sku", sku), told(&locked), told(&stock)).await?;
    show(tx, config, &[sku.to_owned()]).await?;
    Ok(stock)
}

/// Changes the stock of one SKU in a transaction of its own.
pub(crate) async fn change_one(
    db: &Db,
    config: Config,
    sku: &str,
    wish: Wish,
    reason: Option<&str>,
) -> Result<Stock, ChangeError> {
    db.write(async |tx| {
        lock_catalog(tx).await?;
        change(tx, config, sku, wish, reason).await
    })
    .await
}

/// Fewer than none may be on hand only where more was sent than was counted, and then only more may come.
fn check_change(stock: &Stock, change: i64) -> Result<(), ChangeError> {
    let sku = || stock.sku.clone();
    let Some(after) = stock.on_hand.checked_add(change).filter(|after| *after <= MOST_PIECES) else {
        return Err(ChangeError::TooMany { sku: sku() });
    };
    if after < 0 && change < 0 {
        return Err(ChangeError::Negative { sku: sku(), on_hand: stock.on_hand, change });
    }
    Ok(())
}

/// Begins to count a SKU that some product is sold by.
async fn begin(tx: &mut Tx, config: Config, sku: &str) -> Result<Stock, ChangeError> {
    let rows = tx.run(queries::SOLD_BY).bind(sku).all::<ProductRow>().await?;
    if rows.is_empty() {
        let known = tx.run(queries::SKUS).scalars::<String>().await?;
        let instead = meant_or(sku, known.iter().map(String::as_str), "`stoa inventory list` shows what is counted");
        return Err(ChangeError::Unknown { sku: sku.to_owned(), instead });
    }
    insert_new(tx, &[(sku, Declared { quantity: None, backorder: None })], Actor::Operator).await?;
    let version = rows.iter().map(|row| row.changed_version).max().unwrap_or(0);
    let products = rows.into_iter().map(ProductFacts::from).collect::<Vec<_>>();
    take_in(tx, config, version, &products).await?;
    let now = tx.now();
    Ok(tx.run(queries::LOCK_STOCK).bind(sku).bind(now).one().await?)
}
