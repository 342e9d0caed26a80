//! Amounts of money as staff type them.

use stoa_core::money::{MoneyFormatter, parse_form_amount};
use stoa_kernel::console::sentence;

/// An amount above zero, in minor units; else what to say of what was typed.
pub(crate) fn positive_amount(text: &str, money: &MoneyFormatter) -> Result<i64, String> {
    let amount = parse_form_amount(text, money).map_err(|error| sentence(&error.to_string()))?;
    if amount > 0 { Ok(amount) } else { Err(String::from("Enter an amount above zero.")) }
}
