//! The numbers by which people call records: made from the id, so that no two are alike and none has to be stored.

mod order;

pub use order::{NumberedOrder, OrderNumber};

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::str::FromStr;

use thiserror::Error;

/// A kind of record with numbers of its own.
pub trait NumberedRecord: fmt::Debug + Copy + Eq + Hash {
    /// What each of its numbers begins with, such as `O-`.
    const PREFIX: &'static str;
    /// What one of them is called in a message, such as `order`.
    const NOUN: &'static str;
}

/// The number of one record: its prefix and the id, in six digits at least.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::record_number::{NumberedRecord, RecordNumber};
///
/// #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
/// struct Parcel;
///
/// impl NumberedRecord for Parcel {
///     const PREFIX: &'static str = "P-";
///     const NOUN: &'static str = "parcel";
/// }
///
/// type ParcelNumber = RecordNumber<Parcel>;
///
/// assert_eq!(ParcelNumber::of(42).to_string(), "P-000042");
/// assert_eq!("p-42".parse(), Ok(ParcelNumber::of(42)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordNumber<K> {
    id: i64,
    kind: PhantomData<K>,
}

impl<K> RecordNumber<K> {
    /// The number of the record with this id.
    pub const fn of(id: i64) -> Self {
        Self { id, kind: PhantomData }
    }

    /// The record's id.
    pub const fn id(self) -> i64
    where
        K: Copy,
    {
        self.id
    }
}

impl<K: NumberedRecord> fmt::Display for RecordNumber<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:06}", K::PREFIX, self.id)
    }
}

/// What was given is neither the id of such a record nor its number.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{given}` is no {noun}: give its id, such as 42, or its number, such as {prefix}000042")]
pub struct NotARecordNumber {
    given: String,
    noun: &'static str,
    prefix: &'static str,
}

impl<K: NumberedRecord> FromStr for RecordNumber<K> {
    type Err = NotARecordNumber;

    /// Takes an id as well as a number.
    fn from_str(text: &str) -> Result<Self, NotARecordNumber> {
        let upper = text.trim().to_ascii_uppercase();
        let digits = upper.strip_prefix(K::PREFIX).unwrap_or(&upper);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse::<i64>() {
            Ok(id) if is_number && id > 0 => Ok(Self::of(id)),
            _ => Err(NotARecordNumber { given: text.to_owned(), noun: K::NOUN, prefix: K::PREFIX }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    struct Parcel;

    impl NumberedRecord for Parcel {
        const PREFIX: &'static str = "P-";
        const NOUN: &'static str = "parcel";
    }

    type ParcelNumber = RecordNumber<Parcel>;

    #[test]
    fn a_record_is_found_by_its_id_and_by_its_number() {
        assert_eq!(ParcelNumber::of(42).to_string(), "P-000042");
        for text in ["42", "P-000042", "p-42", " P-000042 "] {
            assert_eq!(text.parse(), Ok(ParcelNumber::of(42)), "{text}");
        }
        assert_eq!(ParcelNumber::of(12_345_678).to_string().parse(), Ok(ParcelNumber::of(12_345_678)));
    }

    #[test]
    fn what_is_neither_is_refused_with_what_was_expected() {
        for text in ["", "P-", "0", "-1", "+1", "1.5", "P-P-1", "O-1", "99999999999999999999"] {
            assert!(text.parse::<ParcelNumber>().is_err(), "{text}");
        }
        let refusal = "O-1".parse::<ParcelNumber>().expect_err("the prefix of another kind");
        assert_eq!(refusal.to_string(), "`O-1` is no parcel: give its id, such as 42, or its number, such as P-000042");
    }
}
