//! The files that pages are made of, by their paths in the repository; `build.rs` finds them.

/// Path and content, sorted by path.
const SOURCES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The paths of all files.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(path, _)| *path)
}

/// The text of a file.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    std::str::from_utf8(bytes(path)?).ok()
}

/// The bytes of a file.
pub(crate) fn bytes(path: &str) -> Option<&'static [u8]> {
    let at = SOURCES.binary_search_by_key(&path, |(known, _)| known).ok()?;
    Some(SOURCES[at].1)
}

/// Whether there is such a file.
pub(crate) fn is_there(path: &str) -> bool {
    bytes(path).is_some()
}
