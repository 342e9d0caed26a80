//! Prices as people write them in spreadsheets, turned into minor units.

use super::problems::shown;
use super::rules::MAX_AMOUNT;

/// Why a text is no price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum AmountError {
    #[error("no digits, or other characters")]
    NotAnAmount,
    #[error("negative")]
    Negative,
    #[error("more decimals than the currency has")]
    TooPrecise,
    #[error("above the highest amount")]
    TooLarge,
}

/// The amount in minor units of a currency with that many `digits`, from a text such as `1234.5`.
///
/// Only digits and one point: what a thousands separator means depends on the country of the one who wrote it.
pub(super) fn parse_amount(text: &str, digits: u8) -> Result<i64, AmountError> {
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let numeric = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !numeric(whole) || !numeric(fraction) {
        return Err(AmountError::NotAnAmount);
    }
    if negative {
        return Err(AmountError::Negative);
    }
    let fraction = fraction.trim_end_matches('0');
    let digits = usize::from(digits);
    if fraction.len() > digits {
        return Err(AmountError::TooPrecise);
    }
    let scaled = format!("{whole}{fraction:0<digits$}");
    match scaled.trim_start_matches('0') {
        "" => Ok(0),
        number => {
            number.parse().ok().filter(|amount| *amount <= MAX_AMOUNT).ok_or(AmountError::TooLarge)
        }
    }
}

/// The amount in a cell, or the sentence that tells what was expected.
pub(super) fn amount(cell: &str, digits: u8) -> Result<i64, String> {
    let example = match digits {
        0 => "1234".to_owned(),
        digits => format!("1234.{}", &"5678"[..usize::from(digits.min(4))]),
    };
    let text = cell.trim();
    if text.is_empty() {
        return Err(format!("is empty, but must be an amount such as {example}"));
    }
    parse_amount(text, digits).map_err(|error| {
        let text = shown(text);
        match error {
            AmountError::NotAnAmount => {
                format!("{text} is not an amount: write it like {example}")
            }
            AmountError::Negative => format!("{text} is negative: a price is 0 or more"),
            AmountError::TooPrecise => {
                format!("{text} has more than the {digits} decimals of the shop's currency")
            }
            AmountError::TooLarge => {
                format!("{text} is too large: at most {MAX_AMOUNT} minor units")
            }
        }
    })
}
