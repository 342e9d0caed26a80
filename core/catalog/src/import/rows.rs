//! Rows of a CSV file with their line numbers, none longer than the limit.

use std::io::{self, BufRead};

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};

use super::input::{Input, MAX_LINE_BYTES};

/// What may stand between two fields: spreadsheets of many countries write semicolons.
pub(super) const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The most columns of a row.
const MAX_COLUMNS: usize = 10_000;

/// A row of the file: its fields, unescaped.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Line on which it begins.
    pub(super) line: u64,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Row {
    /// How many fields it has.
    pub(super) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// A field by its position, empty beyond the last one.
    pub(super) fn field(&self, index: usize) -> &[u8] {
        let Some(end) = self.ends.get(index) else { return &[] };
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..*end]
    }

    /// All fields.
    pub(super) fn fields(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map(|index| self.field(index))
    }
}

/// What the file holds next.
#[derive(Debug)]
pub(super) enum NextRow {
    Row(Row),
    /// Something that cannot be told apart into fields, and why.
    Broken {
        line: u64,
        reason: String,
    },
    End,
}

/// Reads rows, blank lines left out.
#[derive(Debug)]
pub(super) struct RowReader<R> {
    pub(super) input: Input<R>,
    parser: Reader,
    line: u64,
    after_return: bool,
    finished: bool,
}

impl<R: BufRead> RowReader<R> {
    pub(super) fn new(input: Input<R>, delimiter: u8) -> Self {
        let parser = ReaderBuilder::new().delimiter(delimiter).build();
        Self { input, parser, line: 1, after_return: false, finished: false }
    }

    /// Reads the next row.
    pub(super) fn next(&mut self) -> io::Result<NextRow> {
        self.skip_line_ends()?;
        if self.finished {
            return Ok(NextRow::End);
        }
        let mut row = Row { line: self.line, bytes: vec![0; 1024], ends: vec![0; 64] };
        let (mut filled, mut ended) = (0, 0);
        let mut fault: Option<String> = None;
        loop {
            let bytes = self.input.fill()?;
            let at_end = bytes.is_empty();
            // A line feed of our own ends the last row, unless a quotation mark is still open.
            let bytes = if at_end { b"\n".as_slice() } else { bytes };
            let (result, used, wrote, wrote_ends) =
                self.parser.read_record(bytes, &mut row.bytes[filled..], &mut row.ends[ended..]);
            if !at_end {
                let (line, after_return) = count_lines(self.line, self.after_return, &bytes[..used]);
                (self.line, self.after_return) = (line, after_return);
                self.input.consume(used);
            }
            filled += wrote;
            ended += wrote_ends;
            match result {
                ReadRecordResult::InputEmpty if at_end => {
                    self.finished = true;
                    let reason = "a quotation mark that opens a field here is never closed".to_owned();
                    return Ok(NextRow::Broken { line: row.line, reason });
                }
                ReadRecordResult::InputEmpty => {}
                ReadRecordResult::OutputFull if row.bytes.len() < MAX_LINE_BYTES => {
                    row.bytes.resize((row.bytes.len() * 2).min(MAX_LINE_BYTES), 0);
                }
                ReadRecordResult::OutputFull => {
                    filled = 0;
                    fault.get_or_insert_with(|| {
                        format!("the row is longer than {MAX_LINE_BYTES} bytes (is a quotation mark never closed?)")
                    });
                }
                ReadRecordResult::OutputEndsFull if row.ends.len() < MAX_COLUMNS => {
                    row.ends.resize((row.ends.len() * 2).min(MAX_COLUMNS), 0);
                }
                ReadRecordResult::OutputEndsFull => {
                    ended = 0;
                    fault.get_or_insert_with(|| format!("the row has more than {MAX_COLUMNS} columns"));
                }
                ReadRecordResult::Record | ReadRecordResult::End => {
                    if let Some(reason) = fault {
                        return Ok(NextRow::Broken { line: row.line, reason });
                    }
                    row.bytes.truncate(filled);
                    row.ends.truncate(ended);
                    return Ok(NextRow::Row(row));
                }
            }
        }
    }

    /// Skips line ends, so that a row's line is the one on which its first field stands.
    fn skip_line_ends(&mut self) -> io::Result<()> {
        loop {
            let bytes = self.input.fill()?;
            let ends = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            self.finished = self.finished || bytes.is_empty();
            let all = ends == bytes.len();
            let (line, after_return) = count_lines(self.line, self.after_return, &bytes[..ends]);
            (self.line, self.after_return) = (line, after_return);
            self.input.consume(ends);
            if self.finished || !all {
                return Ok(());
            }
        }
    }
}

/// The line reached after `bytes`, and whether they end in a carriage return: that and a line feed are one line end.
fn count_lines(mut line: u64, after_return: bool, bytes: &[u8]) -> (u64, bool) {
    for at in memchr::memchr2_iter(b'\r', b'\n', bytes) {
        let after_return = if at == 0 { after_return } else { bytes[at - 1] == b'\r' };
        if bytes[at] == b'\r' || !after_return {
            line += 1;
        }
    }
    (line, bytes.last().map_or(after_return, |last| *last == b'\r'))
}

/// The first row of a text, for a look at a header.
pub(super) fn first_row(text: &[u8], delimiter: u8) -> Option<Row> {
    let (input, _) = Input::open(text).ok()?;
    match RowReader::new(input, delimiter).next() {
        Ok(NextRow::Row(row)) => Some(row),
        Ok(NextRow::Broken { .. } | NextRow::End) | Err(_) => None,
    }
}
