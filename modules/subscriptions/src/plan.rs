//! What an import line says about a product under `modules.subscriptions`, and what its first period costs.

use serde_json::{Value, from_value};
use stoa_core::prelude::*;

use crate::CAPABILITY;
use crate::calendar::Interval;

/// The longest trial, in days.
const LONGEST_TRIAL: i64 = 3650;

/// How a product is billed again and again (contract 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    pub(crate) interval: Interval,
    #[serde(default = "one")]
    pub(crate) interval_count: i64,
    /// Days of the first period, which costs nothing then; with 0 the first period is like every other.
    #[serde(default)]
    pub(crate) trial_days: i64,
}

fn one() -> i64 {
    1
}

impl Plan {
    /// The plan of a product, if it has one that can be used.
    pub(crate) fn of(settings: &Value) -> Option<Self> {
        from_value::<Self>(settings.clone()).ok().filter(|plan| plan.validate().is_ok())
    }
}

impl ProductSettings for Plan {
    fn validate(&self) -> Result<(), String> {
        let most = self.interval.in_ten_years();
        if !(1..=most).contains(&self.interval_count) {
            let interval = self.interval.as_str();
            return Err(format!("`interval_count` must be a number from 1 to {most} where `interval` is `{interval}`"));
        }
        if !(0..=LONGEST_TRIAL).contains(&self.trial_days) {
            return Err(format!("`trial_days` must be a number of days from 0 to {LONGEST_TRIAL}"));
        }
        Ok(())
    }

    fn form() -> Vec<SettingField> {
        let intervals = Interval::ALL.iter().map(|interval| interval.as_str());
        vec![
            SettingField::new("interval", "Billed every", SettingKind::Choice(intervals.collect())),
            SettingField::new("interval_count", "Number of these", SettingKind::Number).hint("1 if empty."),
            SettingField::new("trial_days", "Trial, in days", SettingKind::Number),
        ]
    }
}

/// A trial is the first period, and costs nothing.
pub(crate) struct TrialPrice;

impl UnitPrice for TrialPrice {
    fn unit_amount(&self, unit: &UnitToPrice<'_>) -> i64 {
        let has_trial = || Plan::of(unit.settings).is_some_and(|plan| plan.trial_days > 0);
        if unit.has(CAPABILITY) && has_trial() { 0 } else { unit.list_amount }
    }
}
