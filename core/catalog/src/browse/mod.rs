//! `GET /browse`: products by price, brand, options and what modules add, in the order that a visitor wants, with what there is to choose from.
//!
//! The lists of S4.2 have one order and few filters, of which modules add theirs to `GET /products` as well. This is for pages on
//! which people look around.

mod answer;
mod query;
mod traits;

pub(crate) use answer::BrowseMeta;
pub(crate) use query::PARAMETERS;
pub(crate) use traits::{TraitRow, TraitsIndex};
