//! What can be withdrawn of an order: the one place that decides, to show it and to take a declaration. Nothing is read or written here.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};

use super::model::{ExcludedUnits, OrderWithdrawal, OrderWithdrawalLine};
use super::period::end_of_period;
use super::status::{WithdrawalExclusion, WithdrawalRule};
use crate::orders::OrderStatus;

/// An order, as far as withdrawing from it goes.
#[derive(Debug, Clone)]
pub(super) struct OrderFacts {
    pub(super) customer_id: i64,
    pub(super) status: OrderStatus,
    pub(super) created_at: DateTime<Utc>,
    /// When everything that is sent had been sent; none while something is not.
    pub(super) sent_at: Option<DateTime<Utc>>,
    /// The products.
    pub(super) items: Vec<ItemFacts>,
}

/// A product of an order, and what has become of its units.
#[derive(Debug, Clone)]
pub(super) struct ItemFacts {
    pub(super) id: i64,
    pub(super) label: String,
    pub(super) quantity: i64,
    pub(super) shippable: bool,
    pub(super) refunded_quantity: i64,
    pub(super) rule: Option<WithdrawalRule>,
    pub(super) units: UnitFacts,
}

/// The units of an item that are not as they were sold.
#[derive(Debug, Clone, Default)]
pub(super) struct UnitFacts {
    pub(super) refunded: BTreeSet<i64>,
    pub(super) withdrawn: BTreeSet<i64>,
    pub(super) delivered: BTreeSet<i64>,
    pub(super) used: BTreeSet<i64>,
}

impl OrderFacts {
    /// What the customer sees.
    pub(super) fn shown(&self, now: DateTime<Utc>) -> OrderWithdrawal {
        let lines = self.items.iter().map(|item| self.line(item)).collect::<Vec<_>>();
        let open = || lines.iter().filter(|line| line.quantity > 0);
        let has_begun = open().all(|line| line.deadline.is_some());
        let deadline = lines.iter().filter_map(|line| line.deadline).max().filter(|_| has_begun);
        OrderWithdrawal {
            possible: open().next().is_some(),
            deadline,
            within_period: open().any(|line| line.deadline.is_none_or(|end| now <= end)),
            lines,
        }
    }

    /// What cannot be withdrawn of all that was ordered.
    pub(super) fn excluded(&self) -> Vec<ExcludedUnits> {
        let excluded = self.items.iter().filter_map(|item| {
            let (reason, units) = item.exclusion()?;
            Some(ExcludedUnits { item_id: item.id, quantity: count(&units), reason })
        });
        excluded.collect()
    }

    /// The units of an item that can be withdrawn: those first that nobody has used, and the highest first.
    pub(super) fn open_units(&self, item: &ItemFacts) -> Vec<i64> {
        if self.status == OrderStatus::Cancelled {
            return Vec::new();
        }
        let excluded = item.exclusion().map(|(_, units)| units).unwrap_or_default();
        let open = item.unrefunded().filter(|unit| !item.units.withdrawn.contains(unit) && !excluded.contains(unit));
        let mut open = open.collect::<Vec<_>>();
        open.sort_by_key(|unit| (item.units.used.contains(unit), -unit));
        // Refunds of earlier versions do not tell which units they have taken.
        let untold = item.refunded_quantity - count(&item.units.refunded);
        open.truncate(open.len().saturating_sub(usize::try_from(untold).unwrap_or_default()));
        open
    }

    /// The end of the period of an item; none while it has not begun.
    pub(super) fn deadline(&self, item: &ItemFacts) -> Option<DateTime<Utc>> {
        let begins_at = if item.shippable { self.sent_at } else { Some(self.created_at) };
        begins_at.map(end_of_period)
    }

    fn line(&self, item: &ItemFacts) -> OrderWithdrawalLine {
        let excluded = item.exclusion();
        let is_held = item.rule == Some(WithdrawalRule::Later) && self.status != OrderStatus::Cancelled;
        OrderWithdrawalLine {
            item_id: item.id,
            quantity: i64::try_from(self.open_units(item).len()).unwrap_or(i64::MAX),
            withdrawn_quantity: count(&item.units.withdrawn),
            excluded_quantity: excluded.as_ref().map_or(0, |(_, units)| count(units)),
            excluded_reason: excluded.map(|(reason, _)| reason),
            deadline: item.has_right().then(|| self.deadline(item)).flatten(),
            delivery_at: is_held.then(|| held_until(self.created_at)),
        }
    }
}

impl ItemFacts {
    /// Which units cannot be withdrawn, and why.
    fn exclusion(&self) -> Option<(WithdrawalExclusion, BTreeSet<i64>)> {
        let (reason, units) = match self.rule? {
            WithdrawalRule::Waived => {
                let delivered = self.unrefunded().filter(|unit| self.units.delivered.contains(unit));
                (WithdrawalExclusion::Delivered, delivered.collect::<BTreeSet<_>>())
            }
            WithdrawalRule::Dated => (WithdrawalExclusion::Dated, self.unrefunded().collect()),
            WithdrawalRule::Renewal => (WithdrawalExclusion::Renewal, self.unrefunded().collect()),
            WithdrawalRule::Later | WithdrawalRule::Due => return None,
        };
        (!units.is_empty()).then_some((reason, units))
    }

    fn unrefunded(&self) -> impl Iterator<Item = i64> + '_ {
        (1..=self.quantity).filter(|unit| !self.units.refunded.contains(unit))
    }

    fn has_right(&self) -> bool {
        !matches!(self.rule, Some(WithdrawalRule::Dated | WithdrawalRule::Renewal))
    }
}

/// When digital goods of an order that was placed at this time are delivered, without a waiver: the period is over then.
pub(super) fn held_until(placed_at: DateTime<Utc>) -> DateTime<Utc> {
    end_of_period(placed_at) + TimeDelta::seconds(1)
}

fn count(units: &BTreeSet<i64>) -> i64 {
    i64::try_from(units.len()).unwrap_or(i64::MAX)
}
