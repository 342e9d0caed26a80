//! What each instance keeps of the catalog in memory: the order of the shelf and its texts.

mod pairs;
mod phrase;
mod places;
mod runs;
mod shelf;
mod slots;
mod texts;
mod units;

pub(super) use shelf::{CategoryNode, Shelf};
pub(super) use texts::{Among, Texts, TextsEntry};
