//! The shop's one currency, as its database keeps it.
//!
//! Prices and discounts are stored as numbers. With another currency in the configuration, each of them would mean
//! another amount, so it has to be the one that the database was filled under; only a shop without amounts may change it.

mod queries;

use std::fmt;

use crate::db::{Db, DbError, Tx};
use crate::money::Currency;

/// Why the configured currency cannot be used; the text is for operators and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CurrencyError {
    /// The shop has amounts in another one.
    #[error(
        "`shop.currency` is {configured}, but this shop's amounts are in {kept}: {amounts}. Amounts are not converted; \
         set `shop.currency = \"{kept}\"`, or begin a shop in {configured} with a database of its own"
    )]
    Another {
        /// The currency that the database was filled under.
        kept: Currency,
        /// The one in the configuration.
        configured: Currency,
        /// What has amounts.
        amounts: Amounts,
    },
    /// The database names a currency that this program does not know.
    #[error("the database keeps the currency `{0}`, which this program does not know; use the version that wrote it")]
    Unknown(String),
    /// The database failed.
    #[error("cannot compare the currency with the database")]
    Db(#[from] DbError),
}

/// How much there is that has amounts in the shop's currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Amounts {
    /// Orders, with their payments and documents.
    pub orders: i64,
    /// Products with a price.
    pub products: i64,
    /// Discount codes with an amount.
    pub discounts: i64,
}

impl Amounts {
    fn is_none(self) -> bool {
        self.orders == 0 && self.products == 0 && self.discounts == 0
    }
}

impl fmt::Display for Amounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: i64, one: &str, many: &str| match count {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {many}")),
        };
        let parts = [
            counted(self.orders, "order", "orders"),
            counted(self.products, "product with a price", "products with prices"),
            counted(self.discounts, "discount code with an amount", "discount codes with amounts"),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}

/// The currency that a migrated database was filled under: the one that was noted, else that of its orders. None in a
/// database that was never opened by a program that notes it and has no orders.
async fn kept_currency(db: &Db) -> Result<Option<Currency>, CurrencyError> {
    let noted = db.read(queries::FIND).optional_scalar::<String>().await?;
    let kept = match noted {
        Some(noted) => Some(noted),
        None => db.read(queries::FIND_OF_ORDERS).optional_scalar().await?,
    };
    kept.map(|code| known(&code)).transpose()
}

/// Refuses a migrated database whose amounts are in another currency than the configured one. Writes nothing.
pub async fn check_currency(db: &Db, configured: Currency) -> Result<(), CurrencyError> {
    match kept_currency(db).await? {
        Some(kept) if kept != configured => {
            refuse_amounts(db.read(queries::COUNT_AMOUNTS).one().await?, kept, configured)
        }
        _ => Ok(()),
    }
}

/// The same, and notes the configured currency in a database that has no amounts in another one yet.
pub async fn settle_currency(db: &Db, configured: Currency) -> Result<(), CurrencyError> {
    // Nearly always there is nothing to be written.
    if db.read(queries::FIND).optional_scalar::<String>().await?.as_deref() == Some(configured.code()) {
        return Ok(());
    }
    db.write(async |tx| note_currency(tx, configured).await).await
}

async fn note_currency(tx: &mut Tx, configured: Currency) -> Result<(), CurrencyError> {
    let of_orders = tx.run(queries::FIND_OF_ORDERS).optional_scalar::<String>().await?;
    let first = of_orders.unwrap_or_else(|| configured.code().to_owned());
    tx.run(queries::INSERT).bind(first.as_str()).execute().await?;
    let kept = known(&tx.run(queries::LOCK).scalar::<String>().await?)?;
    if kept == configured {
        return Ok(());
    }
    refuse_amounts(tx.run(queries::COUNT_AMOUNTS).one().await?, kept, configured)?;
    tx.run(queries::CHANGE).bind(configured.code()).execute().await?;
    Ok(())
}

fn refuse_amounts(amounts: Amounts, kept: Currency, configured: Currency) -> Result<(), CurrencyError> {
    if amounts.is_none() { Ok(()) } else { Err(CurrencyError::Another { kept, configured, amounts }) }
}

fn known(code: &str) -> Result<Currency, CurrencyError> {
    Currency::from_code(code).map_err(|_| CurrencyError::Unknown(code.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_none_of_is_not_told() {
        let told = |orders, products, discounts| Amounts { orders, products, discounts }.to_string();
        assert_eq!(told(1, 0, 2), "1 order, 2 discount codes with amounts");
        assert_eq!(told(0, 3, 1), "3 products with prices, 1 discount code with an amount");
        assert!(Amounts { orders: 0, products: 0, discounts: 0 }.is_none());
    }
}
