//! Which units of an item a refund takes: those that are named, else those that nobody has used.
//!
//! They are chosen in the transaction that sets the money aside, behind the locks of the order and its items, and stay the
//! same until the refund has succeeded or failed. What is taken cannot be used meanwhile (`entitlements::use_units`).

use std::collections::{BTreeMap, BTreeSet};

use stoa_kernel::db::{DbError, Tx};

use super::queries;

/// Why the units that were named for an item cannot be refunded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum UnitError {
    /// The item has no such unit.
    #[error("there is no unit {unit}; its units are 1 to {quantity}")]
    Unknown {
        /// What was named.
        unit: i64,
        /// How many there are.
        quantity: i64,
    },
    /// The money of the unit has gone back before, or is on its way back.
    #[error("unit {0} was refunded already, or its money is on its way back")]
    Taken(i64),
    /// A unit was named twice.
    #[error("unit {0} is named twice")]
    Repeated(i64),
    /// As many units have to be named as are refunded.
    #[error("{quantity} {} to go back and {named} {} named; name all of them or none",
            if *quantity == 1 { "unit is" } else { "units are" }, if *named == 1 { "is" } else { "are" })]
    Count {
        /// How many are refunded.
        quantity: i64,
        /// How many were named.
        named: i64,
    },
}

/// A unit that a refund takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ChosenUnit {
    pub(super) unit: i64,
    /// Whether somebody has used it.
    pub(super) used: bool,
}

/// The units of an order's items that are not as they were sold.
#[derive(Debug, Default)]
pub(super) struct TouchedUnits(BTreeMap<i64, Touched>);

#[derive(Debug, Default)]
struct Touched {
    used: BTreeSet<i64>,
    taken: BTreeSet<i64>,
}

#[derive(sqlx::FromRow)]
struct TouchedRow {
    order_line_id: i64,
    unit: i64,
    used: bool,
    taken: bool,
}

impl TouchedUnits {
    /// Reads them; the items are locked before.
    pub(super) async fn load(tx: &mut Tx, order_id: i64) -> Result<Self, DbError> {
        let mut items = BTreeMap::<i64, Touched>::new();
        for row in tx.run(queries::TOUCHED_UNITS).bind(order_id).all::<TouchedRow>().await? {
            let item = items.entry(row.order_line_id).or_default();
            item.used.extend(row.used.then_some(row.unit));
            item.taken.extend(row.taken.then_some(row.unit));
        }
        Ok(Self(items))
    }

    /// The units of an item that are refunded: the named ones, or so many of those that are left, used ones last and the
    /// highest first.
    pub(super) fn choose(
        &self,
        item_id: i64,
        quantity: i64,
        wanted: i64,
        named: &[i64],
    ) -> Result<Vec<ChosenUnit>, UnitError> {
        let nothing = Touched::default();
        let touched = self.0.get(&item_id).unwrap_or(&nothing);
        let chosen = |unit: i64| ChosenUnit { unit, used: touched.used.contains(&unit) };
        if named.is_empty() {
            let left = (1..=quantity).rev().filter(|unit| !touched.taken.contains(unit)).map(chosen);
            let mut left = left.collect::<Vec<_>>();
            // Stable, so the highest stay first among equals.
            left.sort_by_key(|unit| unit.used);
            left.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
            return Ok(left);
        }
        let mut seen = BTreeSet::new();
        for unit in named {
            if !(1..=quantity).contains(unit) {
                return Err(UnitError::Unknown { unit: *unit, quantity });
            }
            if !seen.insert(*unit) {
                return Err(UnitError::Repeated(*unit));
            }
            if touched.taken.contains(unit) {
                return Err(UnitError::Taken(*unit));
            }
        }
        let count = i64::try_from(named.len()).unwrap_or(i64::MAX);
        if count != wanted {
            return Err(UnitError::Count { quantity: wanted, named: count });
        }
        Ok(seen.into_iter().rev().map(chosen).collect())
    }
}

