//! Documents other than invoices: a title, texts, facts, and patterns that a machine reads.

use chrono::NaiveDate;

use stoa_kernel::i18n::Language;

use super::PdfError;
use super::font::Style;
use super::pattern::Pattern;
use super::sheet::{LEFT, RIGHT, Role, Sheet, Tone};
use super::wrap::{wrap, wrap_paragraphs};
use super::write::{Head, write_with};

/// Where the first page begins, in points.
const TOP: f32 = 70.0;

/// How wide the names of facts are, in points.
const NAMES: f32 = 110.0;

const TITLE: Style = Style::bold(20.0);
const STRONG: Style = Style::bold(12.0);
const TEXT: Style = Style::regular(10.0);

/// A document that a module hands out, such as a ticket or a voucher.
#[derive(Debug, Clone)]
pub struct Leaflet {
    /// What stands at its top, and in the title of a reader's window.
    pub title: String,
    /// Who hands it out.
    pub author: String,
    /// Language of its texts.
    pub language: Language,
    /// The day that it bears.
    pub day: NaiveDate,
    /// What tells it from other documents of its kind, such as its number.
    pub number: String,
    /// What is in it, from top to bottom.
    pub parts: Vec<LeafletPart>,
}

/// Something in a [`Leaflet`].
#[derive(Debug, Clone)]
pub enum LeafletPart {
    /// A line that stands out.
    Heading(String),
    /// A text, with line ends of its own.
    Text(String),
    /// Names and what they stand for, one below another.
    Facts(Vec<(String, String)>),
    /// A pattern of this width and height in points.
    Pattern(Pattern, f32),
    /// What follows begins on a new page.
    NewPage,
}

/// Writes a leaflet as PDF/A-3a, with what a screen reader needs.
///
/// The same leaflet gives the same bytes. Keeps a core busy for some milliseconds, so call it from `spawn_blocking`, and
/// outside of transactions.
pub fn render_leaflet(leaflet: &Leaflet) -> Result<Vec<u8>, PdfError> {
    let mut sheet = Sheet::new(0.0);
    sheet.y = TOP;
    let title = sheet.tag(Role::Heading, None);
    let lines = wrap(&leaflet.title, TITLE, RIGHT - LEFT);
    sheet.flow_into(title, lines, Tone::Black);
    sheet.y += 8.0;
    for part in &leaflet.parts {
        draw(&mut sheet, part);
    }
    let head = Head {
        title: leaflet.title.clone(),
        author: leaflet.author.clone(),
        language: leaflet.language,
        day: leaflet.day,
        id: format!("leaflet/{}", leaflet.number),
    };
    write_with(&sheet, head).map_err(|reason| PdfError { number: leaflet.number.clone(), reason })
}

fn draw(sheet: &mut Sheet, part: &LeafletPart) {
    match part {
        LeafletPart::Heading(text) => {
            sheet.flow(wrap(text, STRONG, RIGHT - LEFT), Tone::Black);
            sheet.y += 4.0;
        }
        LeafletPart::Text(text) => {
            sheet.flow(wrap_paragraphs(text, TEXT, RIGHT - LEFT), Tone::Gray);
            sheet.y += 8.0;
        }
        LeafletPart::Facts(facts) => {
            for (name, value) in facts {
                fact(sheet, name, value);
            }
            sheet.y += 12.0;
        }
        LeafletPart::Pattern(pattern, size) => {
            sheet.pattern(pattern.clone(), *size);
            sheet.y += 12.0;
        }
        LeafletPart::NewPage => sheet.break_page(),
    }
}

/// One fact: its name, and beside it what it is, on as many lines as that takes.
fn fact(sheet: &mut Sheet, name: &str, value: &str) {
    let names = wrap(name, TEXT, NAMES - 8.0);
    let values = wrap_paragraphs(value, STRONG, RIGHT - LEFT - NAMES);
    if names.is_empty() && values.is_empty() {
        return;
    }
    let height = |lines: &[super::font::Line]| lines.iter().map(|line| line.style.leading()).sum::<f32>();
    sheet.make_room(height(&names).max(height(&values)).min(sheet.room_of_page()));
    let tag = sheet.tag(Role::Paragraph, None);
    let top = sheet.y;
    // The smaller letters of the name stand on the line of the first value.
    let below_names = sheet.put_lines(names, (LEFT, top + STRONG.ascent() - TEXT.ascent()), Tone::Gray, Some(tag));
    let below_values = sheet.put_lines(values, (LEFT + NAMES, top), Tone::Black, Some(tag));
    sheet.y = below_names.max(below_values) + 3.0;
}
