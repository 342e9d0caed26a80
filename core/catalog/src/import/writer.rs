//! Records written in our own format, which is what an export is (contract 4).

use std::io::{self, Write};

use super::Record;

/// Writes one record a line: `type` first, then its members in the order of the contract.
#[derive(Debug)]
pub struct RecordWriter<W: Write> {
    out: W,
}

impl<W: Write> RecordWriter<W> {
    /// Writes to `out`, which should be buffered.
    pub const fn new(out: W) -> Self {
        Self { out }
    }

    /// Writes one line; absent members are left out.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, record)?;
        self.out.write_all(b"\n")
    }

    /// Flushes and gives back what was written to.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}
