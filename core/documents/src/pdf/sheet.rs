//! The pages of a document while they are filled.

use super::font::Line;
use super::pattern::Pattern;

/// Size of A4 in points.
pub(super) const PAGE_WIDTH: f32 = 595.28;
pub(super) const PAGE_HEIGHT: f32 = 841.89;
/// Where text begins and ends: 25 mm for the holes of a folder, 20 mm on the other side.
pub(super) const LEFT: f32 = 70.87;
pub(super) const RIGHT: f32 = 538.58;
/// Distance of the footer from the lower edge.
pub(super) const FOOT: f32 = 28.0;
/// Where pages after the first go on, below their running head.
const CONTINUED_TOP: f32 = 74.0;

/// How dark something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Black,
    /// For what is read second.
    Gray,
    /// For rules.
    Light,
}

/// What something is to a screen reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Heading,
    Paragraph,
    Table,
    Row,
    HeadCell,
    /// The cell that names a row.
    RowHead,
    Cell,
    Figure,
}

/// A place in the tree that tells what everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TagIndex(usize);

impl TagIndex {
    /// Its place in [`Sheet::tags`].
    pub(super) fn get(self) -> usize {
        self.0
    }
}

/// Something in that tree. What it contains comes after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag {
    pub(super) role: Role,
    pub(super) parent: Option<TagIndex>,
}

/// Something that stands on a page.
#[derive(Debug, Clone)]
pub(super) enum Mark {
    /// A line of text.
    Text {
        x: f32,
        baseline: f32,
        line: Line,
        tone: Tone,
        /// What it belongs to; nothing for what repeats on every page.
        tag: Option<TagIndex>,
    },
    /// A horizontal rule.
    Rule { left: f32, right: f32, y: f32, thickness: f32, tone: Tone },
    /// Squares such as those of a QR code, with the upper left corner at a place.
    Pattern { x: f32, y: f32, size: f32, pattern: Pattern, tag: TagIndex },
}

/// Which edge of text stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Pages with a place for what comes next. All measures are points from the upper left corner.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) pages: Vec<Vec<Mark>>,
    pub(super) tags: Vec<Tag>,
    /// What the figures among them show.
    pub(super) figures: Vec<(TagIndex, String)>,
    /// The upper edge of what comes next.
    pub(super) y: f32,
    bottom: f32,
}

impl Sheet {
    /// An empty first page that leaves this much to the footer.
    pub(super) fn new(footer_height: f32) -> Self {
        let bottom = PAGE_HEIGHT - FOOT - footer_height;
        Self { pages: vec![Vec::new()], tags: Vec::new(), figures: Vec::new(), y: 0.0, bottom }
    }

    /// Puts something into the tree.
    pub(super) fn tag(&mut self, role: Role, parent: Option<TagIndex>) -> TagIndex {
        self.tags.push(Tag { role, parent });
        TagIndex(self.tags.len() - 1)
    }

    /// Begins a new page unless there is room for so much; an empty page has to do. Tells whether it began one.
    pub(super) fn make_room(&mut self, height: f32) -> bool {
        let is_short = self.y + height > self.bottom && self.y > CONTINUED_TOP;
        if is_short {
            self.break_page();
        }
        is_short
    }

    /// How much an empty page holds.
    pub(super) fn room_of_page(&self) -> f32 {
        self.bottom - CONTINUED_TOP
    }

    /// Begins a new page.
    pub(super) fn break_page(&mut self) {
        self.pages.push(Vec::new());
        self.y = CONTINUED_TOP;
    }

    /// Puts a line on the current page with its upper edge at `y`, and returns its lower edge.
    pub(super) fn put(&mut self, line: Line, at: (f32, f32), align: Align, tone: Tone, tag: Option<TagIndex>) -> f32 {
        let (mark, below) = text(line, at, align, tone, tag);
        self.current().push(mark);
        below
    }

    /// Puts lines below one another on the current page, and returns the lower edge of the last.
    pub(super) fn put_lines(&mut self, lines: Vec<Line>, at: (f32, f32), tone: Tone, tag: Option<TagIndex>) -> f32 {
        let (x, mut y) = at;
        for line in lines {
            y = self.put(line, (x, y), Align::Left, tone, tag);
        }
        y
    }

    /// Lets paragraphs flow from here on, over several pages if need be.
    pub(super) fn flow(&mut self, lines: Vec<Line>, tone: Tone) {
        if lines.is_empty() {
            return;
        }
        let tag = self.tag(Role::Paragraph, None);
        self.flow_into(tag, lines, tone);
    }

    /// Lets lines flow from here on as a part of something.
    pub(super) fn flow_into(&mut self, tag: TagIndex, lines: Vec<Line>, tone: Tone) {
        for line in lines {
            self.make_room(line.style.leading());
            self.y = self.put(line, (LEFT, self.y), Align::Left, tone, Some(tag));
        }
    }

    /// Draws a rule on the current page.
    pub(super) fn rule(&mut self, left: f32, right: f32, y: f32, thickness: f32, tone: Tone) {
        self.current().push(Mark::Rule { left, right, y, thickness, tone });
    }

    /// Draws a square pattern from here on, as high as it is wide.
    pub(super) fn pattern(&mut self, pattern: Pattern, size: f32) {
        self.make_room(size);
        let tag = self.tag(Role::Figure, None);
        self.figures.push((tag, pattern.description.clone()));
        let (x, y) = (LEFT, self.y);
        self.current().push(Mark::Pattern { x, y, size, pattern, tag });
        self.y += size;
    }

    fn current(&mut self) -> &mut Vec<Mark> {
        self.pages.last_mut().expect("there is a first page from the beginning")
    }
}

/// A line with its upper edge at a place, and its lower edge.
pub(super) fn text(line: Line, at: (f32, f32), align: Align, tone: Tone, tag: Option<TagIndex>) -> (Mark, f32) {
    let (x, y) = at;
    let left = match align {
        Align::Left => x,
        Align::Right => x - line.width(),
    };
    let below = y + line.style.leading();
    (Mark::Text { x: left, baseline: y + line.style.ascent(), line, tone, tag }, below)
}
