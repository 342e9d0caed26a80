//! Filled pages as a PDF file.

use std::num::NonZeroU16;

use chrono::{Datelike, NaiveDate, NaiveTime};
use en16931::Validated;
use en16931::profiles::En16931;
use en16931_formats::zugferd::{self, EmbedError, EmbedOptions};
use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point};
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, Node, SpanTag, TableHeaderScope, Tag, TagGroup, TagKind, TagTree,
};

use stoa_kernel::i18n::Language;

use super::document::{Document, DocumentKind};
use super::font::Line;
use super::pattern::Pattern;
use super::sheet::{Mark, PAGE_HEIGHT, PAGE_WIDTH, Role, Sheet, Tone};
use super::texts::Words;
use crate::electronic::factur_x;

/// What a file says of itself. All of it comes from what is printed, so that a file can be made again.
pub(super) struct Head {
    /// Its title, for the window of a reader and its outline.
    pub(super) title: String,
    /// Who has issued it.
    pub(super) author: String,
    /// Language of its texts.
    pub(super) language: Language,
    /// The day that it bears.
    pub(super) day: NaiveDate,
    /// What tells it from other files, such as `invoice/INV-2026-000001`.
    pub(super) id: String,
}

impl Head {
    fn of(document: &Document, texts: &Words<'_>) -> Self {
        let kind = match document.kind {
            DocumentKind::Invoice => "invoice",
            DocumentKind::CreditNote => "credit-note",
        };
        Self {
            title: texts.title(document),
            author: document.seller.name.clone(),
            language: texts.language(),
            day: document.issued_at,
            id: format!("{kind}/{}", clean_name(&document.number)),
        }
    }

    /// What a reader calls the file; one without a title by its id, since a file has to have a name.
    fn shown_title(&self) -> String {
        let title = clean_name(&self.title);
        if title.is_empty() { self.id.clone() } else { title }
    }

    fn metadata(&self) -> Metadata {
        let year = u16::try_from(self.day.year().clamp(1, 9999)).unwrap_or_default();
        let part = |number: u32| u8::try_from(number).unwrap_or(1);
        let day = DateTime::new(year).month(part(self.day.month())).day(part(self.day.day()));
        Metadata::new()
            .title(self.shown_title())
            .authors(vec![clean_name(&self.author)])
            .language(self.language.tag().to_owned())
            .creator("Stoa".to_owned())
            .creation_date(day)
            .document_id(self.id.clone())
    }
}

/// Writes an invoice or credit note, with its electronic form inside, if it has one; the reason of a failure is for developers.
pub(super) fn write(sheet: &Sheet, document: &Document, texts: &Words<'_>) -> Result<Vec<u8>, String> {
    let pdf = write_with(sheet, Head::of(document, texts))?;
    // What is printed matters more than what is inside; `stoa doctor` says what is missing for that.
    let Ok(invoice) = factur_x(document, texts) else { return Ok(pdf) };
    Ok(embed(&pdf, &invoice, document, texts).unwrap_or_else(|error| {
        tracing::error!(number = document.number, %error, "the electronic invoice cannot be put into the PDF");
        pdf
    }))
}

/// Puts the electronic invoice into the file, as Factur-X and ZUGFeRD want it.
fn embed(
    pdf: &[u8],
    invoice: &Validated<En16931>,
    document: &Document,
    texts: &Words<'_>,
) -> Result<Vec<u8>, EmbedError> {
    let head = Head::of(document, texts);
    let midnight = head.day.and_time(NaiveTime::MIN).and_utc();
    let metadata =
        zugferd::Metadata { title: head.shown_title(), subject: head.shown_title(), author: clean_name(&head.author) };
    let options = EmbedOptions { metadata: Some(metadata), modified: Some(midnight.into()), ..EmbedOptions::default() };
    zugferd::embed(pdf, invoice, &options)
}

/// Writes the file; the reason of a failure is for developers.
pub(super) fn write_with(sheet: &Sheet, head: Head) -> Result<Vec<u8>, String> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .map_err(|error| format!("{error:?}"))?;
    let mut pdf = krilla::Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    pdf.set_metadata(head.metadata());
    let mut outline = Outline::new();
    outline.push_child(OutlineNode::new(head.shown_title(), XyzDestination::new(0, Point::from_xy(0.0, 0.0))));
    pdf.set_outline(outline);
    let mut tags = Tags::new(sheet, head.title);
    let settings = PageSettings::from_wh(PAGE_WIDTH, PAGE_HEIGHT).ok_or("A4 is no size of a page")?;
    for marks in &sheet.pages {
        let mut page = pdf.start_page_with(settings.clone());
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, mark, &mut tags);
        }
        surface.finish();
        page.finish();
    }
    pdf.set_tag_tree(tags.into_tree());
    pdf.finish().map_err(|error| format!("{error:?}"))
}

