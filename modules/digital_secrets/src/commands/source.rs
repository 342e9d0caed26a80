//! Files with values, a value a line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use stoa_core::prelude::*;
use stoa_core::secret::Secret;

use crate::filling::{Candidate, value_of};

/// What stands for standard input.
const STANDARD_INPUT: &str = "-";

/// What some programs put in front of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A line that holds no value, though something stands there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct BadLine {
    /// From 1.
    pub(super) line: u64,
    /// What is wrong; never the line itself.
    pub(super) problem: String,
}

/// Reads values line by line, in batches, so that a file may be of any size.
pub(super) struct Source {
    reader: Box<dyn BufRead + Send>,
    line: u64,
    /// Lines without a value.
    pub(super) bad: Vec<BadLine>,
}

impl Source {
    /// Opens a file, relative to where the command was given, or standard input for `-`.
    pub(super) fn open(cx: &CommandContext, file: &str) -> Result<Self, Failure> {
        let reader: Box<dyn BufRead + Send> = if file == STANDARD_INPUT {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let path = cx.folder.join(Path::new(file));
            let opened = File::open(&path);
            let opened = opened
                .map_err(|error| Failure::operation(format!("the file {} cannot be read: {error}", path.display())))?;
            Box::new(BufReader::new(opened))
        };
        Ok(Self { reader, line: 0, bad: Vec::new() })
    }

    /// The next values, at most so many; none at the end of the file.
    pub(super) fn batch(&mut self, size: usize) -> Result<Vec<Candidate>, Failure> {
        let mut batch = Vec::with_capacity(size);
        let mut bytes = Vec::new();
        while batch.len() < size {
            bytes.clear();
            let read = self.reader.read_until(b'\n', &mut bytes);
            if read.map_err(|error| Failure::operation(format!("the values cannot be read: {error}")))? == 0 {
                break;
            }
            self.line += 1;
            match self.value(&bytes) {
                Ok(Some(value)) => batch.push(Candidate { line: self.line, value }),
                Ok(None) => {}
                Err(problem) => self.bad.push(BadLine { line: self.line, problem }),
            }
        }
        Ok(batch)
    }

    fn value(&self, bytes: &[u8]) -> Result<Option<Secret>, String> {
        let bytes = if self.line == 1 { bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes) } else { bytes };
        value_of(str::from_utf8(bytes).map_err(|_| String::from("the line is not UTF-8 text"))?)
    }

    /// The one value that a file holds.
    pub(super) fn only_value(mut self) -> Result<Secret, Failure> {
        let mut values = VecDeque::from(self.batch(2)?);
        if let Some(bad) = self.bad.first() {
            return Err(Failure::operation(format!("line {}: {}", bad.line, bad.problem)));
        }
        match (values.pop_front(), values.is_empty()) {
            (Some(candidate), true) => Ok(candidate.value),
            (Some(_), false) => Err(Failure::operation("there is more than one value; give one alone")),
            (None, _) => Err(Failure::operation("there is no value: the text is empty")),
        }
    }
}
