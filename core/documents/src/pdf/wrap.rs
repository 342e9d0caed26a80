//! Text in lines of a given width.

use icu_segmenter::options::LineBreakOptions;
use icu_segmenter::{GraphemeClusterSegmenter, LineSegmenter};

use super::clean::clean;
use super::font::{Line, Style};

/// By how many points a line may be too wide because a pair of letters that was kerned is no longer one.
const KERNING: f32 = 2.0;

/// Breaks a text into lines of at most `width` points; none for a text with nothing in it.
///
/// Lines end where Unicode permits it, and within a word only if it fits on no line at all.
pub(super) fn wrap(text: &str, style: Style, width: f32) -> Vec<Line> {
    let text = clean(text);
    let whole = Line::shape(text, style);
    if whole.text.is_empty() {
        return Vec::new();
    }
    if whole.width() <= width {
        return vec![whole];
    }
    let ends = line_ends(&whole, width);
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let mut lines = Vec::with_capacity(ends.len());
    for (start, end) in starts.zip(&ends) {
        push_fitting(&whole.text[start..*end], style, width, &mut lines);
    }
    lines
}

/// Adds a part of the text as one line, or as several if it is wider by itself than it was among the rest.
///
/// What stands before a character can decide how it is shaped: a mark alone is shown on a dotted circle.
fn push_fitting(mut part: &str, style: Style, width: f32, lines: &mut Vec<Line>) {
    loop {
        let mut line = Line::shape(part, style);
        if line.width() > width + KERNING {
            let ends: Vec<_> = GraphemeClusterSegmenter::new().segment_str(part).filter(|end| *end > 0).collect();
            // At least one character, so that this comes to an end.
            for end in ends.iter().rev().skip(1) {
                line = Line::shape(&part[..*end], style);
                if line.width() <= width {
                    break;
                }
            }
        }
        part = &part[line.text.len()..];
        lines.push(line);
        if part.is_empty() {
            return;
        }
    }
}

/// Breaks a text at its own line ends too.
pub(super) fn wrap_paragraphs(text: &str, style: Style, width: f32) -> Vec<Line> {
    text.lines().flat_map(|line| wrap(line, style, width)).collect()
}

/// Where lines end, as positions in the text; the last is its end.
fn line_ends(line: &Line, width: f32) -> Vec<usize> {
    let measure = Measure::new(line);
    let text = &line.text;
    let mut ends = Vec::new();
    let (mut start, mut fitting) = (0, 0);
    let segmenter = LineSegmenter::new_for_non_complex_scripts(LineBreakOptions::default());
    for candidate in segmenter.segment_str(text).filter(|position| *position > 0 && measure.parts(*position)) {
        if measure.width(text, start, candidate) <= width {
            fitting = candidate;
            continue;
        }
        if fitting > start {
            ends.push(fitting);
            start = fitting;
        }
        if measure.width(text, start, candidate) > width {
            start = break_word(&measure, text, start, candidate, width, &mut ends);
        }
        fitting = candidate;
    }
    if start < text.len() {
        ends.push(text.len());
    }
    ends
}

/// Breaks what is too long for a line between characters, and returns where its last part starts.
fn break_word(measure: &Measure, text: &str, mut start: usize, end: usize, width: f32, ends: &mut Vec<usize>) -> usize {
    let (first, mut fitting) = (start, start);
    let positions = GraphemeClusterSegmenter::new().segment_str(&text[first..end]).map(|offset| first + offset);
    for position in positions.filter(|position| measure.parts(*position)) {
        if measure.width(text, start, position) > width && fitting > start {
            ends.push(fitting);
            start = fitting;
        }
        fitting = position;
    }
    start
}

/// The widths of all parts of a line.
struct Measure {
    /// Position in the text, and the width of what stands before it; in the order of the text.
    before: Vec<(usize, f32)>,
    whole: f32,
    /// Where the text ends.
    end: usize,
}

impl Measure {
    fn new(line: &Line) -> Self {
        let mut advances: Vec<_> =
            line.glyphs.iter().map(|glyph| (glyph.text_range.start, glyph.x_advance * line.style.size)).collect();
        advances.sort_by_key(|(position, _)| *position);
        let mut whole = 0.0;
        let mut before = Vec::with_capacity(advances.len());
        for (position, advance) in advances {
            before.push((position, whole));
            whole += advance;
        }
        Self { before, whole, end: line.text.len() }
    }

    /// The width of the text from `start` to `end`, without blanks at its end.
    fn width(&self, text: &str, start: usize, end: usize) -> f32 {
        let end = start + text[start..end].trim_end_matches(' ').len();
        self.until(end) - self.until(start)
    }

    /// Whether no glyph belongs to what stands on both sides of a position, as marks and ligatures do.
    fn parts(&self, position: usize) -> bool {
        position == 0
            || self.before.binary_search_by_key(&position, |(other, _)| *other).is_ok()
            || position >= self.end
    }

    fn until(&self, position: usize) -> f32 {
        let index = self.before.partition_point(|(other, _)| *other < position);
        self.before.get(index).map_or(self.whole, |(_, width)| *width)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STYLE: Style = Style::regular(10.0);

    fn texts(text: &str, width: f32) -> Vec<String> {
        wrap(text, STYLE, width).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(texts("a lamp of brass and glass", 60.0), ["a lamp of ", "brass and ", "glass"]);
    }

    #[test]
    fn a_text_that_fits_is_one_line() {
        assert_eq!(texts("brass", 60.0), ["brass"]);
        assert_eq!(texts(" \n ", 60.0), Vec::<String>::new());
    }

    #[test]
    fn a_word_that_fits_on_no_line_is_broken() {
        let lines = texts(&format!("the {} end", "W".repeat(20)), 60.0);
        assert_eq!(lines.concat(), format!("the {} end", "W".repeat(20)));
        assert_eq!(lines[0], "the ");
        assert!(lines.len() > 3, "{lines:?}");
    }

    #[test]
    fn a_number_keeps_its_currency() {
        assert_eq!(texts("Total of 1\u{a0}000,00\u{a0}€", 70.0), ["Total of ", "1\u{a0}000,00\u{a0}€"]);
    }

    #[test]
    fn a_mark_whose_letter_stands_on_the_line_before_makes_no_line_too_wide() {
        let text = "A?#\u{17b6}\"A\u{a1}\u{fffd}\u{fffd}a";
        let lines = wrap(text, STYLE, 30.0);
        assert_eq!(lines.iter().map(|line| line.text.as_str()).collect::<String>(), text);
        assert!(lines.iter().all(|line| line.width() <= 30.0 + KERNING), "{lines:?}");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_is_too_wide(text in "(\\PC|[a-z ]){0,80}", width in 30.0..300.0_f32) {
            let lines = wrap(&text, STYLE, width);
            let joined: String = lines.iter().map(|line| line.text.as_str()).collect();
            prop_assert_eq!(joined, clean(&text));
            for line in lines {
                let characters = GraphemeClusterSegmenter::new().segment_str(&line.text).count() - 1;
                prop_assert!(line.width() <= width + KERNING || characters <= 1, "{:?} in {}", line.text, width);
            }
        }
    }
}
