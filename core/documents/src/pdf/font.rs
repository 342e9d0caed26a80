//! Fonts, and text as a row of their glyphs.

use std::ops::Range;
use std::sync::LazyLock;

use harfrust::{BufferFlags, Direction, FontRef, ShapeOptions, ShaperData, UnicodeBuffer};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use unicode_bidi::ParagraphBidiInfo;

static REGULAR: LazyLock<Face> = LazyLock::new(|| Face::read(include_bytes!("../../fonts/DejaVuSansCondensed.ttf")));
static BOLD: LazyLock<Face> = LazyLock::new(|| Face::read(include_bytes!("../../fonts/DejaVuSansCondensed-Bold.ttf")));

/// Shown in place of a character that the font does not have.
const BOX: char = '\u{25a1}';

/// How strong text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// How text looks: strength and size in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Style {
    pub(super) weight: Weight,
    pub(super) size: f32,
}

impl Style {
    pub(super) const fn regular(size: f32) -> Self {
        Self { weight: Weight::Regular, size }
    }

    pub(super) const fn bold(size: f32) -> Self {
        Self { weight: Weight::Bold, size }
    }

    /// The distance from one line to the next, in points.
    pub(super) fn leading(self) -> f32 {
        self.size * 1.32
    }

    /// The distance from the top of a line to its baseline, in points.
    pub(super) fn ascent(self) -> f32 {
        self.size * 1.02
    }

    pub(super) fn font(self) -> Font {
        self.face().font.clone()
    }

    fn face(self) -> &'static Face {
        match self.weight {
            Weight::Regular => &REGULAR,
            Weight::Bold => &BOLD,
        }
    }
}

/// A line of text whose glyphs are found and measured.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) style: Style,
    /// In the order in which they are seen, from left to right; measures in parts of the size.
    pub(super) glyphs: Vec<KrillaGlyph>,
}

impl Line {
    /// Finds the glyphs for a text that is [clean](super::clean::clean).
    pub(super) fn shape(text: impl Into<String>, style: Style) -> Self {
        let text = text.into();
        let face = style.face();
        let mut glyphs = Vec::with_capacity(text.len());
        if text.chars().all(|character| character < '\u{590}') {
            face.shape_run(&text, 0..text.len(), Direction::LeftToRight, &mut glyphs);
        } else {
            let order = ParagraphBidiInfo::new(&text, None);
            let (levels, runs) = order.visual_runs(0..text.len());
            for run in runs {
                let is_leftward = levels.get(run.start).is_some_and(unicode_bidi::Level::is_rtl);
                let direction = if is_leftward { Direction::RightToLeft } else { Direction::LeftToRight };
                face.shape_run(&text, run, direction, &mut glyphs);
            }
        }
        Self { text, style, glyphs }
    }

    /// Its width in points, without blanks at its end.
    pub(super) fn width(&self) -> f32 {
        let end = self.text.trim_end_matches(' ').len();
        let seen = self.glyphs.iter().filter(|glyph| glyph.text_range.start < end);
        seen.map(|glyph| glyph.x_advance).sum::<f32>() * self.style.size
    }
}

/// A font of the program.
struct Face {
    font: Font,
    reference: FontRef<'static>,
    shaper: ShaperData,
    units_per_em: f32,
    /// Glyph and width of [`BOX`].
    replacement: (GlyphId, f32),
}

impl Face {
    fn read(data: &'static [u8]) -> Self {
        let font = Font::new(data.into(), 0).expect("the font that is compiled in is sound");
        let reference = FontRef::new(data).expect("the font that is compiled in is sound");
        let shaper = ShaperData::new(&reference);
        let units_per_em = font.units_per_em();
        let mut face = Self { font, reference, shaper, units_per_em, replacement: (GlyphId::new(0), 0.5) };
        let mut glyphs = Vec::new();
        face.shape_run(&BOX.to_string(), 0..BOX.len_utf8(), Direction::LeftToRight, &mut glyphs);
        let glyph = glyphs.first().expect("the font has this character");
        face.replacement = (glyph.glyph_id, glyph.x_advance);
        face
    }

