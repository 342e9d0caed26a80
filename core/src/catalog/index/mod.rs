//! What each instance keeps of the catalog in memory: the order of the shelf and its texts.

mod shelf;
mod texts;

pub(super) use shelf::{CategoryNode, Shelf};
pub(super) use texts::{Among, Texts, TextsEntry};
