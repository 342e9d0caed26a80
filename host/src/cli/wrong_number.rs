//! What is told about a number in the arguments that is none, or too small or too large.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseIntError};

use clap::Command;
use clap::error::{ContextKind, ErrorKind};

/// The same error in the words of an operator: the parser has those of its own library.
pub(super) fn number_in_words(error: clap::Error, command: &Command) -> clap::Error {
    if error.kind() != ErrorKind::ValueValidation {
        return error;
    }
    let Some(source) = error.source() else { return error };
    let expected = match source.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow | IntErrorKind::NegOverflow) => Some(String::from("it has too many digits")),
        Some(_) => Some(String::from("a whole number is expected")),
        None => range_of(&source.to_string()),
    };
    let said = |kind| error.get(kind).map(ToString::to_string);
    let (Some(expected), Some(argument), Some(value)) =
        (expected, said(ContextKind::InvalidArg), said(ContextKind::InvalidValue))
    else {
        return error;
    };
    clap::Error::raw(error.kind(), format!("invalid value '{value}' for '{argument}': {expected}")).with_cmd(command)
}

/// What is expected where the parser says `0 is not in 1..=100`.
fn range_of(told: &str) -> Option<String> {
    let (number, range) = told.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let most = most.trim_start_matches('=');
    let is_number = |text: &str| text.parse::<i128>().is_ok();
    if !is_number(number) || !is_number(least) {
        return None;
    }
    // Where nothing else is said, the parser names the largest number that there is.
    let is_bounded = most.parse::<u64>().is_ok_and(|most| most < u64::from(u32::MAX));
    Some(if is_bounded {
        format!("a whole number from {least} to {most} is expected")
    } else {
        format!("a whole number of at least {least} is expected")
    })
}

#[cfg(test)]
mod tests {
    use super::range_of;

    #[test]
    fn a_range_is_told_in_words() {
        let told = |text: &str| range_of(text).unwrap_or_default();
        assert_eq!(told("0 is not in 1..=100"), "a whole number from 1 to 100 is expected");
        assert_eq!(told("-5 is not in 0..=9223372036854775807"), "a whole number of at least 0 is expected");
        assert_eq!(told("0 is not in 1.."), "a whole number of at least 1 is expected");
        assert_eq!(told("what is not in a range"), "");
    }
}
