//! Writing the results of commands: as JSON for programs, as tables for people.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, SecondsFormat, Utc};
use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;
use serde_json::json;

use super::failure::Failure;
use super::printable::printable;

/// Where a command's results go. Cloning gives the same place.
#[derive(Debug, Clone, Default)]
pub struct Output(Place);

#[derive(Debug, Clone, Default)]
enum Place {
    #[default]
    StandardOutput,
    Kept(Arc<Mutex<Vec<u8>>>),
}

impl Output {
    /// Standard output.
    pub fn standard() -> Self {
        Self(Place::StandardOutput)
    }

    /// Kept, to be looked at by a test.
    pub fn kept() -> Self {
        Self(Place::Kept(Arc::default()))
    }

    /// What was kept; nothing of what went to standard output.
    pub fn text(&self) -> String {
        match &self.0 {
            Place::StandardOutput => String::new(),
            Place::Kept(kept) => {
                String::from_utf8_lossy(&kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
            }
        }
    }

    /// Writes bytes as they are. It is a success when nobody reads any longer, as in `stoa routes | head -1`.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.0 {
            Place::Kept(kept) => {
                kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
                Ok(())
            }
            Place::StandardOutput => match io::stdout().write_all(bytes) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => Ok(written?),
            },
        }
    }

    /// Writes one thing as a JSON document.
    pub fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let mut text = serde_json::to_vec_pretty(value)?;
        text.push(b'\n');
        self.write(&text)
    }

    /// Writes a list as contract 1 wants it: `{"data": [...]}`.
    pub fn json_list(&self, items: &[impl Serialize]) -> Result<(), Failure> {
        self.json(&json!({ "data": items }))
    }

    /// Writes a table, without lines so that it can be cut up by other programs.
    pub fn table(&self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), Failure> {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(head.to_vec());
        if matches!(self.0, Place::StandardOutput) && io::stdout().is_terminal() {
            table.set_content_arrangement(ContentArrangement::Dynamic);
        }
        for row in rows {
            table.add_row(row.iter().map(|cell| printable(cell, &[])));
        }
        let mut text = String::new();
        for line in table.to_string().lines() {
            text.push_str(line.trim_end());
            text.push('\n');
        }
        self.write(text.as_bytes())
    }

    /// Writes a line, or several. Control characters in it are written out, for the terminal that it may go to.
    pub fn line(&self, text: &str) -> Result<(), Failure> {
        self.write(format!("{}\n", printable(text, &['\n', '\t'])).as_bytes())
    }

    /// Writes one thing for people, a member a line.
    pub fn members<'a>(&self, members: impl IntoIterator<Item = (&'a str, String)>) -> Result<(), Failure> {
        let members = members.into_iter().collect::<Vec<_>>();
        let width = members.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in members {
            self.line(format!("{name:width$}  {value}").trim_end())?;
        }
        Ok(())
    }
}

/// A time as tables show it: in UTC, to the second.
pub fn shown_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::Output;

    #[test]
    fn nothing_that_is_printed_for_people_steers_their_terminal() {
        let output = Output::kept();
        output.line("Lamp\u{1b}[2J\n\ttwo lines\u{7}").expect("it is kept");
        output.members([("name", String::from("Lamp\u{9b}31m"))]).expect("it is kept");
        output.table(&["NAME"], [vec![String::from("Lamp\u{1b}]0;x\u{7}\r\nsecond")]]).expect("it is kept");
        let text = output.text();
        assert!(!text.contains(|letter: char| letter.is_control() && !matches!(letter, '\n' | '\t')), "{text:?}");
        assert!(text.starts_with("Lamp\\u{1b}[2J\n\ttwo lines\\u{7}\nname  Lamp\\u{9b}31m\n"), "{text:?}");
        assert!(text.ends_with("Lamp\\u{1b}]0;x\\u{7}\\r\\nsecond\n"), "{text:?}");
    }
}
