//! How an invoice or a credit note is named at the command line.

use std::fmt;
use std::str::FromStr;

/// The id or the number of an invoice or a credit note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentReference {
    /// The id that the API shows.
    Id(i64),
    /// The number that is written on it, in capitals.
    Number(String),
}

impl fmt::Display for DocumentReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Number(number) => f.write_str(number),
        }
    }
}

/// What was given is neither an id nor a number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is neither an id, such as 42, nor a number, such as INV-2026-000042")]
pub struct NotADocument(String);

impl FromStr for DocumentReference {
    type Err = NotADocument;

    fn from_str(text: &str) -> Result<Self, NotADocument> {
        let wrong = || NotADocument(text.to_owned());
        let number = text.trim().to_ascii_uppercase();
        if number.bytes().all(|byte| byte.is_ascii_digit()) {
            return number.parse().ok().filter(|id| *id > 0).map(Self::Id).ok_or_else(wrong);
        }
        let has_form = number.len() <= 64
            && number.starts_with(|first: char| first.is_ascii_uppercase())
            && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if has_form { Ok(Self::Number(number)) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_named_by_its_id_or_its_number() {
        assert_eq!("42".parse(), Ok(DocumentReference::Id(42)));
        let number = DocumentReference::Number(String::from("INV-2026-000042"));
        for text in ["INV-2026-000042", " inv-2026-000042 "] {
            assert_eq!(text.parse(), Ok(number.clone()), "{text}");
        }
        for text in ["", "0", "-1", "+1", "1.5", "INV 1", "99999999999999999999", "-INV-1"] {
            assert!(text.parse::<DocumentReference>().is_err(), "{text}");
        }
    }
}
