//! What a customer's e-mail address, name and password must be.

use std::ops::RangeInclusive;

use stoa_kernel::http::rules::is_email;

/// Longest name and e-mail address, in characters.
pub const MAX_LENGTH: usize = 255;

/// How many characters a password that somebody chooses must have.
pub const PASSWORD_LENGTH: RangeInclusive<usize> = 10..=200;

/// An e-mail address as it is stored, in lower case and without blanks around; none for what is no address.
pub fn stored_email(text: &str) -> Option<String> {
    let email = text.trim().to_lowercase();
    (is_email(&email) && email.chars().count() <= MAX_LENGTH).then_some(email)
}

/// A name as it is stored, without blanks around; none for one that is empty, too long, or holds control characters.
pub fn stored_name(text: &str) -> Option<String> {
    let name = text.trim();
    let length = name.chars().count();
    ((1..=MAX_LENGTH).contains(&length) && !name.chars().any(char::is_control)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_stored_in_lower_case_without_blanks() {
        assert_eq!(stored_email("  Ada@Example.COM\t").as_deref(), Some("ada@example.com"));
        let long = format!("{}@{}.example", "a".repeat(64), ["b".repeat(60).as_str(); 3].join("."));
        assert_eq!(stored_email(&long).as_deref(), Some(long.as_str()));
        let longer = format!("a@{}.example", ["b".repeat(62).as_str(); 4].join("."));
        for text in ["", "ada", "ada@", "@example.com", "ada@example", "a b@example.com", "anonymized-7", &longer] {
            assert_eq!(stored_email(text), None, "{text}");
        }
    }

    #[test]
    fn a_name_has_one_line_of_at_most_255_characters() {
        let longest = "\u{e4}".repeat(255);
        assert_eq!(stored_name(" Ada  Lovelace ").as_deref(), Some("Ada  Lovelace"));
        assert_eq!(stored_name(&longest).as_deref(), Some(longest.as_str()));
        for text in ["", " \t", "Ada\nLovelace", "Ada\u{0}", "\u{1b}[31mAda", &format!("{longest}x")] {
            assert_eq!(stored_name(text), None, "{text:?}");
        }
    }
}
