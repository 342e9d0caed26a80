//! Tables, with their head repeated on each page.

use super::font::{Line, Style};
use super::sheet::{Align, Role, Sheet, TagIndex, Tone};
use super::wrap::wrap;

/// Space between a row's text and its edges, with a rule and without.
const PADDING: f32 = 3.5;
const TIGHT: f32 = 1.5;
/// Space between columns.
pub(super) const GUTTER: f32 = 12.0;
const HEAD: Style = Style::bold(8.5);
const RULE: f32 = 0.5;

/// A column, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Its name; a table whose columns have none has no head.
    pub(super) head: String,
    pub(super) align: Align,
    pub(super) left: f32,
    pub(super) right: f32,
}

/// A row: for each column its lines with their tones.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) cells: Vec<Vec<(Line, Tone)>>,
}

/// Whether a table may be parted by the end of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Between any rows.
    Flowing,
    /// Only if it is longer than a page.
    Together,
}

/// A table that is ready to be placed.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Row>,
    pub(super) keep: Keep,
    /// How dark the rules between rows are; none without.
    pub(super) rules: Option<Tone>,
}

impl Row {
    /// A row whose cells are one text each, broken to the width of their columns.
    pub(super) fn new(texts: &[&str], columns: &[Column], style: Style, tone: Tone) -> Self {
        let cell = |(text, column): (&&str, &Column)| {
            let lines = wrap(text, style, column.right - column.left);
            lines.into_iter().map(|line| (line, tone)).collect()
        };
        Self { cells: texts.iter().zip(columns).map(cell).collect() }
    }

    fn height(&self, padding: f32) -> f32 {
        let height = |cell: &Vec<(Line, Tone)>| cell.iter().map(|(line, _)| line.style.leading()).sum::<f32>();
        self.cells.iter().map(height).fold(0.0, f32::max) + 2.0 * padding
    }
}

impl Table {
    /// Places the table from here on.
    pub(super) fn draw(self, sheet: &mut Sheet) {
        let tag = sheet.tag(Role::Table, None);
        let head = Row::new(
            &self.columns.iter().map(|column| column.head.as_str()).collect::<Vec<_>>(),
            &self.columns,
            HEAD,
            Tone::Black,
        );
        let head_height = if self.has_head() { head.height(PADDING) } else { 0.0 };
        let heights = self.rows.iter().map(|row| row.height(self.padding()));
        let first = match self.keep {
            Keep::Flowing => heights.take(1).sum::<f32>(),
            Keep::Together => heights.sum::<f32>(),
        };
        sheet.make_room(head_height + first.min(sheet.room_of_page() - head_height));
        self.place_head(sheet, &head, Some(tag));
        for row in &self.rows {
            self.place_row(sheet, &head, row, tag);
        }
    }

    fn padding(&self) -> f32 {
        if self.rules.is_some() { PADDING } else { TIGHT }
    }

    fn has_head(&self) -> bool {
        self.columns.iter().any(|column| !column.head.is_empty())
    }

    /// The head is told to screen readers once: where it is repeated, it belongs to nothing.
    fn place_head(&self, sheet: &mut Sheet, head: &Row, table: Option<TagIndex>) {
        if !self.has_head() {
            return;
        }
        let row = table.map(|table| sheet.tag(Role::Row, Some(table)));
        let tags: Vec<_> = self.columns.iter().map(|_| row.map(|row| sheet.tag(Role::HeadCell, Some(row)))).collect();
        let count = head.cells.iter().map(Vec::len).max().unwrap_or_default();
        sheet.y += PADDING;
        for index in 0..count {
            self.place_line(sheet, head, index, &tags);
        }
        sheet.y += PADDING;
        self.rule(sheet, Tone::Black);
    }

    /// A row stays on one page when it can. One that is longer than a page goes on line by line. Where no head says what cells are,
    /// the first of a row does.
    fn place_row(&self, sheet: &mut Sheet, head: &Row, row: &Row, table: TagIndex) {
        let padding = self.padding();
        if sheet.make_room(row.height(padding).min(sheet.room_of_page() - head.height(PADDING))) {
            self.place_head(sheet, head, None);
        }
        let tag = sheet.tag(Role::Row, Some(table));
        let role = |index| if index == 0 && !self.has_head() { Role::RowHead } else { Role::Cell };
        let tags: Vec<_> = (0..self.columns.len()).map(|index| Some(sheet.tag(role(index), Some(tag)))).collect();
        let count = row.cells.iter().map(Vec::len).max().unwrap_or_default();
        sheet.y += padding;
        for index in 0..count {
            if sheet.make_room(line_height(row, index) + padding) {
                self.place_head(sheet, head, None);
                sheet.y += padding;
            }
            self.place_line(sheet, row, index, &tags);
        }
        sheet.y += padding;
        if let Some(tone) = self.rules {
            self.rule(sheet, tone);
        }
    }

    /// Places the line with this index of each cell.
    fn place_line(&self, sheet: &mut Sheet, row: &Row, index: usize, tags: &[Option<TagIndex>]) {
        let height = line_height(row, index);
        for ((cell, column), tag) in row.cells.iter().zip(&self.columns).zip(tags) {
            if let Some((line, tone)) = cell.get(index) {
                let x = match column.align {
                    Align::Left => column.left,
                    Align::Right => column.right,
                };
                sheet.put(line.clone(), (x, sheet.y), column.align, *tone, *tag);
            }
        }
        sheet.y += height;
    }

    fn rule(&self, sheet: &mut Sheet, tone: Tone) {
        let left = self.columns.iter().map(|column| column.left).fold(f32::MAX, f32::min);
        let right = self.columns.iter().map(|column| column.right).fold(0.0, f32::max);
        sheet.rule(left, right, sheet.y, RULE, tone);
    }
}

fn line_height(row: &Row, index: usize) -> f32 {
    let lines = row.cells.iter().filter_map(|cell| cell.get(index));
    lines.map(|(line, _)| line.style.leading()).fold(0.0, f32::max)
}

/// The width that a column of numbers needs, up to `limit`.
pub(super) fn natural_width<'a>(head: &str, texts: impl Iterator<Item = &'a str>, style: Style, limit: f32) -> f32 {
    let head = wrap(head, HEAD, f32::MAX).first().map_or(0.0, Line::width);
    let widths = texts.filter_map(|text| wrap(text, style, f32::MAX).first().map(Line::width));
    // A little more, so that rounding never breaks what just fits.
    (widths.fold(head, f32::max) + 0.5).min(limit)
}