/// Names stand in XML too, and may have 32767 bytes.
fn clean_name(name: &str) -> String {
    super::clean::clean(name).chars().take(500).collect()
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, tags: &mut Tags) {
    match mark {
        Mark::Text { line, .. } if line.glyphs.is_empty() => {}
        Mark::Text { x, baseline, line, tone, tag } => {
            let content = match tag {
                Some(_) => ContentTag::Span(SpanTag::empty()),
                None => ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther)),
            };
            let identifier = surface.start_tagged(content);
            draw_line(surface, line, Point::from_xy(*x, *baseline), *tone);
            surface.end_tagged();
            if let Some(tag) = tag {
                tags.content[tag.get()].push(identifier);
            }
        }
        Mark::Rule { left, right, y, thickness, tone } => {
            let mut path = PathBuilder::new();
            path.move_to(*left, *y);
            path.line_to(*right, *y);
            let Some(path) = path.finish() else { return };
            surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke { paint: color(*tone).into(), width: *thickness, ..Stroke::default() }));
            surface.draw_path(&path);
            surface.end_tagged();
        }
        Mark::Pattern { x, y, size, pattern, tag } => {
            let identifier = surface.start_tagged(ContentTag::Other);
            draw_pattern(surface, pattern, (*x, *y), *size);
            surface.end_tagged();
            tags.content[tag.get()].push(identifier);
        }
    }
}

fn draw_pattern(surface: &mut Surface<'_>, pattern: &Pattern, at: (f32, f32), size: f32) {
    let mut path = PathBuilder::new();
    for square in pattern.runs(at, size) {
        path.push_rect(square);
    }
    let Some(path) = path.finish() else { return };
    surface.set_stroke(None);
    // Black as it can be: what reads a pattern looks for contrast.
    let paint = rgb::Color::new(0, 0, 0).into();
    surface.set_fill(Some(Fill { paint, opacity: NormalizedF32::ONE, ..Fill::default() }));
    surface.draw_path(&path);
}

fn draw_line(surface: &mut Surface<'_>, line: &Line, start: Point, tone: Tone) {
    surface.set_stroke(None);
    surface.set_fill(Some(Fill { paint: color(tone).into(), opacity: NormalizedF32::ONE, ..Fill::default() }));
    surface.draw_glyphs(start, &line.glyphs, line.style.font(), &line.text, line.style.size, false);
}

fn color(tone: Tone) -> rgb::Color {
    match tone {
        Tone::Black => rgb::Color::new(17, 17, 17),
        Tone::Gray => rgb::Color::new(90, 90, 90),
        Tone::Light => rgb::Color::new(200, 200, 200),
    }
}

/// The tree of tags while its contents are drawn.
struct Tags {
    places: Vec<super::sheet::Tag>,
    title: String,
    /// What figures show, for those who do not see them.
    figures: Vec<(usize, String)>,
    /// What was drawn for each of them.
    content: Vec<Vec<Identifier>>,
}

impl Tags {
    fn new(sheet: &Sheet, title: String) -> Self {
        let figures = sheet.figures.iter().map(|(tag, shows)| (tag.get(), shows.clone())).collect();
        Self { places: sheet.tags.clone(), title, figures, content: vec![Vec::new(); sheet.tags.len()] }
    }

    /// Children come after their parents, so from the end on each group is complete when it is given away.
    fn into_tree(self) -> TagTree {
        let mut children: Vec<Vec<Node>> = vec![Vec::new(); self.places.len()];
        let mut roots = Vec::new();
        for (index, (tag, content)) in self.places.iter().zip(self.content).enumerate().rev() {
            let shows = self.figures.iter().find(|(figure, _)| *figure == index).map(|(_, shows)| shows.as_str());
            let mut group = TagGroup::new(kind(tag.role, &self.title, shows));
            for child in std::mem::take(&mut children[index]).into_iter().rev() {
                group.push(child);
            }
            for identifier in content {
                group.push(identifier);
            }
            let siblings = tag.parent.map_or(&mut roots, |parent| &mut children[parent.get()]);
            siblings.push(Node::Group(group));
        }
        let mut tree = TagTree::new();
        for root in roots.into_iter().rev() {
            tree.push(root);
        }
        tree
    }
}

fn kind(role: Role, title: &str, shows: Option<&str>) -> TagKind {
    match role {
        Role::Heading => Tag::Hn(NonZeroU16::MIN, Some(title.to_owned())).into(),
        Role::Paragraph => Tag::P.into(),
        Role::Table => Tag::Table.into(),
        Role::Row => Tag::TR.into(),
        Role::HeadCell => Tag::TH(TableHeaderScope::Column).into(),
        Role::RowHead => Tag::TH(TableHeaderScope::Row).into(),
        Role::Cell => Tag::TD.into(),
        Role::Figure => Tag::Figure(shows.map(str::to_owned)).into(),
    }
}
