//! Short, printable excerpts of text that came from outside, for error messages.

use std::borrow::Cow;

/// Characters that an excerpt shows at most; longer text ends in an ellipsis.
const LIMIT: usize = 60;

/// Shortens `text` to 60 characters and replaces control characters, so that quoting a caller's text in a
/// message can neither flood a log nor break out of its line.
pub(crate) fn excerpt(text: &str) -> Cow<'_, str> {
    let too_long = text.chars().nth(LIMIT).is_some();
    if !too_long && !text.chars().any(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown: String = text
        .chars()
        .take(if too_long { LIMIT - 1 } else { LIMIT })
        .map(|character| if character.is_control() { char::REPLACEMENT_CHARACTER } else { character })
        .collect();
    if too_long {
        shown.push('…');
    }
    Cow::Owned(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_text_is_shown_as_it_is() {
        assert!(matches!(excerpt("Größe"), Cow::Borrowed("Größe")));
    }

    #[test]
    fn sixty_characters_are_still_shown_whole() {
        let text = "é".repeat(60);
        assert_eq!(excerpt(&text), text);
    }

    #[test]
    fn longer_text_is_cut_between_characters() {
        let shown = excerpt(&"é".repeat(61)).into_owned();
        assert_eq!(shown, format!("{}…", "é".repeat(59)));
    }

    #[test]
    fn control_characters_do_not_reach_the_message() {
        assert_eq!(excerpt("a\n\u{0}b\u{1b}[31m"), "a\u{fffd}\u{fffd}b\u{fffd}[31m");
    }
}