/// Writes down which units a refund takes.
pub(super) async fn take_units(tx: &mut Tx, refund_id: i64, item_id: i64, units: &[ChosenUnit]) -> Result<(), DbError> {
    for ChosenUnit { unit, used } in units {
        tx.run(queries::TAKE_UNIT).bind(item_id).bind(*unit).bind(refund_id).bind(*used).execute().await?;
    }
    Ok(())
}

/// Takes the units of a refund that an earlier version has begun, which left them open until the money had gone back.
pub(super) async fn take_missing(tx: &mut Tx, order_id: i64, refund_id: i64) -> Result<(), DbError> {
    let missing = tx.run(queries::UNITS_NOT_TAKEN).bind(refund_id).all::<(i64, i64)>().await?;
    let missing = missing.into_iter().filter(|(_, missing)| *missing > 0).collect::<BTreeMap<_, _>>();
    take_left(tx, order_id, refund_id, |item_id, _| missing.get(&item_id).copied().unwrap_or(0)).await
}

/// Takes all units of the order that no refund has taken.
pub(super) async fn take_rest(tx: &mut Tx, order_id: i64, refund_id: i64) -> Result<(), DbError> {
    take_left(tx, order_id, refund_id, |_, quantity| quantity).await
}

/// Takes as many of the units that are left as is said for each item and its quantity.
async fn take_left(
    tx: &mut Tx,
    order_id: i64,
    refund_id: i64,
    wanted: impl Fn(i64, i64) -> i64,
) -> Result<(), DbError> {
    let touched = TouchedUnits::load(tx, order_id).await?;
    for (item_id, quantity) in tx.run(queries::QUANTITIES).bind(order_id).all::<(i64, i64)>().await? {
        // None are named, so none are wrong.
        let units = touched.choose(item_id, quantity, wanted(item_id, quantity), &[]).unwrap_or_default();
        take_units(tx, refund_id, item_id, &units).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(used: &[i64], taken: &[i64]) -> TouchedUnits {
        let item = Touched { used: used.iter().copied().collect(), taken: taken.iter().copied().collect() };
        TouchedUnits(BTreeMap::from([(7, item)]))
    }

    fn units(chosen: &[ChosenUnit]) -> Vec<(i64, bool)> {
        chosen.iter().map(|own| (own.unit, own.used)).collect()
    }

    #[test]
    fn what_nobody_has_used_goes_first_and_the_highest_of_equals() {
        let choose = |used: &[i64], taken: &[i64], wanted| {
            units(&touched(used, taken).choose(7, 4, wanted, &[]).expect("none are named"))
        };
        assert_eq!(choose(&[], &[], 2), [(4, false), (3, false)]);
        assert_eq!(choose(&[4, 2], &[], 1), [(3, false)]);
        assert_eq!(choose(&[4, 2], &[3], 2), [(1, false), (4, true)]);
        assert_eq!(choose(&[1, 2, 3, 4], &[4], 2), [(3, true), (2, true)]);
        assert_eq!(choose(&[], &[1, 2, 3, 4], 1), []);
    }

    #[test]
    fn named_units_are_taken_as_they_are_or_not_at_all() {
        let all = touched(&[1], &[3]);
        assert_eq!(units(&all.choose(7, 4, 2, &[1, 4]).expect("they are there")), [(4, false), (1, true)]);
        for (wanted, named, error) in [
            (1, &[5][..], UnitError::Unknown { unit: 5, quantity: 4 }),
            (1, &[0], UnitError::Unknown { unit: 0, quantity: 4 }),
            (1, &[3], UnitError::Taken(3)),
            (2, &[2, 2], UnitError::Repeated(2)),
            (2, &[2], UnitError::Count { quantity: 2, named: 1 }),
            (1, &[1, 2], UnitError::Count { quantity: 1, named: 2 }),
        ] {
            assert_eq!(all.choose(7, 4, wanted, named), Err(error), "{named:?}");
        }
    }
}
