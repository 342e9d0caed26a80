//! `[modules.subscriptions]`: the operator's settings.

use chrono::TimeDelta;
use stoa_core::prelude::*;

/// The most days that any setting takes: ten years.
const MAX_DAYS: u32 = 3650;

/// From when a period counts that was paid so late that the unit was suspended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatePayment {
    /// From where the one before it ends: the customer has also paid for the time in which the unit was suspended.
    DueDate,
    /// From the payment on, with which a new count of days begins.
    Payment,
}

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Days before the end of a period at which the order of the next one is placed; at most half of the period.
    pub renew_ahead_days: u32,
    /// Days before the end of a period at which a saved payment method is charged; 0 is at its end.
    pub charge_ahead_days: u32,
    /// Days after the first failed charge at which it is tried again.
    pub retry_days: Vec<u32>,
    /// Days before a period at which its customer is reminded of a renewal that is not paid; no saved payment method pays it.
    pub reminder_days: Vec<u32>,
    /// Days before the first charge after a trial at which the customer is told; 0 is never.
    pub trial_reminder_days: u32,
    /// Days after which what is overdue is suspended.
    pub suspend_after_days: u32,
    /// Days after which what is overdue is ended.
    pub end_after_days: u32,
    /// Periods that one run may bill for one subscription after the shop was down.
    pub catch_up_periods: u32,
    /// From when a period counts that was paid after it was suspended.
    pub late_payment: LatePayment,
    /// Capabilities that a renewal delivers anew; all others were granted once, with the first order.
    pub renewed_capabilities: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            renew_ahead_days: 7,
            charge_ahead_days: 0,
            retry_days: vec![1, 3, 5, 7],
            reminder_days: vec![7, 5, 3, 1],
            trial_reminder_days: 3,
            suspend_after_days: 7,
            end_after_days: 30,
            catch_up_periods: 12,
            late_payment: LatePayment::DueDate,
            renewed_capabilities: vec![String::from("inventory"), String::from("shippable")],
        }
    }
}

impl Config {
    /// The longest time for which anything but the end of a period is waited.
    pub(crate) fn longest_wait(&self) -> TimeDelta {
        let days = self.retry_days.iter().copied().chain([1, self.end_after_days]);
        TimeDelta::days(i64::from(days.max().unwrap_or(MAX_DAYS)))
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        let days = [
            ("renew_ahead_days", self.renew_ahead_days),
            ("charge_ahead_days", self.charge_ahead_days),
            ("trial_reminder_days", self.trial_reminder_days),
            ("suspend_after_days", self.suspend_after_days),
            ("end_after_days", self.end_after_days),
        ];
        if let Some((key, _)) = days.into_iter().find(|(_, days)| *days > MAX_DAYS) {
            return Err((key, format!("must be a number of days from 0 to {MAX_DAYS}")));
        }
        if self.charge_ahead_days > self.renew_ahead_days {
            return Err(("charge_ahead_days", String::from("must not be more than `renew_ahead_days`")));
        }
        if self.end_after_days < self.suspend_after_days {
            return Err(("end_after_days", String::from("must not be less than `suspend_after_days`")));
        }
        let are_possible = |list: &[u32]| list.iter().all(|days| (1..=MAX_DAYS).contains(days));
        let grows = self.retry_days.windows(2).all(|pair| pair[0] < pair[1]);
        if !grows || !are_possible(&self.retry_days) {
            return Err(("retry_days", String::from("must be growing numbers of days, such as [1, 3, 5, 7]")));
        }
        let falls = self.reminder_days.windows(2).all(|pair| pair[0] > pair[1]);
        if !falls || !are_possible(&self.reminder_days) {
            return Err(("reminder_days", String::from("must be falling numbers of days, such as [7, 5, 3, 1]")));
        }
        if !(1..=1000).contains(&self.catch_up_periods) {
            return Err(("catch_up_periods", String::from("must be a number from 1 to 1000")));
        }
        if self.renewed_capabilities.iter().any(|capability| capability == crate::CAPABILITY) {
            let text = format!("must not contain `{}`: a renewal would start another subscription", crate::CAPABILITY);
            return Err(("renewed_capabilities", text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_says_the_defaults() {
        let example = include_str!("../../../config.toml");
        let defaults = Config::default();
        for line in [
            format!("#reminder_days = {:?}", defaults.reminder_days),
            format!("#trial_reminder_days = {}", defaults.trial_reminder_days),
        ] {
            assert!(example.lines().any(|known| known == line), "{line}");
        }
    }
}
