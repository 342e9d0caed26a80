//! Texts that a terminal shows as they are, whatever somebody has put into them.

use std::borrow::Cow;

/// The text with every control character but the `kept` ones written out, such as `\u{1b}`: none steers the terminal.
pub fn printable<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let steers = |character: char| character.is_control() && !kept.contains(&character);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if steers(character) {
            safe.extend(character.escape_default());
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(printable("\u{1b}[31mred\u{9b}2J\r\n", &[]), "\\u{1b}[31mred\\u{9b}2J\\r\\n");
        assert_eq!(printable("a\tb\nc\u{7}", &['\n', '\t']), "a\tb\nc\\u{7}");
        assert_eq!(printable("Größe ✓", &[]), "Größe ✓");
    }
}
