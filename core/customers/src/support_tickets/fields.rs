//! What the texts of a support ticket must be.

/// Longest subject, in characters.
pub const MAX_SUBJECT: usize = 255;

/// Longest message, in characters.
pub const MAX_BODY: usize = 10_000;

/// A subject as it is stored, without blanks around; none for one that is empty, too long, or holds control characters.
pub fn stored_subject(text: &str) -> Option<String> {
    stored(text, MAX_SUBJECT, char::is_control)
}

/// A message as it is stored, without blanks around; none for one that is empty, too long, or holds control characters
/// other than line breaks and tabs (contract 2).
pub fn stored_body(text: &str) -> Option<String> {
    stored(text, MAX_BODY, |letter| letter.is_control() && !matches!(letter, '\n' | '\r' | '\t'))
}

fn stored(text: &str, max: usize, is_forbidden: fn(char) -> bool) -> Option<String> {
    let text = text.trim();
    let length = text.chars().count();
    ((1..=max).contains(&length) && !text.contains(is_forbidden)).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_one_line_of_at_most_255_characters() {
        let longest = "\u{e4}".repeat(MAX_SUBJECT);
        assert_eq!(stored_subject(" Where is it? \n").as_deref(), Some("Where is it?"));
        assert_eq!(stored_subject(&longest), Some(longest.clone()));
        for text in ["", " \t\n", "two\nlines", "nul\0", &format!("{longest}x")] {
            assert_eq!(stored_subject(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_message_has_lines_and_at_most_10000_characters() {
        let longest = "\u{1f600}".repeat(MAX_BODY);
        assert_eq!(stored_body("\nHello,\r\n\tAda\n").as_deref(), Some("Hello,\r\n\tAda"));
        assert_eq!(stored_body(&longest), Some(longest.clone()));
        for text in ["", " \r\n", "nul\0", "\u{1b}[2J", &format!("{longest}x")] {
            assert_eq!(stored_body(text), None, "{text:?}");
        }
    }
}
