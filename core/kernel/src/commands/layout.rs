//! How a table is laid out: no line is longer than it may be, and no word is broken.

use std::iter::once;

use textwrap::{Options, WordSeparator, WordSplitter};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Blanks between two columns.
const GAP: usize = 2;

/// How far in a row goes on below its first line.
const INDENT: usize = 2;

/// No text is folded to fewer letters than this; shorter ones stay in one line.
const NARROWEST: usize = 16;

/// Into how many lines a text is folded where there is room.
const FOLDS: usize = 3;

/// A row that is too long goes on below, further in, and texts are broken between words. Numbers, slugs, addresses and ids stay whole,
/// so that they can be copied; only what is longer than a line by itself, such as an address of the web, is shortened.
pub(super) fn laid_out(head: &[&str], rows: &[Vec<String>], width: usize) -> String {
    let head = head.iter().map(ToString::to_string).collect::<Vec<_>>();
    let room = width.saturating_sub(INDENT);
    let mut columns = (0..head.len()).map(|index| Column::of(index, &head, rows, room)).collect::<Vec<_>>();
    if in_a_row(columns.iter().map(|column| column.longest)) > width {
        // What is empty in every row says nothing, and takes the room of what does.
        columns.retain(|column| column.is_filled);
    }
    let groups = grouped(columns, width, room);
    let mut text = String::new();
    for cells in once(&head).chain(rows) {
        for (number, group) in groups.iter().enumerate() {
            write_cells(&mut text, cells, group, if number == 0 { 0 } else { INDENT });
        }
    }
    text
}

/// A column with what its cells need.
struct Column {
    index: usize,
    /// In one line each.
    longest: usize,
    /// Folded as far as can be.
    least: usize,
    /// What they get.
    width: usize,
    is_filled: bool,
}

impl Column {
    fn of(index: usize, head: &[String], rows: &[Vec<String>], room: usize) -> Self {
        let cells = rows.iter().filter_map(|row| row.get(index));
        let is_filled = cells.clone().any(|cell| !cell.is_empty());
        let (mut longest, mut word) = (0, 0);
        for cell in head.get(index).into_iter().chain(cells) {
            longest = longest.max(cell.width());
            word = cell.split(' ').map(|word| shortened_width(word, room)).fold(word, usize::max);
        }
        let folded = longest.div_ceil(FOLDS).max(NARROWEST).min(room);
        let least = longest.min(word.max(folded));
        Self { index, longest, least, width: least, is_filled }
    }
}

/// The columns that stand beside one another, first those of a row's first line.
fn grouped(columns: Vec<Column>, width: usize, room: usize) -> Vec<Vec<Column>> {
    let mut groups = vec![Vec::<Column>::new()];
    for column in columns {
        let room = if groups.len() == 1 { width } else { room };
        let last = groups.last_mut().filter(|group| {
            group.is_empty() || in_a_row(group.iter().map(|beside| beside.least).chain(once(column.least))) <= room
        });
        match last {
            Some(last) => last.push(column),
            None => groups.push(vec![column]),
        }
    }
    for (number, group) in groups.iter_mut().enumerate() {
        spread(group, if number == 0 { width } else { room });
    }
    groups
}

/// Gives what is left of a line to those that are folded, first to those that need little.
fn spread(group: &mut [Column], room: usize) {
    let mut left = room.saturating_sub(in_a_row(group.iter().map(|column| column.least)));
    let mut wanting = group.iter_mut().filter(|column| column.longest > column.least).collect::<Vec<_>>();
    wanting.sort_by_key(|column| column.longest - column.least);
    let count = wanting.len();
    for (before, column) in wanting.into_iter().enumerate() {
        let more = (column.longest - column.least).min(left / (count - before));
        column.width += more;
        left -= more;
    }
}

fn in_a_row(widths: impl Iterator<Item = usize>) -> usize {
    widths.map(|width| width + GAP).sum::<usize>().saturating_sub(GAP)
}

fn write_cells(text: &mut String, cells: &[String], group: &[Column], indent: usize) {
    let folded = group.iter().map(|column| {
        let cell = cells.get(column.index).map_or("", String::as_str);
        (folded(cell, column.width), column.width)
    });
    let folded = folded.collect::<Vec<_>>();
    let lines = folded.iter().map(|(lines, _)| lines.len()).max().unwrap_or(0);
    for number in 0..lines {
        let mut line = " ".repeat(indent);
        for (lines, width) in &folded {
            let cell = lines.get(number).map_or("", String::as_str);
            line.push_str(cell);
            line.push_str(&" ".repeat(width.saturating_sub(cell.width()) + GAP));
        }
        let line = line.trim_end();
        // Where a row goes on below, a line of it may have nothing to say.
        if indent == 0 || !line.is_empty() {
            text.push_str(line);
            text.push('\n');
        }
    }
}

