//! What each instance keeps of the catalog in memory: the order of the listing and its texts.

mod listing;
mod pairs;
mod phrase;
mod positions;
mod runs;
mod slots;
mod texts;
mod units;

pub(super) use listing::{CategoryNode, ListingIndex};
pub(super) use texts::{Among, Texts, TextsEntry};
