//! Writing results to standard output: as JSON for programs, as tables for people.

use serde::Serialize;
use stoa_core::commands::Output;
pub(crate) use stoa_core::commands::shown_time;

use crate::failure::Failure;

/// Prints bytes as they are.
pub(crate) fn print_bytes(bytes: &[u8]) -> Result<(), Failure> {
    Output::standard().write(bytes)
}

/// Prints one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    Output::standard().json(value)
}

/// Prints a list as contract 1 wants it: `{"data": [...]}`.
pub(crate) fn print_json_list(items: &[impl Serialize]) -> Result<(), Failure> {
    Output::standard().json_list(items)
}

/// Prints a list, and where such rows come from when nothing is in it.
pub(crate) fn print_list(
    head: &[&str],
    rows: impl IntoIterator<Item = Vec<String>>,
    come_from: &str,
) -> Result<(), Failure> {
    Output::standard().list(head, rows, come_from)
}

/// Prints a table.
pub(crate) fn print_table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), Failure> {
    Output::standard().table(head, rows)
}

/// Prints a line.
pub(crate) fn print_line(text: &str) -> Result<(), Failure> {
    Output::standard().line(text)
}

/// Prints a line on standard error, for what is no result. Nothing is lost with one that nobody reads.
pub(crate) fn print_remark(text: &str) {
    let _ = Output::standard_error().line(text);
}

/// Prints one thing for people, a member a line.
pub(crate) fn print_members<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> Result<(), Failure> {
    Output::standard().members(members)
}

/// Prints lines below a heading; nothing where there is none.
pub(crate) fn print_part(heading: &str, lines: impl IntoIterator<Item = String>) -> Result<(), Failure> {
    for (index, line) in lines.into_iter().enumerate() {
        if index == 0 {
            print_line(&format!("\n{heading}:"))?;
        }
        print_line(format!("  {line}").trim_end())?;
    }
    Ok(())
}
