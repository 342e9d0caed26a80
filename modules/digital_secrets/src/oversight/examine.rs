//! The module's part of `stoa doctor`.

use stoa_core::encryption::Cipher;
use stoa_core::prelude::*;
use stoa_core::random::Random;

use super::{Stock, list_stocks, queries};
use crate::vault::{count_outdated, unreadable_keys};

/// The most pools or products that a finding names.
const NAMED: usize = 10;

const POOLS: &str = "digital_secrets.pools";
const PRODUCTS: &str = "digital_secrets.products";
const WAITING: &str = "digital_secrets.waiting";
const KEYS: &str = "digital_secrets.keys";

/// Looks at pools and keys.
pub(crate) struct Examination {
    pub(crate) low_water: u32,
}

impl Examine for Examination {
    type Uses = (Db, Random, Cipher);

    async fn examine(&self, (db, random, cipher): &Self::Uses) -> Result<Vec<Finding>, DbError> {
        let stocks = list_stocks(db).await?;
        let unstocked = db.read(queries::LIST_UNSTOCKED).scalars::<String>().await?;
        Ok(vec![self.pools(&stocks), products(&unstocked), waiting(&stocks), keys(db, random, cipher).await?])
    }
}

impl Examination {
    fn pools(&self, stocks: &[Stock]) -> Finding {
        let low = stocks.iter().filter(|stock| stock.is_low(self.low_water));
        let low = low.map(|stock| format!("`{}` has {} left", stock.name, stock.available)).collect::<Vec<_>>();
        if low.is_empty() {
            return Finding::ok(POOLS, "no pool of digital secrets runs low");
        }
        let message = format!("pools of digital secrets run low: {}", named(&low));
        Finding::warning(POOLS, message, "stoa digital-secrets add PRODUCT_SLUG FILE")
    }
}

fn products(unstocked: &[String]) -> Finding {
    if unstocked.is_empty() {
        return Finding::ok(PRODUCTS, "every product with digital secrets has had values");
    }
    let slugs = unstocked.iter().map(|slug| format!("`{slug}`")).collect::<Vec<_>>();
    let message = format!("products are on sale whose pool has never had a value: {}", named(&slugs));
    Finding::warning(
        PRODUCTS,
        message,
        "stoa digital-secrets add PRODUCT_SLUG FILE, or give the product a `pattern` in its settings",
    )
}

fn waiting(stocks: &[Stock]) -> Finding {
    let waiting = stocks.iter().filter(|stock| stock.waiting > 0).map(|stock| {
        let since = stock.waiting_since.map(|since| format!(" since {}", shown_time(since))).unwrap_or_default();
        format!("{} for `{}`{since}", stock.waiting, stock.name)
    });
    let waiting = waiting.collect::<Vec<_>>();
    if waiting.is_empty() {
        return Finding::ok(WAITING, "nobody waits for a digital secret");
    }
    let message = format!("customers have paid and wait for digital secrets: {}", named(&waiting));
    Finding::warning(WAITING, message, "stoa digital-secrets add PRODUCT_SLUG FILE")
}

async fn keys(db: &Db, random: &Random, cipher: &Cipher) -> Result<Finding, DbError> {
    let unreadable = unreadable_keys(db, random, cipher).await?;
    if !unreadable.is_empty() {
        let ids = unreadable.iter().map(ToString::to_string).collect::<Vec<_>>();
        let message = format!("keys of digital secrets cannot be decrypted: {}", named(&ids));
        return Ok(Finding::failure(KEYS, message, "restore the table digital_secrets_keys from a backup"));
    }
    let outdated = count_outdated(db).await?;
    if outdated > 0 {
        let message = format!("{outdated} digital secrets are still sealed with an older key");
        return Ok(Finding::warning(KEYS, message, "stoa jobs run digital_secrets.reencrypt"));
    }
    Ok(Finding::ok(KEYS, "digital secrets can be decrypted"))
}

/// The first of them, and how many more there are.
fn named(all: &[String]) -> String {
    let shown = all.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    if all.len() > NAMED { format!("{shown} and {} more", all.len() - NAMED) } else { shown }
}
