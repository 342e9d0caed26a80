//! What comes after the lines: totals, taxes by rate, and what is to be done about it.

use stoa_kernel::text;

use super::document::{Document, DocumentKind};
use super::font::Style;
use super::sheet::{Align, LEFT, RIGHT, Sheet, Tone};
use super::table::{Column, GUTTER, Keep, Row, Table, natural_width};
use super::texts::Words;
use super::wrap::wrap_paragraphs;

const TEXT: Style = Style::regular(9.0);
const TOTAL: Style = Style::bold(10.5);
const SMALL: Style = Style::regular(8.0);
/// The left edge of the totals.
const BLOCK: f32 = RIGHT - 250.0;

/// Places totals, the summary of taxes, the state of payment and the note.
pub(super) fn draw(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    sheet.y += 6.0;
    place_totals(sheet, document, texts);
    sheet.y += 14.0;
    place_taxes(sheet, document, texts);
    sheet.y += 14.0;
    let reverse_charge = document.reverse_charge.then(|| texts.say(&text!("document-reverse-charge")));
    for text in [reverse_charge, payment(document, texts), document.note.clone()].into_iter().flatten() {
        sheet.flow(wrap_paragraphs(&text, TEXT, RIGHT - LEFT), Tone::Black);
        sheet.y += 8.0;
    }
}

/// A row of the totals.
struct Sum {
    name: String,
    amount: String,
    style: Style,
    tone: Tone,
}

impl Sum {
    fn new(name: String, amount: String) -> Self {
        Self { name, amount, style: TEXT, tone: Tone::Black }
    }
}

fn place_totals(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    let sums = sums(document, texts);
    let width = sums.iter().map(|sum| natural_width("", std::iter::once(sum.amount.as_str()), sum.style, 170.0));
    let amounts = RIGHT - width.fold(0.0, f32::max);
    let columns = [
        Column { head: String::new(), align: Align::Left, left: BLOCK, right: amounts - GUTTER },
        Column { head: String::new(), align: Align::Right, left: amounts, right: RIGHT },
    ];
    let rows = sums.iter().map(|sum| Row::new(&[&sum.name, &sum.amount], &columns, sum.style, sum.tone)).collect();
    Table { columns: columns.to_vec(), rows, keep: Keep::Together, rules: None }.draw(sheet);
}

fn sums(document: &Document, texts: &Words<'_>) -> Vec<Sum> {
    let mut sums = vec![Sum::new(texts.say(&text!("document-subtotal")), texts.money(document.subtotal_amount))];
    let further = document.further_discounts.iter();
    let by_code = further.clone().fold(document.discount_amount, |left, own| left.saturating_sub(own.amount));
    if by_code != 0 {
        let name = match document.discount_code.as_deref() {
            Some(code) => texts.say(&text!("document-discount-by-code", code = code)),
            None => texts.say(&text!("document-discount")),
        };
        sums.push(Sum::new(name, texts.negative(by_code)));
    }
    sums.extend(further.map(|own| Sum::new(own.label.clone(), texts.negative(own.amount))));
    if document.shipping_amount != 0 || document.shipping_label.is_some() {
        let name = match document.shipping_label.as_deref() {
            Some(label) => texts.say(&text!("document-shipping-by", label = label)),
            None => texts.say(&text!("document-shipping")),
        };
        sums.push(Sum::new(name, texts.money(document.shipping_amount)));
    }
    if !document.prices_include_tax {
        sums.push(Sum::new(texts.say(&text!("document-tax")), texts.money(document.tax_amount)));
    }
    let total = match document.kind {
        DocumentKind::Invoice => text!("document-total"),
        DocumentKind::CreditNote => text!("document-total-credited"),
    };
    let amount = texts.money(document.total_amount);
    sums.push(Sum { name: texts.say(&total), amount, style: TOTAL, tone: Tone::Black });
    if document.prices_include_tax {
        let amount = texts.money(document.tax_amount);
        sums.push(Sum { name: texts.say(&text!("document-included-tax")), amount, style: SMALL, tone: Tone::Gray });
    }
    sums
}

fn place_taxes(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    if document.tax_lines.is_empty() {
        return;
    }
    let heads = [text!("document-tax-rate"), text!("document-net"), text!("document-tax"), text!("document-gross")];
    let heads = heads.map(|head| texts.say(&head));
    let cells: Vec<_> = document
        .tax_lines
        .iter()
        .map(|line| {
            // A sum that does not fit can only come from a snapshot that is wrong in itself.
            let gross = line.net_amount.saturating_add(line.tax_amount);
            [texts.rate(line.rate), texts.money(line.net_amount), texts.money(line.tax_amount), texts.money(gross)]
        })
        .collect();
    let mut columns = Vec::with_capacity(heads.len());
    let mut left = LEFT;
    for (index, head) in heads.into_iter().enumerate() {
        let right =
            left + natural_width(&head, cells.iter().map(|cells| cells[index].as_str()), SMALL, 105.0).max(48.0);
        columns.push(Column { head, align: if index == 0 { Align::Left } else { Align::Right }, left, right });
        left = right + GUTTER;
    }
    let row = |[rate, net, tax, gross]: &[String; 4]| Row::new(&[rate, net, tax, gross], &columns, SMALL, Tone::Black);
    let rows = cells.iter().map(row).collect();
    Table { columns, rows, keep: Keep::Together, rules: None }.draw(sheet);
}

/// What the buyer has to know about the money.
pub(crate) fn payment(document: &Document, texts: &Words<'_>) -> Option<String> {
    if let Some(time) = document.cancelled_at {
        return Some(texts.say(&text!("document-cancelled-on", day = texts.day(time))));
    }
    let day = document.paid_at.map(|time| texts.day(time));
    let number = &document.number;
    match (document.kind, day) {
        (DocumentKind::Invoice, Some(day)) => Some(texts.say(&text!("document-paid-on", day = day))),
        (DocumentKind::CreditNote, Some(day)) => Some(texts.say(&text!("document-refunded-on", day = day))),
        (DocumentKind::Invoice, None) if document.total_amount > 0 => {
            let amount = texts.money(document.total_amount);
            Some(texts.say(&text!("document-please-pay", amount = amount, number = number)))
        }
        (DocumentKind::Invoice | DocumentKind::CreditNote, None) => None,
    }
}
