//! Sentences on a terminal.

use textwrap::core::Word;
use textwrap::{Options, WordSeparator, WordSplitter};

/// Breaks each line of a text that is longer than `width` between words. What goes on begins below what stands in column `hanging`, or as far
/// in as its line. What stands in backticks stays whole, so that it can be copied.
pub(super) fn folded(text: &str, width: usize, hanging: usize) -> String {
    text.split('\n').map(|line| folded_line(line, width, hanging)).collect::<Vec<_>>().join("\n")
}

fn folded_line(line: &str, width: usize, hanging: usize) -> String {
    let own = line.len() - line.trim_start_matches(' ').len();
    let indent = " ".repeat(hanging.max(own));
    let options = Options::new(width)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
        .word_separator(WordSeparator::Custom(words));
    textwrap::fill(line, options)
}

fn words(line: &str) -> Box<dyn Iterator<Item = Word<'_>> + '_> {
    let mut words = Vec::new();
    let (mut begin, mut before, mut is_quoted) = (0, ' ', false);
    for (place, letter) in line.char_indices() {
        if before == ' ' && letter != ' ' && !is_quoted && place > begin {
            words.push(Word::from(&line[begin..place]));
            begin = place;
        }
        is_quoted ^= letter == '`';
        before = letter;
    }
    words.push(Word::from(&line[begin..]));
    Box::new(words.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_never_in_a_command() {
        let text = "ok       clock     it is slow; run `stoa doctor --json` when it is right, or /a/very/long/path/that/nobody/breaks stays";
        assert_eq!(
            folded(text, 40, 19),
            "ok       clock     it is slow; run\n\
            \x20                  `stoa doctor --json`\n\
            \x20                  when it is right, or\n\
            \x20                  /a/very/long/path/that/nobody/breaks\n\
            \x20                  stays"
        );
        assert_eq!(folded("one\n  two\n\n", 40, 4), "one\n  two\n\n", "what fits stays as it is");
        assert_eq!(folded("two:\n  one is this", 12, 0), "two:\n  one is\n  this");
        assert_eq!(folded("says ` and goes on and on", 10, 0), "says\n` and goes on and on");
    }
}
