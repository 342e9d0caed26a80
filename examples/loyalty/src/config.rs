//! `[modules.loyalty]`: the operator's settings.

use stoa_core::prelude::*;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What is paid for one point, in minor units.
    pub amount_per_point: i64,
    /// What a point takes off an order, in minor units.
    pub point_amount: i64,
}

impl Default for Config {
    fn default() -> Self {
        Self { amount_per_point: 100, point_amount: 1 }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        for (key, amount) in [("amount_per_point", self.amount_per_point), ("point_amount", self.point_amount)] {
            if !(1..=1_000_000).contains(&amount) {
                return Err((key, String::from("must be a number from 1 to 1000000")));
            }
        }
        Ok(())
    }
}

impl Config {
    /// What so many points take off; nothing for a debt.
    pub(crate) fn worth(&self, points: i64) -> i64 {
        points.max(0).saturating_mul(self.point_amount)
    }

    /// The points that it takes to take off this amount.
    pub(crate) fn points_for(&self, amount: i64) -> i64 {
        amount / self.point_amount + i64::from(amount % self.point_amount > 0)
    }
}