    /// Adds the glyphs of a part of the text, which runs in one direction.
    fn shape_run(&self, text: &str, run: Range<usize>, direction: Direction, glyphs: &mut Vec<KrillaGlyph>) {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text[run.clone()]);
        buffer.guess_segment_properties();
        buffer.set_direction(direction);
        buffer.set_flags(BufferFlags::REMOVE_DEFAULT_IGNORABLES);
        let shaper = self.shaper.shaper(&self.reference).build();
        let shaped = shaper.shape(buffer, ShapeOptions::default());
        let mut starts: Vec<usize> = shaped.glyph_infos().iter().map(|info| cluster(info.cluster)).collect();
        starts.sort_unstable();
        let mut last_missing = None;
        for (info, position) in shaped.glyph_infos().iter().zip(shaped.glyph_positions()) {
            let start = cluster(info.cluster);
            let after = starts.partition_point(|other| *other <= start);
            let end = starts.get(after).copied().unwrap_or(run.len());
            let text_range = run.start + start..run.start + end;
            if info.glyph_id == 0 {
                // One box stands for all that a reader would take for one character.
                if last_missing.replace(start) != Some(start) {
                    let (glyph_id, x_advance) = self.replacement;
                    glyphs.push(glyph_at(glyph_id, text_range, [x_advance, 0.0, 0.0, 0.0]));
                }
                continue;
            }
            let measures = [position.x_advance, position.x_offset, position.y_offset, position.y_advance];
            glyphs.push(glyph_at(GlyphId::new(info.glyph_id), text_range, measures.map(|units| self.em(units))));
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "measures of glyphs are far below 2^24")]
    fn em(&self, units: i32) -> f32 {
        units as f32 / self.units_per_em
    }
}

fn cluster(index: u32) -> usize {
    usize::try_from(index).expect("texts are shorter than memory")
}

fn glyph_at(glyph_id: GlyphId, text_range: Range<usize>, measures: [f32; 4]) -> KrillaGlyph {
    let [x_advance, x_offset, y_offset, y_advance] = measures;
    KrillaGlyph { glyph_id, text_range, x_advance, x_offset, y_offset, y_advance, location: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glyphs(text: &str) -> Vec<u32> {
        let line = Line::shape(text, Style::regular(10.0));
        line.glyphs.iter().map(|glyph| glyph.glyph_id.to_u32()).collect()
    }

    #[test]
    fn the_fonts_have_what_invoices_in_europe_and_asia_need() {
        let boxed = glyphs("\u{4e2d}")[0];
        for text in ["äöüßÄÖÜẞ", "Їжак Щука ёЁ", "Ωμέγα", "Łódź Žižka ığ", "₴¥€$£₹₺₽₪₩", "–—“”„…−\u{a0}\u{202f}"]
        {
            for style in [Style::regular(9.0), Style::bold(9.0)] {
                for character in text.chars() {
                    let line = Line::shape(character, style);
                    let [glyph] = line.glyphs.as_slice() else { panic!("{character} is one glyph") };
                    assert_ne!(glyph.glyph_id.to_u32(), boxed, "{character}");
                }
            }
        }
    }

    #[test]
    fn a_character_without_a_glyph_is_one_box() {
        let boxed = glyphs("\u{25a1}");
        assert_eq!(glyphs("中"), boxed);
        assert_eq!(glyphs("👩‍👩‍👧"), boxed);
    }

    #[test]
    fn text_that_runs_leftward_is_reversed_for_the_eye() {
        let line = Line::shape("a שלום b", Style::regular(10.0));
        let starts: Vec<_> = line.glyphs.iter().map(|glyph| glyph.text_range.start).collect();
        assert_eq!(starts, [0, 1, 8, 6, 4, 2, 10, 11]);
    }

    #[test]
    fn blanks_at_the_end_have_no_width() {
        let style = Style::regular(10.0);
        let same = Line::shape("word", style).width();
        assert!((Line::shape("word  ", style).width() - same).abs() < 0.001);
        assert!(Line::shape("words", style).width() > same);
    }
}
