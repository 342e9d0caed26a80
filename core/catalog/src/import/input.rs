//! The bytes of a file: first look, count for a progress bar, lines of a limited length.

use std::io::{self, BufRead, Chain, Cursor, Read};

use super::UnreadableFile;
use super::format::{UTF8_MARK, check_text};

/// The longest line of JSON Lines and the longest row of CSV, in bytes (8 MiB).
pub const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// How much of a file is looked at to tell its format, in bytes.
const FIRST_LOOK_BYTES: u64 = 64 * 1024;

/// A file being read, whose consumed bytes are counted.
#[derive(Debug)]
pub(super) struct Input<R> {
    source: Chain<Cursor<Vec<u8>>, R>,
    consumed: u64,
}

/// Whether a file of these first bytes holds no text at all.
pub(super) fn is_blank(first_bytes: &[u8]) -> bool {
    let text = first_bytes.strip_prefix(UTF8_MARK).unwrap_or(first_bytes).trim_ascii();
    text.is_empty() && (first_bytes.len() as u64) < FIRST_LOOK_BYTES
}

/// A line of JSON Lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The line is in the buffer, without its line end.
    Read,
    /// The line is longer than the limit and was skipped.
    TooLong,
    /// There are no more lines.
    End,
}

impl<R: BufRead> Input<R> {
    /// Reads the first bytes, refuses what is no text, and hands both out.
    pub(super) fn open(mut source: R) -> Result<(Self, Vec<u8>), UnreadableFile> {
        let mut first = Vec::new();
        source.by_ref().take(FIRST_LOOK_BYTES).read_to_end(&mut first)?;
        check_text(&first)?;
        let mut input = Self { source: Cursor::new(first.clone()).chain(source), consumed: 0 };
        if first.starts_with(UTF8_MARK) {
            input.consume(UTF8_MARK.len());
        }
        Ok((input, first))
    }

    /// Bytes consumed so far.
    pub(super) const fn consumed(&self) -> u64 {
        self.consumed
    }

    /// The bytes at hand; none at the end of the file.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        // Twice, since a borrow that is returned from within the loop would last for the loop.
        while let Err(error) = self.source.fill_buf() {
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
        self.source.fill_buf()
    }

    /// Marks bytes at hand as used.
    pub(super) fn consume(&mut self, count: usize) {
        self.source.consume(count);
        self.consumed += u64::try_from(count).unwrap_or(u64::MAX);
    }

    /// Reads the next line into `line`, never buffering more than the limit.
    pub(super) fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<Line> {
        line.clear();
        let mut too_long = false;
        let mut any = false;
        loop {
            let bytes = self.fill()?;
            if bytes.is_empty() {
                break;
            }
            any = true;
            let end = memchr::memchr(b'\n', bytes);
            let part = &bytes[..end.unwrap_or(bytes.len())];
            too_long = too_long || line.len() + part.len() > MAX_LINE_BYTES;
            if too_long {
                line.clear();
            } else {
                line.extend_from_slice(part);
            }
            let used = part.len() + usize::from(end.is_some());
            self.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(match (any, too_long) {
            (false, _) => Line::End,
            (true, true) => Line::TooLong,
            (true, false) => Line::Read,
        })
    }
}
