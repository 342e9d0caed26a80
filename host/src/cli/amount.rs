//! Amounts of money in arguments: read once the configuration has told the currency.

use std::convert::Infallible;
use std::str::FromStr;

use stoa_core::money::{MoneyFormatter, parse_typed_amount};

use crate::failure::Failure;
use crate::output::{print_line, print_remark};

/// What was typed for an amount.
#[derive(Debug, Clone)]
pub(super) struct TypedAmount(String);

impl FromStr for TypedAmount {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}

impl TypedAmount {
    /// Whether nothing was typed, which clears what can be empty.
    pub(super) fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// The amount in minor units; what is none is wrong usage of `option`.
    pub(super) fn read(&self, option: &str, money: &MoneyFormatter) -> Result<i64, Failure> {
        parse_typed_amount(&self.0, money).map_err(|error| Failure::usage(format!("{option}: {error}")))
    }

    /// The same for an amount that cannot be zero.
    pub(super) fn read_positive(&self, option: &str, money: &MoneyFormatter) -> Result<i64, Failure> {
        let amount = self.read(option, money)?;
        if amount > 0 {
            return Ok(amount);
        }
        Err(Failure::usage(format!("{option}: an amount above zero is expected, at least {}", money.format(1))))
    }
}

/// What has become of something that customers see: what it is, and what it was.
pub(super) fn changed(what: &str, before: Option<String>, now: Option<String>) -> String {
    match (before, now) {
        (Some(before), Some(now)) if before == now => format!("{what} is {now}, as before"),
        (Some(before), Some(now)) => format!("{what} is {now} now; it was {before}"),
        (None, Some(now)) => format!("{what} is {now} now; there was none"),
        (Some(before), None) => format!("{what} is gone; it was {before}"),
        (None, None) => format!("{what}: none, as before"),
    }
}

/// Prints them before what a command prints of the thing; beside JSON they go to standard error.
pub(super) fn tell_changes(told: &[String], json: bool) -> Result<(), Failure> {
    for told in told {
        if json { print_remark(&format!("stoa: {told}")) } else { print_line(&format!("{told}\n"))? }
    }
    Ok(())
}
