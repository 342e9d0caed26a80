//! Prices as people write them in spreadsheets, turned into minor units.

use stoa_kernel::money::{AmountProblem, Currency, parse_decimal_amount};

use super::problems::shown;
use super::rules::MAX_AMOUNT;

/// The amount in a cell, in minor units, or the sentence that tells what was expected.
///
/// Only digits and one point: what a thousands separator means depends on the country of the one who wrote it.
pub(super) fn amount(cell: &str, currency: Currency) -> Result<i64, String> {
    let digits = currency.minor_digits();
    let example = match digits {
        0 => "1234".to_owned(),
        digits => format!("1234.{}", &"5678"[..usize::from(digits.min(4))]),
    };
    let text = cell.trim();
    let problem = match parse_decimal_amount(text, currency) {
        Ok(amount) if amount <= MAX_AMOUNT => return Ok(amount),
        Ok(_) => AmountProblem::TooLarge,
        Err(error) => error.problem,
    };
    let text = shown(text);
    Err(match problem {
        AmountProblem::Empty => format!("is empty, but must be an amount such as {example}"),
        AmountProblem::NotDecimal => format!("{text} is not an amount: write it like {example}"),
        AmountProblem::Negative => format!("{text} is negative: a price is 0 or more"),
        AmountProblem::TooManyDecimals => {
            format!("{text} has more than the {digits} decimals of the shop's currency")
        }
        AmountProblem::TooLarge => format!("{text} is too large: at most {MAX_AMOUNT} minor units"),
    })
}
