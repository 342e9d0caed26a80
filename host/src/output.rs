//! Writing results to standard output: as JSON for programs, as tables for people.

use std::io::{self, IsTerminal, Write};

use chrono::{DateTime, SecondsFormat, Utc};
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::json;

use crate::failure::Failure;

/// Prints one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_vec_pretty(value)?;
    text.push(b'\n');
    unless_closed(io::stdout().write_all(&text))
}

/// Prints a list as contract 1 wants it: `{"data": [...]}`.
pub(crate) fn print_json_list(items: &[impl Serialize]) -> Result<(), Failure> {
    print_json(&json!({ "data": items }))
}

/// Prints a table, without lines so that it can be cut up by other programs.
pub(crate) fn print_table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), Failure> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(head.to_vec());
    if io::stdout().is_terminal() {
        table.set_content_arrangement(ContentArrangement::Dynamic);
    }
    for row in rows {
        table.add_row(row);
    }
    let mut text = String::new();
    for line in table.to_string().lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    unless_closed(io::stdout().write_all(text.as_bytes()))
}

/// Prints a line.
pub(crate) fn print_line(text: &str) -> Result<(), Failure> {
    unless_closed(writeln!(io::stdout(), "{text}"))
}

/// Takes it for success when nobody reads any longer, as in `stoa routes | head -1`.
pub(crate) fn unless_closed(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Prints one thing for people, a member a line.
pub(crate) fn print_members<'a>(members: impl IntoIterator<Item = (&'a str, String)>) -> Result<(), Failure> {
    let members = members.into_iter().collect::<Vec<_>>();
    let width = members.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, value) in members {
        print_line(format!("{name:width$}  {value}").trim_end())?;
    }
    Ok(())
}

/// A time as tables show it: in UTC, to the second.
pub(crate) fn shown_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
