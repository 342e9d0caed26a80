//! Writing the results of commands: as JSON for programs, as tables for people.

use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use serde_json::json;

use super::failure::Failure;
use super::layout::laid_out;
use super::printable::printable;
use super::prose::folded;

/// How wide a table is that goes to no terminal.
const COLUMNS: usize = 80;

/// Where a command's results go. Cloning gives the same target.
#[derive(Debug, Clone, Default)]
pub struct Output(OutputTarget);

#[derive(Debug, Clone, Default)]
enum OutputTarget {
    #[default]
    StandardOutput,
    StandardError,
    Kept(Arc<Mutex<Vec<u8>>>),
}

/// What a word at the beginning of a line says about the rest, shown as a color on terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// Somebody should know.
    Warning,
    /// Something does not work.
    Bad,
}

impl Tone {
    const fn style(self) -> Style {
        match self {
            Self::Good => AnsiColor::Green.on_default(),
            Self::Warning => AnsiColor::Yellow.on_default().bold(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
        }
    }
}

impl Output {
    /// Standard output.
    pub fn standard() -> Self {
        Self(OutputTarget::StandardOutput)
    }

    /// Standard error, for what is no result.
    pub fn standard_error() -> Self {
        Self(OutputTarget::StandardError)
    }

    /// Kept, to be looked at by a test.
    pub fn kept() -> Self {
        Self(OutputTarget::Kept(Arc::default()))
    }

    /// What was kept; nothing of what went to standard output.
    pub fn text(&self) -> String {
        match &self.0 {
            OutputTarget::StandardOutput | OutputTarget::StandardError => String::new(),
            OutputTarget::Kept(kept) => {
                String::from_utf8_lossy(&kept.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
            }
        }
    }

    /// Writes bytes as they are. It is a success when nobody reads any longer, as in `stoa routes | head -1`.
    pub fn write(&self, bytes: &[u8]) -> Result<(), Failure> {
        match &self.0 {
            OutputTarget::Kept(kept) => {
                kept.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
                Ok(())
            }
            OutputTarget::StandardOutput => is_written(io::stdout().write_all(bytes)),
            OutputTarget::StandardError => is_written(io::stderr().write_all(bytes)),
        }
    }

    /// A text for people; on a terminal its lines are broken between words, and go on below what stands in column `hanging`. What stands
    /// in backticks stays whole, so that it can be copied.
    pub fn folded<'a>(&self, text: &'a str, hanging: usize) -> Cow<'a, str> {
        self.width().map_or(Cow::Borrowed(text), |width| Cow::Owned(folded(text, width, hanging)))
    }

    /// How many letters fit into a line of the terminal that it goes to, if it goes to one.
    fn width(&self) -> Option<usize> {
        let size = match &self.0 {
            OutputTarget::StandardOutput => terminal_size::terminal_size_of(io::stdout()),
            OutputTarget::StandardError => terminal_size::terminal_size_of(io::stderr()),
            OutputTarget::Kept(_) => None,
        };
        size.map(|(width, _)| usize::from(width.0)).filter(|width| *width > 0)
    }

    /// Whether it goes to a terminal that shows colors, to somebody who has not switched them off with `NO_COLOR`.
    fn is_colored(&self) -> bool {
        match &self.0 {
            OutputTarget::StandardOutput => AutoStream::choice(&io::stdout()) != ColorChoice::Never,
            OutputTarget::StandardError => AutoStream::choice(&io::stderr()) != ColorChoice::Never,
            OutputTarget::Kept(_) => false,
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

    /// Writes a list as a table; when nothing is in it, where such rows come from, as `they begin with an order`.
    pub fn list(
        &self,
        head: &[&str],
        rows: impl IntoIterator<Item = Vec<String>>,
        come_from: &str,
    ) -> Result<(), Failure> {
        self.rows(head, rows, &format!("there is nothing to list: {come_from}"))
    }

    /// Writes a table; one without rows says that there is nothing.
    ///
    /// It fits into the terminal, and into 80 columns where it goes to none: a row that is too long goes on below, further in, and texts are
    /// broken between words. Numbers, slugs and ids stay whole, so that they can be copied. Programs read JSON.
    pub fn table(&self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), Failure> {
        self.rows(head, rows, "there is nothing to list")
    }

    fn rows(&self, head: &[&str], rows: impl IntoIterator<Item = Vec<String>>, nothing: &str) -> Result<(), Failure> {
        let printable = |cell: String| printable(&cell, &[]).into_owned();
        let rows = rows.into_iter().map(|row| row.into_iter().map(printable).collect()).collect::<Vec<Vec<_>>>();
        if rows.is_empty() {
            return self.line(nothing);
        }
        self.write(laid_out(head, &rows, self.width().unwrap_or(COLUMNS)).as_bytes())
    }

    /// Writes a line, or several. Control characters in it are written out, for the terminal that it may go to.
    pub fn line(&self, text: &str) -> Result<(), Failure> {
        self.write(format!("{}\n", printable(text, &['\n', '\t'])).as_bytes())
    }

    /// Writes a line, or several, that begins with a word in the color of a tone where colors are shown.
    pub fn toned_line(&self, tone: Tone, word: &str, rest: &str) -> Result<(), Failure> {
        let (word, rest) = (printable(word, &[]), printable(rest, &['\n', '\t']));
        let style = if self.is_colored() { tone.style() } else { Style::new() };
        self.write(format!("{style}{word}{style:#}{rest}\n").as_bytes())
    }

    /// Writes one thing for people, a member a line.
    pub fn members<'a>(&self, members: impl IntoIterator<Item = (&'a str, String)>) -> Result<(), Failure> {
        let members = members.into_iter().collect::<Vec<_>>();
        let width = members.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in members {
            let line = format!("{name:width$}  {value}");
            self.line(&self.folded(line.trim_end(), width + 2))?;
        }
        Ok(())
    }
}

/// It is a success when nobody reads any longer.
fn is_written(written: io::Result<()>) -> Result<(), Failure> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// A time as tables show it: in UTC, to the second.
pub fn shown_time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[cfg(test)]
mod tests {
    use super::{Output, Tone};

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

    #[test]
    fn a_table_without_rows_says_that_there_is_nothing() {
        let output = Output::kept();
        output.table(&["NAME", "PRICE"], []).expect("it is kept");
        output.list(&["NAME", "PRICE"], [], "`stoa product create` makes a product").expect("it is kept");
        let text = output.text();
        assert_eq!(text, "there is nothing to list\nthere is nothing to list: `stoa product create` makes a product\n");
    }

    #[test]
    fn what_is_no_terminal_gets_no_colors() {
        let output = Output::kept();
        output.toned_line(Tone::Bad, "FAILURE", "  no \u{1b}[0m room").expect("it is kept");
        assert_eq!(output.text(), "FAILURE  no \\u{1b}[0m room\n");
    }
}
