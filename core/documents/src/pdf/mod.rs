//! Invoices and credit notes as PDF, made from what was stored when they were issued, and leaflets of modules.
//!
//! `render` is a pure function from a `Document` and the shop's texts to bytes: the same document gives the same bytes on every machine and
//! on every day, because nothing in it comes from the clock or from the configuration of the moment. Fonts are part
//! of the program, and of each file only the characters that it uses. Files are tagged for screen readers and follow PDF/A-3a,
//! so that they can be archived, with the invoice as machines read it inside (Factur-X, ZUGFeRD).
//!
//! The way of a document: its parts (`letterhead`, `items`, `totals`) put lines of text on a `sheet`, which
//! breaks pages; `footer` completes the pages once their number is known; `write` turns them into PDF. Text is shaped
//! in `font` and broken in `wrap`.

pub(crate) mod clean;
mod document;
mod font;
mod footer;
mod items;
mod leaflet;
mod letterhead;
mod pattern;
mod sheet;
mod table;
pub(crate) mod texts;
pub(crate) mod totals;
mod wrap;
mod write;

#[cfg(test)]
mod tests;

pub use document::{
    Document, DocumentDiscount, DocumentKind, DocumentLine, DocumentOption, PartyAddress, Seller, TaxLine,
};
pub use leaflet::{Leaflet, LeafletPart, render_leaflet};
pub use pattern::Pattern;

use stoa_kernel::i18n::Texts;

use sheet::Sheet;
use texts::Words;

/// Why a document could not be written. It is a mistake of the program, whatever the document says.
#[derive(Debug, thiserror::Error)]
#[error("the PDF of {number} cannot be written: {reason}")]
pub struct PdfError {
    number: String,
    reason: String,
}

/// Writes a document as PDF.
///
/// Texts are in the document's language, amounts as its locale writes them. Characters without a glyph are shown as a
/// box and can still be copied. Keeps a core busy for some milliseconds, so call it from `spawn_blocking`, and outside of
/// transactions.
pub fn render(document: &Document, texts: &Texts) -> Result<Vec<u8>, PdfError> {
    let texts = Words::new(document, texts);
    let mut sheet = Sheet::new(footer::height(document, &texts));
    letterhead::draw(&mut sheet, document, &texts);
    items::draw(&mut sheet, document, &texts);
    totals::draw(&mut sheet, document, &texts);
    footer::complete(&mut sheet, document, &texts);
    write::write(&sheet, document, &texts).map_err(|reason| PdfError { number: document.number.clone(), reason })
}
