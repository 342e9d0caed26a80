//! The seal behind an archive: the SHA-256 of all bytes before it.
//!
//! It has the form of an empty member of a gzip file (RFC 1952) whose comment holds the hash. Programs that unpack gzip
//! files accept several members, so `tar` and `gunzip` still read the file without a word.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

/// A member with a comment, without time, of an unknown system.
const START: &[u8] = &[0x1f, 0x8b, 0x08, 0x10, 0, 0, 0, 0, 0, 0xff];
const COMMENT: &[u8] = b"stoa backup sha256 ";
/// The end of the comment; no data, its checksum and its length.
const END: &[u8] = &[0, 0x03, 0x00, 0, 0, 0, 0, 0, 0, 0, 0];

/// Bytes of a seal.
pub(super) const LENGTH: u64 = (START.len() + COMMENT.len() + 64 + END.len()) as u64;

/// Bytes that every gzip file starts with.
pub(super) const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The seal of what has this hash.
fn seal(hash: Sha256) -> Vec<u8> {
    [START, COMMENT, hex::encode(hash.finalize()).as_bytes(), END].concat()
}

/// Writes bytes on, and seals them in the end.
pub(super) struct Sealing<W> {
    writer: W,
    hash: Sha256,
}

impl<W: Write> Sealing<W> {
    pub(super) fn new(writer: W) -> Self {
        Self { writer, hash: Sha256::new() }
    }

    /// Writes the seal.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.writer.write_all(&seal(self.hash))?;
        Ok(self.writer)
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Whether the last [`LENGTH`] bytes of a file with this length are the seal of all before. Reads from the start.
pub(super) fn is_intact(mut file: impl Read, length: u64) -> io::Result<bool> {
    let Some(sealed) = length.checked_sub(LENGTH) else { return Ok(false) };
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut content = (&mut file).take(sealed);
    loop {
        match content.read(&mut buffer)? {
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    let mut found = Vec::new();
    file.take(LENGTH + 1).read_to_end(&mut found)?;
    Ok(found == seal(hash))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(content: &[u8]) -> Vec<u8> {
        let mut sealing = Sealing::new(Vec::new());
        sealing.write_all(content).expect("memory can be written");
        sealing.finish().expect("memory can be written")
    }

    fn intact(bytes: &[u8]) -> bool {
        is_intact(bytes, bytes.len() as u64).expect("memory can be read")
    }

    #[test]
    fn a_flipped_bit_is_found_wherever_it_is() {
        let bytes = sealed(b"content of any kind");
        assert!(intact(&bytes));
        for position in 0..bytes.len() {
            for bit in 0..8 {
                let mut changed = bytes.clone();
                changed[position] ^= 1 << bit;
                assert!(!intact(&changed), "byte {position}, bit {bit}");
            }
        }
    }

    #[test]
    fn what_is_cut_or_longer_is_not_intact() {
        let bytes = sealed(b"content of any kind");
        for length in 0..bytes.len() {
            assert!(!intact(&bytes[..length]), "{length} bytes");
        }
        assert!(!intact(&[&bytes[..], b"x"].concat()));
    }

    #[test]
    fn a_seal_is_an_empty_part_of_a_gzip_file() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"hello").expect("memory can be written");
        let bytes = sealed(&gzip.finish().expect("memory can be written"));
        let mut text = String::new();
        let read = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text);
        read.expect("all parts can be unpacked");
        assert_eq!(text, "hello");
        assert_eq!(bytes.len() as u64 - LENGTH, bytes.iter().rposition(|byte| *byte == 0x1f).expect("a seal") as u64);
    }
}
