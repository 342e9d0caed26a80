//! The upper part of the first page: who writes to whom about what.

use stoa_kernel::text;

use super::document::{Document, DocumentKind};
use super::font::Style;
use super::sheet::{Align, LEFT, RIGHT, Role, Sheet, Tone};
use super::texts::Words;
use super::wrap::{wrap, wrap_paragraphs};

const NAME: Style = Style::bold(15.0);
const SMALL: Style = Style::regular(8.5);
const SENDER: Style = Style::regular(6.5);
const ADDRESS: Style = Style::regular(10.0);
const TITLE: Style = Style::bold(16.0);
const TEXT: Style = Style::regular(9.0);

/// The upper edge of the letterhead.
const TOP: f32 = 50.0;
/// The upper edge of the window of an envelope: 45 mm.
const WINDOW: f32 = 127.6;
/// The right edge of that window.
const WINDOW_RIGHT: f32 = LEFT + 241.0;
/// The left edge of what stands beside it.
const ASIDE: f32 = 350.0;
/// Where values begin beside their names.
const VALUES: f32 = ASIDE + 88.0;
/// The title stands here, or lower.
const TITLE_TOP: f32 = 264.0;
/// Space above the title.
const SPACE: f32 = 22.0;

/// Places letterhead, addresses, numbers and the title.
pub(super) fn draw(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    let aside = place_seller(sheet, document);
    let facts = place_facts(sheet, document, texts, aside.max(WINDOW + 22.0 - 14.0) + 14.0);
    place_addresses(sheet, document, texts);
    // On another page, nothing stands beside the addresses any more.
    let beside = if sheet.pages.len() == 1 { facts.max(TITLE_TOP - SPACE) } else { 0.0 };
    sheet.y = sheet.y.max(beside) + SPACE;
    sheet.make_room(TITLE.leading());
    let heading = sheet.tag(Role::Heading, None);
    sheet.y =
        sheet.put_lines(wrap(&texts.title(document), TITLE, RIGHT - LEFT), (LEFT, sheet.y), Tone::Black, Some(heading));
    sheet.y += 4.0;
    if let Some(reason) = &document.reason {
        let reason = texts.say(&text!("document-reason", reason = reason));
        sheet.flow(wrap_paragraphs(&reason, TEXT, RIGHT - LEFT), Tone::Black);
    }
    sheet.y += 12.0;
}

/// The seller's name and address; returns the lower edge of the address.
fn place_seller(sheet: &mut Sheet, document: &Document) -> f32 {
    let seller = &document.seller;
    let tag = sheet.tag(Role::Paragraph, None);
    let name = wrap(&seller.name, NAME, ASIDE - LEFT - 12.0).into_iter().take(3).collect();
    sheet.put_lines(name, (LEFT, TOP), Tone::Black, Some(tag));
    let address = seller.address.iter().flat_map(|line| wrap(line, SMALL, RIGHT - ASIDE)).take(40).collect();
    sheet.put_lines(address, (ASIDE, TOP + 4.0), Tone::Gray, Some(tag))
}

/// Number, days and what they refer to; returns their lower edge.
fn place_facts(sheet: &mut Sheet, document: &Document, texts: &Words<'_>, top: f32) -> f32 {
    let (number, date) = match document.kind {
        DocumentKind::Invoice => (text!("document-invoice-number"), text!("document-invoice-date")),
        DocumentKind::CreditNote => (text!("document-credit-note-number"), text!("document-date")),
    };
    let invoice = match document.kind {
        DocumentKind::Invoice => None,
        DocumentKind::CreditNote => document.invoice_number.clone(),
    };
    let facts = [
        (number, Some(document.number.clone())),
        (date, Some(texts.date(document.issued_at))),
        (text!("document-for-invoice"), invoice),
        (text!("document-order-number"), Some(document.order_number.clone())),
        (text!("document-buyer-vat-id"), document.buyer_vat_id.clone()),
    ];
    let mut y = top;
    for (name, value) in facts {
        let value = value.map(|value| wrap(&value, SMALL, RIGHT - VALUES)).unwrap_or_default();
        if value.is_empty() {
            continue;
        }
        let tag = sheet.tag(Role::Paragraph, None);
        let names = wrap(&texts.say(&name), SMALL, VALUES - ASIDE - 4.0);
        let below_name = sheet.put_lines(names, (ASIDE, y), Tone::Gray, Some(tag));
        y = sheet.put_lines(value, (VALUES, y), Tone::Black, Some(tag)).max(below_name) + 1.5;
    }
    y
}

/// The buyer's address in the window and where the goods went. Very long ones go on upon another page.
fn place_addresses(sheet: &mut Sheet, document: &Document, texts: &Words<'_>) {
    let width = WINDOW_RIGHT - LEFT;
    let seller = &document.seller;
    let sender =
        std::iter::once(&seller.name).chain(&seller.address).map(String::as_str).collect::<Vec<_>>().join(" · ");
    if let Some(line) = wrap(&sender, SENDER, width).into_iter().next() {
        // It is in the letterhead already, and only for the post.
        sheet.put(line, (LEFT, WINDOW), Align::Left, Tone::Gray, None);
        sheet.rule(LEFT, WINDOW_RIGHT, WINDOW + 11.0, 0.4, Tone::Light);
    }
    sheet.y = WINDOW + 22.0;
    let buyer = sheet.tag(Role::Paragraph, None);
    sheet.flow_into(buyer, document.buyer.iter().flat_map(|line| wrap(line, ADDRESS, width)).collect(), Tone::Black);
    if let Some(ship_to) = document.ship_to.as_ref().filter(|lines| **lines != document.buyer && !lines.is_empty()) {
        sheet.y += 12.0;
        let tag = sheet.tag(Role::Paragraph, None);
        sheet.flow_into(tag, wrap(&texts.say(&text!("document-ship-to")), SMALL, width), Tone::Gray);
        sheet.y += 1.0;
        sheet.flow_into(tag, ship_to.iter().flat_map(|line| wrap(line, TEXT, width)).collect(), Tone::Black);
    }
}
