//! What every page has: the footer, the number of the page, and the running head of pages after the first.

use stoa_kernel::text;

use super::document::{Document, Seller};
use super::font::{Line, Style};
use super::sheet::{Align, FOOT, LEFT, Mark, PAGE_HEIGHT, RIGHT, Sheet, Tone, text};
use super::texts::Words;
use super::wrap::{wrap, wrap_paragraphs};

const SMALL: Style = Style::regular(7.0);
const RUNNING: Style = Style::regular(8.0);
/// Space around the rule that parts the footer from the page.
const GAP: f32 = 5.0;
/// Space between columns.
const GUTTER: f32 = 12.0;
/// Most lines of a column and of the last words. The configuration permits fewer.
const MAX_LINES: usize = 14;

/// The height of the footer with the number of the page above it.
pub(super) fn height(document: &Document, texts: &Words<'_>) -> f32 {
    Footer::new(&document.seller, texts).height() + RUNNING.leading() + 4.0 * GAP
}

/// Puts on each page what only the number of pages completes.
pub(super) fn complete(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    let footer = Footer::new(&document.seller, texts);
    let title = texts.title(document);
    let count = sheet.pages.len();
    for (index, page) in sheet.pages.iter_mut().enumerate() {
        let mut marks = footer.marks();
        let number = texts.say(&text!("document-page", number = index + 1, count = count));
        let top = PAGE_HEIGHT - FOOT - footer.height() - 2.0 * GAP - RUNNING.leading();
        marks.extend(line(&number, (RIGHT, top), Align::Right, RIGHT - LEFT));
        if index > 0 {
            marks.extend(line(&document.seller.name, (LEFT, 44.0), Align::Left, 220.0));
            marks.extend(line(&title, (RIGHT, 44.0), Align::Right, 230.0));
            marks.push(Mark::Rule { left: LEFT, right: RIGHT, y: 57.0, thickness: 0.4, tone: Tone::Light });
        }
        page.extend(marks);
    }
}

/// A line that repeats; what does not fit into `width` is left out.
fn line(content: &str, at: (f32, f32), align: Align, width: f32) -> Option<Mark> {
    let line = wrap(content, RUNNING, width).into_iter().next()?;
    Some(text(line, at, align, Tone::Gray, None).0)
}

/// The lower part of a page: three columns, and last words below.
struct Footer {
    columns: Vec<Vec<Line>>,
    words: Vec<Line>,
}

impl Footer {
    fn new(seller: &Seller, texts: &Words<'_>) -> Self {
        let tax_id = seller.tax_id.as_ref().map(|id| format!("{}: {id}", texts.say(&text!("document-tax-id"))));
        let iban = seller.iban.as_ref().map(|iban| format!("IBAN: {iban}"));
        let texts = [
            vec![seller.email.clone(), seller.phone.clone(), seller.website.clone()],
            vec![tax_id, seller.registration.clone()],
            vec![seller.bank.clone(), iban],
        ];
        let texts = texts.map(|column| column.into_iter().flatten().collect::<Vec<_>>());
        let columns: Vec<_> = texts.into_iter().filter(|column| !column.is_empty()).collect();
        let width = column_width(columns.len());
        let broken = |column: Vec<String>| {
            column.iter().flat_map(|text| wrap(text, SMALL, width)).take(MAX_LINES).collect::<Vec<_>>()
        };
        let words = seller.footer.as_deref().unwrap_or_default();
        let words = wrap_paragraphs(words, SMALL, RIGHT - LEFT).into_iter().take(MAX_LINES).collect();
        Self { columns: columns.into_iter().map(broken).collect(), words }
    }

    fn height(&self) -> f32 {
        let columns = lines_height(self.columns.iter().map(Vec::len).max().unwrap_or_default());
        let gap = if self.columns.is_empty() || self.words.is_empty() { 0.0 } else { GAP };
        columns + gap + lines_height(self.words.len())
    }

    fn marks(&self) -> Vec<Mark> {
        let mut top = PAGE_HEIGHT - FOOT - self.height();
        if self.columns.is_empty() && self.words.is_empty() {
            return Vec::new();
        }
        let mut marks = vec![Mark::Rule { left: LEFT, right: RIGHT, y: top - GAP, thickness: 0.4, tone: Tone::Light }];
        let mut x = LEFT;
        for column in &self.columns {
            put(&mut marks, column, (x, top));
            x += column_width(self.columns.len()) + GUTTER;
        }
        top = PAGE_HEIGHT - FOOT - lines_height(self.words.len());
        put(&mut marks, &self.words, (LEFT, top));
        marks
    }
}

fn put(marks: &mut Vec<Mark>, lines: &[Line], at: (f32, f32)) {
    let (x, mut y) = at;
    for line in lines {
        let (mark, below) = text(line.clone(), (x, y), Align::Left, Tone::Gray, None);
        marks.push(mark);
        y = below;
    }
}

#[expect(clippy::cast_precision_loss, reason = "a page has a few lines")]
fn lines_height(count: usize) -> f32 {
    count as f32 * SMALL.leading()
}

#[expect(clippy::cast_precision_loss, reason = "there are at most three columns")]
fn column_width(count: usize) -> f32 {
    let count = count.max(1) as f32;
    (RIGHT - LEFT - (count - 1.0) * GUTTER) / count
}
