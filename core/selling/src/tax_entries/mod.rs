//! What documents say of tax, in rows by rate and country: the books that reports are added up from. They are written with the
//! document, in its transaction, and never changed.

mod book;
mod queries;

pub(crate) use book::{book_cancellation, book_credit_note, book_invoice};
