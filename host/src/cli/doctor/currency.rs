//! The shop's currency: the configured one must be the one that its amounts are in.

use stoa_core::db::Db;
use stoa_core::money::Currency;
use stoa_core::shop_currency::{CurrencyError, check_currency};

use super::finding::Finding;

const CHECK: &str = "currency";

/// Whether a migrated database can be opened under the configured currency.
pub(in crate::cli) async fn is_kept(db: &Db, configured: Currency) -> Finding {
    match check_currency(db, configured).await {
        Ok(()) => Finding::ok(CHECK, format!("prices are in {configured}")),
        Err(error) => {
            let fix = match &error {
                CurrencyError::Another { kept, .. } => format!("set `shop.currency = \"{kept}\"`"),
                CurrencyError::Unknown(_) => String::from("use the version of stoa that last ran on this database"),
                CurrencyError::Db(_) => String::from("look at the log of the database"),
            };
            Finding::failure(CHECK, stoa_core::error_chain(&error), fix)
        }
    }
}
