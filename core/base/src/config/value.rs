//! Values with a form or a range of their own.
//!
//! A setting says what it must be while it is decoded, so that the message has its file and line. What a function reads fits a
//! setting that may be absent as well.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use serde::de::{Deserializer, Error, Unexpected, Visitor};

/// Why a text cannot be the value of a setting.
#[derive(Debug)]
pub(super) enum Malformed {
    /// It is not what is expected.
    Unexpected,
    /// It is, and still cannot be used, for this reason. The clause repeats no text that may be secret.
    Because(String),
}

/// Reads a setting that is written as text; `expected` continues "must be …".
pub(super) fn text<'de, D, T>(
    deserializer: D,
    expected: &'static str,
    parse: impl FnOnce(&str) -> Result<T, Malformed>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(TextVisitor { expected, parse, value: PhantomData })
}

/// Has a type read from text; the words continue "must be …".
macro_rules! read_from_text {
    ($type:ty, $expected:expr, $parse:expr) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::config::value::text(deserializer, $expected, $parse)
            }
        }
    };
}
pub(super) use read_from_text;

struct TextVisitor<P, T> {
    expected: &'static str,
    parse: P,
    value: PhantomData<T>,
}

impl<T, P: FnOnce(&str) -> Result<T, Malformed>> Visitor<'_> for TextVisitor<P, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(|malformed| match malformed {
            Malformed::Unexpected => E::invalid_value(Unexpected::Str(text), &self.expected),
            Malformed::Because(reason) => E::custom(reason),
        })
    }
}

/// Reads a whole number from `MIN` to `MAX`.
pub(super) fn within<'de, D, N, const MIN: i64, const MAX: i64>(deserializer: D) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<i64>,
{
    deserializer.deserialize_i64(RangeVisitor::<N, MIN, MAX> { number: PhantomData, meant: |_, _| None })
}

/// The same for a number that counts hundredths of what people speak of. Who writes `9.95` is answered by `meant`, which gets
/// the number as it was written, and in hundredths.
pub(super) fn hundredths<'de, D, N, const MIN: i64, const MAX: i64>(
    deserializer: D,
    meant: fn(&str, i64) -> Option<String>,
) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: TryFrom<i64>,
{
    deserializer.deserialize_i64(RangeVisitor::<N, MIN, MAX> { number: PhantomData, meant })
}

struct RangeVisitor<N, const MIN: i64, const MAX: i64> {
    number: PhantomData<N>,
    meant: fn(&str, i64) -> Option<String>,
}

impl<N: TryFrom<i64>, const MIN: i64, const MAX: i64> Visitor<'_> for RangeVisitor<N, MIN, MAX> {
    type Value = N;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {MIN} to {MAX}")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<N, E> {
        let in_range = (MIN..=MAX).contains(&number).then_some(number);
        in_range
            .and_then(|number| N::try_from(number).ok())
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<N, E> {
        let written = number.to_string();
        let counted = in_hundredths(&written).filter(|counted| (MIN..=MAX).contains(counted));
        match counted.and_then(|counted| (self.meant)(&written, counted)) {
            Some(reason) => Err(E::custom(reason)),
            None => Err(E::invalid_type(Unexpected::Float(number), &self)),
        }
    }
}

/// A plain decimal number in hundredths, if it has no more than two decimals.
fn in_hundredths(written: &str) -> Option<i64> {
    let (whole, decimals) = written.split_once('.').unwrap_or((written, ""));
    if decimals.len() > 2 {
        return None;
    }
    format!("{whole}{decimals:0<2}").parse().ok()
}

/// Largest amount of money in a setting, in minor units: a hundred of them still fit 64 bits.
pub(super) const MAX_AMOUNT: i64 = 1_000_000_000_000_000;

/// Longest time in minutes that a setting can say: ten years.
pub(super) const MAX_MINUTES: i64 = 10 * 365 * 24 * 60;

/// Reads an amount of money in minor units, 0 or more.
pub(super) fn amount<'de, D: Deserializer<'de>, T: From<i64>>(deserializer: D) -> Result<T, D::Error> {
    let amount = hundredths::<_, i64, 0, MAX_AMOUNT>(deserializer, |written, cents| {
        Some(format!(
            "amounts are whole numbers of the smallest unit: {written} is {cents} in a currency with two decimals, such as EUR"
        ))
    });
    amount.map(T::from)
}

/// Reads one line of text for people, with something in it.
pub(super) fn line<'de, D: Deserializer<'de>, T: From<String>>(deserializer: D) -> Result<T, D::Error> {
    text(deserializer, "a line of text, 1 to 255 characters", |text| {
        let text = text.trim();
        let is_line = !text.is_empty() && text.chars().count() <= 255 && !text.contains(char::is_control);
        is_line.then(|| text.to_owned().into()).ok_or(Malformed::Unexpected)
    })
}

/// Reads a text for people that may have several lines, and may be absent.
pub(super) fn optional_paragraphs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    text(deserializer, "a text of 1 to 2000 characters", |text| {
        let text = text.trim();
        let is_text = !text.is_empty()
            && text.chars().count() <= 2000
            && !text.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\r');
        is_text.then(|| Some(text.replace("\r\n", "\n"))).ok_or(Malformed::Unexpected)
    })
}

/// Reads a lasting name, of which `expected` gives an example.
pub(super) fn name<'de, D: Deserializer<'de>>(deserializer: D, expected: &'static str) -> Result<String, D::Error> {
    text(deserializer, expected, |text| {
        let is_name = (1..=40).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
        is_name.then(|| text.to_owned()).ok_or(Malformed::Unexpected)
    })
}

/// Reads the path of a file or folder.
pub(super) fn path<'de, D: Deserializer<'de>, T: From<PathBuf>>(deserializer: D) -> Result<T, D::Error> {
    text(deserializer, "a path", |text| {
        let is_path = !text.trim().is_empty() && !text.contains('\0');
        is_path.then(|| PathBuf::from(text).into()).ok_or(Malformed::Unexpected)
    })
}
