//! The table of what was sold or is credited.

use stoa_kernel::text;

use super::document::{Document, DocumentLine};
use super::font::{Line, Style};
use super::sheet::{Align, LEFT, RIGHT, Sheet, Tone};
use super::table::{Column, GUTTER, Keep, Row, Table, natural_width};
use super::texts::Words;
use super::wrap::wrap;

const TEXT: Style = Style::regular(9.0);
const DETAIL: Style = Style::regular(8.0);
/// A column of numbers is no wider; the largest amounts of the longest currencies are broken.
const MAX_NUMBER: f32 = 138.0;

/// Places the table of lines.
pub(super) fn draw(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    if document.lines.is_empty() {
        return;
    }
    let numbers: Vec<_> = document.lines.iter().map(|line| Numbers::new(line, texts)).collect();
    let columns = columns(&numbers, texts);
    let rows = document.lines.iter().zip(&numbers);
    let rows = rows.map(|(line, numbers)| row(line, numbers, &columns, texts)).collect();
    Table { columns, rows, keep: Keep::Flowing, rules: Some(Tone::Light) }.draw(sheet);
}

/// The numbers of a line as they are written: quantity, price of one, rate of tax, price of all.
struct Numbers([String; 4]);

impl Numbers {
    fn new(line: &DocumentLine, texts: &Words<'_>) -> Self {
        Self([
            line.quantity.to_string(),
            texts.money(line.unit_amount),
            texts.rate(line.tax_rate),
            texts.money(line.line_total_amount),
        ])
    }
}

/// Columns of numbers are as wide as their contents; what was sold gets the rest.
fn columns(numbers: &[Numbers], texts: &Words<'_>) -> Vec<Column> {
    let heads =
        [text!("document-quantity"), text!("document-unit-price"), text!("document-tax"), text!("document-amount")];
    let mut columns = Vec::with_capacity(heads.len() + 1);
    let mut right = RIGHT;
    for (index, head) in heads.into_iter().enumerate().rev() {
        let head = texts.say(&head);
        let texts = numbers.iter().map(|Numbers(texts)| texts[index].as_str());
        let left = right - natural_width(&head, texts, TEXT, MAX_NUMBER);
        columns.push(Column { head, align: Align::Right, left, right });
        right = left - GUTTER;
    }
    columns.push(Column { head: texts.say(&text!("document-description")), align: Align::Left, left: LEFT, right });
    columns.reverse();
    columns
}

fn row(line: &DocumentLine, Numbers(numbers): &Numbers, columns: &[Column], texts: &Words<'_>) -> Row {
    let mut row = Row::new(&["", &numbers[0], &numbers[1], &numbers[2], &numbers[3]], columns, TEXT, Tone::Black);
    row.cells[0] = description(line, columns[0].right - columns[0].left, texts);
    row
}

fn description(line: &DocumentLine, width: f32, texts: &Words<'_>) -> Vec<(Line, Tone)> {
    let label = wrap(&line.label, TEXT, width).into_iter().map(|line| (line, Tone::Black));
    let mut details: Vec<_> =
        line.options.iter().map(|option| format!("{}: {}", option.label, option.display)).collect();
    if line.discount_amount != 0 {
        details.push(format!("{}: {}", texts.say(&text!("document-discount")), texts.negative(line.discount_amount)));
    }
    let details = details.iter().flat_map(|detail| wrap(detail, DETAIL, width)).map(|line| (line, Tone::Gray));
    label.chain(details).collect()
}
