//! Content compressed with gzip.

use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// What is compressed once for many, as small as that is worth its time.
pub fn small(content: &[u8]) -> Bytes {
    gzip(content, Compression::default())
}

/// What somebody waits for.
pub(super) fn fast(content: &[u8]) -> Bytes {
    gzip(content, Compression::fast())
}

fn gzip(content: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::with_capacity(content.len() / 3), level);
    let written = encoder.write_all(content).and_then(|()| encoder.finish());
    written.expect("memory takes everything").into()
}