/// The lines of a cell.
fn folded(cell: &str, width: usize) -> Vec<String> {
    if cell.width() <= width {
        return vec![cell.to_owned()];
    }
    let words = cell.split(' ').map(|word| shortened(word, width)).collect::<Vec<_>>().join(" ");
    let options = Options::new(width)
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation)
        .word_separator(WordSeparator::AsciiSpace);
    textwrap::wrap(&words, options).into_iter().map(std::borrow::Cow::into_owned).collect()
}

/// A word that is longer than a line, with … in place of its end. What may be a name that commands take stays whole even then.
fn shortened(word: &str, width: usize) -> String {
    if word.width() <= width || is_name(word) {
        return word.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = word.chars().take_while(|letter| {
        let wide = letter.width().unwrap_or(0);
        let fits = wide <= left;
        left = left.saturating_sub(wide);
        fits
    });
    fits.chain(once('…')).collect()
}

fn shortened_width(word: &str, width: usize) -> usize {
    if is_name(word) { word.width() } else { word.width().min(width) }
}

/// Slugs, numbers, ids, addresses of e-mail and subjects such as `product:lamp` are made of these.
fn is_name(word: &str) -> bool {
    word.chars().all(|letter| letter.is_alphanumeric() || "-_.+@:".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: usize = 40;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    }

    #[test]
    fn what_fits_is_one_line_for_each_row() {
        let text = laid_out(&["ID", "NAME", "NOTE"], &rows(&[&["7", "Größe", ""], &["1000", "x"]]), WIDTH);
        assert_eq!(text, "ID    NAME   NOTE\n7     Größe\n1000  x\n");
    }

    #[test]
    fn a_text_is_folded_between_words_beside_what_stays_whole() {
        let told = "the server said that it does not know him";
        let text = laid_out(&["ID", "ERROR"], &rows(&[&["ada.lovelace@test", told]]), WIDTH);
        assert_eq!(
            text,
            "ID                 ERROR\n\
             ada.lovelace@test  the server said that\n\
             \x20                  it does not know him\n"
        );
    }

    #[test]
    fn a_row_that_is_too_long_goes_on_below_without_what_is_empty_everywhere() {
        let row: &[&str] = &["ORD-2026-000123", "partially_refunded", "", "ada.lovelace@example.com", "€9.00"];
        let text = laid_out(&["NUMBER", "STATUS", "NOTE", "CUSTOMER", "TOTAL"], &rows(&[row, row]), WIDTH);
        assert_eq!(
            text,
            "NUMBER           STATUS\n\
             \x20 CUSTOMER                  TOTAL\n\
             ORD-2026-000123  partially_refunded\n\
             \x20 ada.lovelace@example.com  €9.00\n\
             ORD-2026-000123  partially_refunded\n\
             \x20 ada.lovelace@example.com  €9.00\n"
        );
    }

    #[test]
    fn a_row_that_goes_on_below_has_no_empty_lines() {
        let long: &[&str] = &["number-of-twenty-one", "ada.lovelace@example.com", "the.last@example.com"];
        let text = laid_out(&["NUMBER", "CUSTOMER", "OTHER"], &rows(&[long, &["7", "", "ada@example.com"]]), WIDTH);
        let last = text.lines().skip(6).collect::<Vec<_>>();
        assert_eq!(last, ["7", "  ada@example.com"], "{text}");
    }

    #[test]
    fn what_is_longer_than_a_line_is_shortened_unless_it_is_a_name() {
        let (url, slug) = (format!("https://example.com/{}", "x".repeat(40)), "lamp-".repeat(10));
        let text = laid_out(&["URL", "SLUG"], &rows(&[&[&url, &slug]]), WIDTH);
        let shown = format!("https://example.com/{}…", "x".repeat(19));
        assert_eq!(text, format!("URL\n  SLUG\n{shown}\n  {slug}\n"));
    }

    #[test]
    fn no_line_is_too_long_whatever_is_in_the_cells() {
        let texts =
            ["", "7", "2027-01-31T12:00:00Z", "order.partially_refunded", "a text of some length that nobody needs"];
        let head = ["A", "LONG TITLE", "C", "D", "E", "F"];
        for seed in 0..300 {
            let row =
                |row: usize| (0..6).map(move |cell| texts[(seed * (cell + 3) + row * 7 + cell * cell) % 5].to_owned());
            let rows = (0..4).map(|number| row(number).collect()).collect::<Vec<_>>();
            let text = laid_out(&head, &rows, WIDTH);
            for line in text.lines() {
                assert!(line.width() <= WIDTH, "{line:?} in\n{text}");
            }
            let words = |text: &str| {
                let mut words = text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
                words.sort_unstable();
                words
            };
            let given = rows.iter().flatten().flat_map(|cell| words(cell)).collect::<Vec<_>>();
            let shown = words(&text);
            assert!(given.iter().all(|word| shown.contains(word)), "{text}");
        }
    }
}
