//! Files of counted stock: `sku,quantity`, a line for each SKU.

use std::collections::BTreeMap;
use std::path::Path;

use stoa_core::prelude::*;

/// The most bytes of a file.
const LARGEST: u64 = 64 * 1024 * 1024;

/// A line that says something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StockLine {
    /// The line of the file, from 1.
    pub(crate) line: u64,
    pub(crate) sku: String,
    /// Pieces, or pieces more.
    pub(crate) quantity: i64,
}

/// A line that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct BadLine {
    /// The line of the file, from 1.
    pub(crate) line: u64,
    /// What is wrong with it and what was expected.
    pub(crate) reason: String,
}

/// What a file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct StockFile {
    /// Sorted by SKU.
    pub(crate) lines: Vec<StockLine>,
    pub(crate) bad: Vec<BadLine>,
}

/// Which columns hold what.
#[derive(Debug, Clone, Copy)]
struct Columns {
    sku: usize,
    quantity: usize,
}

/// Reads a file whole.
pub(crate) fn read(path: &Path) -> Result<StockFile, Failure> {
    let name = path.display();
    let size = std::fs::metadata(path).map_err(|error| Failure::operation(format!("{name}: {error}")))?.len();
    if size > LARGEST {
        return Err(Failure::operation(format!("{name} has more than {LARGEST} bytes; divide it")));
    }
    let bytes = std::fs::read(path).map_err(|error| Failure::operation(format!("{name}: {error}")))?;
    parse(&bytes).map_err(|reason| Failure::operation(format!("{name}: {reason}")))
}

/// Reads what stands in a file; the error is about all of it.
pub(crate) fn parse(bytes: &[u8]) -> Result<StockFile, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = [b',', b';', b'\t'].into_iter().find(|byte| head.contains(byte)).unwrap_or(b',');
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes);
    let mut lines = Lines { bytes, line: 1, at: 0 };
    let mut columns = None;
    let mut file = StockFile::default();
    let mut first = BTreeMap::<String, u64>::new();
    for record in reader.byte_records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = lines.line_of(record.position().map_or(0, csv::Position::byte));
        let cells = record.iter().map(|cell| std::str::from_utf8(cell).map(str::trim)).collect::<Result<Vec<_>, _>>();
        let Ok(cells) = cells else {
            file.bad.push(BadLine { line, reason: String::from("is not written in UTF-8") });
            continue;
        };
        if cells.iter().all(|cell| cell.is_empty()) {
            continue;
        }
        let Some(columns) = columns else {
            columns = Some(find_columns(&cells)?);
            continue;
        };
        match read_line(line, &cells, columns) {
            Ok(read) => {
                if let Some(other) = first.get(&read.sku) {
                    let reason = format!("`{}` stands in line {other} already", read.sku);
                    file.bad.push(BadLine { line, reason });
                } else {
                    first.insert(read.sku.clone(), line);
                    file.lines.push(read);
                }
            }
            Err(reason) => file.bad.push(BadLine { line, reason }),
        }
    }
    if columns.is_none() {
        return Err(String::from("is empty; its first line must be `sku,quantity`"));
    }
    file.lines.sort_by(|one, other| one.sku.cmp(&other.sku));
    Ok(file)
}

/// Counts lines: the reader's own count is one short after a line that ends as in Windows.
struct Lines<'a> {
    bytes: &'a [u8],
    line: u64,
    at: usize,
}

impl Lines<'_> {
    /// The line in which the record begins that was read from this place on.
    fn line_of(&mut self, start: u64) -> u64 {
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(self.bytes.len());
        let blank = self.bytes[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let passed = self.bytes.get(self.at..start + blank).unwrap_or_default();
        self.line += passed.split(|byte| *byte == b'\n').count() as u64 - 1;
        self.at = start + blank;
        self.line
    }
}

fn find_columns(head: &[&str]) -> Result<Columns, String> {
    let find = |name: &str| head.iter().position(|cell| cell.eq_ignore_ascii_case(name));
    match (find("sku"), find("quantity")) {
        (Some(sku), Some(quantity)) => Ok(Columns { sku, quantity }),
        _ => Err(format!("the first line must name the columns `sku` and `quantity`; it is `{}`", head.join(","))),
    }
}

fn read_line(line: u64, cells: &[&str], columns: Columns) -> Result<StockLine, String> {
    let cell = |at: usize| cells.get(at).copied().filter(|cell| !cell.is_empty());
    let sku = cell(columns.sku).ok_or("has no SKU")?;
    let quantity = cell(columns.quantity).ok_or_else(|| format!("has no quantity for `{sku}`"))?;
    let parsed = quantity.strip_prefix('+').unwrap_or(quantity).parse::<i64>();
    let quantity = parsed.map_err(|_| format!("`{quantity}` is no whole number of pieces"))?;
    Ok(StockLine { line, sku: sku.to_owned(), quantity })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> (Vec<(u64, String, i64)>, Vec<u64>) {
        let file = parse(text.as_bytes()).expect("it is readable");
        let lines = file.lines.into_iter().map(|line| (line.line, line.sku, line.quantity)).collect();
        (lines, file.bad.into_iter().map(|bad| bad.line).collect())
    }

    #[test]
    fn a_file_is_read_line_by_line_and_bad_lines_are_named() {
        let (good, bad) =
            lines("\u{feff}Quantity,Name,SKU\r\n5,Mug,MUG\r\n,x,CUP\n\n-2,,\"A,B\"\nmany,,JUG\n7,,MUG\n8\n");
        assert_eq!(good, [(5, String::from("A,B"), -2), (2, String::from("MUG"), 5)]);
        assert_eq!(bad, [3, 6, 7, 8]);
        assert_eq!(lines("sku;quantity\nA;+3\n").0, [(2, String::from("A"), 3)]);
    }

    #[test]
    fn a_file_without_its_columns_is_refused_as_a_whole() {
        for text in ["", "MUG,5\n", "sku\nMUG\n"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
    }
}
