//! The files that pages are made of, by their paths in the repository.
//!
//! `sources` holds links to where they stand, since a package brings its own files only.

use std::borrow::Cow;

use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "sources"]
struct Sources;

/// The paths of all files.
pub(crate) fn paths() -> impl Iterator<Item = Cow<'static, str>> {
    Sources::iter()
}

/// The text of a file.
pub(crate) fn text(path: &str) -> Option<String> {
    let EmbeddedFile { data, .. } = Sources::get(path)?;
    String::from_utf8(data.into_owned()).ok()
}

/// The bytes of a file.
pub(crate) fn bytes(path: &str) -> Option<Vec<u8>> {
    Some(Sources::get(path)?.data.into_owned())
}

/// Whether there is such a file.
pub(crate) fn is_there(path: &str) -> bool {
    Sources::get(path).is_some()
}
