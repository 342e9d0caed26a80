//! Codes as people write them.

use stoa_kernel::fold::fold;

/// Longest code, in characters.
pub const MAX_CODE: usize = 40;

/// A code that a discount can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscountCode(String);

/// Why a text is no code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a code has 1 to {MAX_CODE} letters, digits or punctuation marks and no blanks, such as SUMMER-10")]
pub struct InvalidCode;

impl DiscountCode {
    /// Reads a code: what customers can see, tell apart and type, so no blanks and nothing invisible.
    pub fn parse(text: &str) -> Result<Self, InvalidCode> {
        let text = text.trim();
        let is_shown = |character: char| character.is_alphanumeric() || character.is_ascii_punctuation();
        let is_code = (1..=MAX_CODE).contains(&text.chars().count()) && text.chars().all(is_shown);
        is_code.then(|| Self(text.to_owned())).ok_or(InvalidCode)
    }

    /// The code as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The code as it is looked up.
    pub(super) fn folded(&self) -> String {
        folded(&self.0)
    }
}

/// What is looked up for whatever a customer wrote: without differences of case and blanks around it.
pub(super) fn folded(text: &str) -> String {
    fold(text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_nothing_that_nobody_sees() {
        for code in ["SUMMER-10", " welcome ", "ÜBER10", "夏10", "a.b_c+d&e%!", &"x".repeat(40)] {
            assert_eq!(DiscountCode::parse(code).as_ref().map(DiscountCode::as_str), Ok(code.trim()));
        }
        for code in ["", " ", "two words", "tab\there", "line\nbreak", "zero\u{200b}width", "nul\0", &"x".repeat(41)] {
            assert_eq!(DiscountCode::parse(code), Err(InvalidCode), "{code:?}");
        }
    }

    #[test]
    fn case_and_blanks_around_a_code_do_not_matter() {
        let code = DiscountCode::parse("Straße-10").expect("a code");
        for written in ["strasse-10", " STRASSE-10 ", "straße-10\n"] {
            assert_eq!(folded(written), code.folded(), "{written:?}");
        }
        assert_ne!(folded("strasse 10"), code.folded());
    }
}
