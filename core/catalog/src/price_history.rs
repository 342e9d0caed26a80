//! What products have cost, and the lowest of it before a reduction (Directive 98/6/EC, article 6a).

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::db::{Db, DbError};

use super::facts::is_reduced;
use super::queries;

/// Days before a reduction in which the lowest price is looked for.
const DAYS: i64 = 30;

/// A price that held from its time until the next.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
struct PastPrice {
    product_id: i64,
    since: DateTime<Utc>,
    price_amount: i64,
    compare_at_amount: Option<i64>,
}

impl PastPrice {
    fn is_reduced(&self) -> bool {
        is_reduced(self.price_amount, self.compare_at_amount)
    }
}

/// The lowest price of the 30 days before the present reduction, by product, for products whose price is reduced now. One that had no
/// price before has none.
pub(super) async fn lowest_recent(db: &Db, reduced: &[i64]) -> Result<HashMap<i64, i64>, DbError> {
    if reduced.is_empty() {
        return Ok(HashMap::new());
    }
    let history = db.read(queries::PRICE_HISTORY).bind_ids(reduced.iter().copied()).all::<PastPrice>().await?;
    let of_products = history.chunk_by(|one, next| one.product_id == next.product_id);
    Ok(of_products.filter_map(|prices| Some((prices.first()?.product_id, lowest(prices)?))).collect())
}

/// The lowest price of the 30 days before the present reduction; the prices of a product, the oldest first.
///
/// A reduction that is made deeper is still the same one; it begins anew when the price rises, however low that still is.
fn lowest(prices: &[PastPrice]) -> Option<i64> {
    let begins = (0..prices.len()).rev().find(|at| {
        let before = at.checked_sub(1).and_then(|before| prices.get(before));
        before.is_none_or(|before| !before.is_reduced() || before.price_amount < prices[*at].price_amount)
    })?;
    let from = prices[begins].since - TimeDelta::days(DAYS);
    let before = prices[..begins].iter().zip(&prices[1..]);
    before.filter(|(_, next)| next.since > from).map(|(price, _)| price.price_amount).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prices at days: what is above 0 behind the price is told as the one before.
    fn lowest_of(prices: &[(i64, i64, i64)]) -> Option<i64> {
        let price = |(day, price_amount, compare_at): &(i64, i64, i64)| PastPrice {
            product_id: 1,
            since: DateTime::UNIX_EPOCH + TimeDelta::days(*day),
            price_amount: *price_amount,
            compare_at_amount: (*compare_at > 0).then_some(*compare_at),
        };
        lowest(&prices.iter().map(price).collect::<Vec<_>>())
    }

    #[test]
    fn the_lowest_price_is_that_of_the_thirty_days_before_the_reduction() {
        assert_eq!(lowest_of(&[(0, 2000, 0), (100, 1500, 2000)]), Some(2000));
        assert_eq!(lowest_of(&[(0, 1200, 0), (10, 2000, 0), (39, 1500, 2000)]), Some(1200), "it held within the days");
        assert_eq!(lowest_of(&[(0, 1200, 0), (10, 2000, 0), (40, 1500, 2000)]), Some(2000), "it ended before them");
    }

    #[test]
    fn what_had_no_price_before_its_reduction_has_no_lowest() {
        assert_eq!(lowest_of(&[]), None);
        assert_eq!(lowest_of(&[(0, 1500, 2000)]), None);
        assert_eq!(lowest_of(&[(0, 1500, 2000), (5, 1400, 2000)]), None);
    }

    #[test]
    fn a_deeper_reduction_is_the_same_and_a_raised_price_another() {
        assert_eq!(lowest_of(&[(0, 2000, 0), (10, 1500, 2000), (20, 1000, 2000)]), Some(2000));
        assert_eq!(lowest_of(&[(0, 2000, 0), (10, 1000, 2000), (20, 1500, 2000)]), Some(1000));
        assert_eq!(lowest_of(&[(0, 2000, 0), (10, 1000, 2000), (20, 2000, 0), (25, 1500, 2000)]), Some(1000));
    }
}
