//! Text that can stand on one line of a document.

use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use icu_segmenter::GraphemeClusterSegmenter;

/// Most characters of what is seen as one. Emoji of two people have ten, of which each has a skin color.
const MAX_CHARACTERS: usize = 16;

/// Most marks above and below a letter: every writing gets by with fewer, and more would climb over other lines.
const MAX_MARKS: usize = 6;

/// Leaves out what must not reach a PDF, and makes one blank of all that parts words.
///
/// Control characters are dropped. So are those that turn the direction of other text, since a product's name
/// could make an amount read differently. Private and unassigned-for-ever characters, which PDF/A forbids, are replaced,
/// and wide forms, such as the yen sign of Japanese amounts, become the usual ones, which the fonts have. Of a letter with more marks
/// than any writing has, the first are kept.
pub(crate) fn clean(text: &str) -> String {
    let mut cleaned = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' | ' ' => {
                if !cleaned.is_empty() && !cleaned.ends_with(' ') {
                    cleaned.push(' ');
                }
            }
            hidden if hidden.is_control() || is_hidden(hidden) => {}
            private if is_unfit(private) => cleaned.push(char::REPLACEMENT_CHARACTER),
            wide => cleaned.push(narrow(wide)),
        }
    }
    cleaned.truncate(cleaned.trim_end_matches(' ').len());
    if cleaned.is_ascii() { cleaned } else { with_few_marks(&cleaned) }
}

fn with_few_marks(text: &str) -> String {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let is_mark = |character| {
        matches!(categories.get(character), GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark)
    };
    let ends: Vec<_> = GraphemeClusterSegmenter::new().segment_str(text).collect();
    let mut kept = String::with_capacity(text.len());
    for cluster in ends.windows(2).map(|ends| &text[ends[0]..ends[1]]) {
        let mut marks = 0;
        kept.extend(cluster.chars().take(MAX_CHARACTERS).filter(|character| {
            marks += usize::from(is_mark(*character));
            !is_mark(*character) || marks <= MAX_MARKS
        }));
    }
    kept
}

/// Whether a character is never seen itself, and changes how others are.
fn is_hidden(character: char) -> bool {
    let is_turning = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_turning || matches!(character, '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character has no meaning that readers of a file could share.
fn is_unfit(character: char) -> bool {
    let code = u32::from(character);
    let is_private = matches!(code, 0xe000..=0xf8ff | 0xf_0000..);
    let is_no_character = matches!(code, 0xfdd0..=0xfdef) || code & 0xfffe == 0xfffe;
    is_private || is_no_character
}

/// The usual form of a letter, digit or sign that is as wide as an ideograph.
fn narrow(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => {
            char::from_u32(u32::from(character) - 0xfee0).expect("these stand in the order of ASCII")
        }
        '\u{ffe0}' => '¢',
        '\u{ffe1}' => '£',
        '\u{ffe5}' => '¥',
        '\u{ffe6}' => '₩',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_parted_by_one_blank() {
        assert_eq!(clean("  Ada\tLovelace\r\n\nLondon \n"), "Ada Lovelace London");
        assert_eq!(clean("1\u{a0}000\u{202f}€"), "1\u{a0}000\u{202f}€");
    }

    #[test]
    fn of_a_letter_with_too_many_marks_the_first_are_kept() {
        let tower = format!("Ra{}n", "\u{301}".repeat(255));
        assert_eq!(clean(&tower), format!("Ra{}n", "\u{301}".repeat(MAX_MARKS)));
        let joined = "👩\u{200d}".repeat(40);
        assert_eq!(clean(&joined).chars().count(), MAX_CHARACTERS);
        for written in ["Ệ", "นี้", "བསྐྱོད", "שָּׁ", "👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏿", "한", "क्ष्म्य"]
        {
            assert_eq!(clean(written), written);
        }
    }

    #[test]
    fn control_characters_are_dropped() {
        assert_eq!(clean("a\0b\u{1b}[31mc\u{7f}\u{9f}\u{feff}d"), "ab[31mcd");
    }

    #[test]
    fn nothing_can_turn_the_direction_of_what_follows() {
        assert_eq!(clean("lamp \u{202e}00.5 €\u{2066}"), "lamp 00.5 €");
    }

    #[test]
    fn characters_without_a_common_meaning_are_replaced() {
        assert_eq!(clean("\u{e000}\u{fffe}\u{10ffff}\u{fdd0}"), "\u{fffd}".repeat(4));
    }

    #[test]
    fn wide_forms_become_the_usual_ones() {
        assert_eq!(clean("￥２，０００ ＡＢｃ～"), "¥2,000 ABc~");
    }
}
