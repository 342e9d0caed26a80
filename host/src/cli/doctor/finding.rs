//! What a look at an installation found, and how it is told.

use std::cmp::Reverse;
use std::path::Path;

use stoa_core::commands::{Output, Tone};
pub(in crate::cli) use stoa_core::doctor::{Finding, State, counted};

use crate::failure::Failure;
use crate::output::print_json_list;

/// How a state is told to people.
fn shown(state: State) -> (&'static str, Tone) {
    match state {
        State::Ok => ("ok", Tone::Good),
        State::Warning => ("warning", Tone::Warning),
        State::Failure => ("FAILURE", Tone::Bad),
    }
}

/// Where in a line the check is named, what was found, and what mends it.
const CHECK: usize = 9;
const FOUND: usize = CHECK + 23;
const FIX: usize = CHECK + 5;

/// What follows the state: the rest of the line, and what mends it on another.
fn rest(finding: &Finding, output: &Output) -> String {
    let state = shown(finding.state).0;
    let found = format!("{state:CHECK$}{:<22} {}", finding.check, finding.message);
    let mut text = output.folded(&found, FOUND)[state.len()..].to_owned();
    if let Some(fix) = &finding.fix {
        text.push('\n');
        text.push_str(&output.folded(&format!("{:CHECK$}fix: {fix}", ""), FIX));
    }
    text
}

/// All findings, in the order of their checks.
#[derive(Debug, Default)]
pub(in crate::cli) struct Report(pub(in crate::cli) Vec<Finding>);

impl Report {
    pub(in crate::cli) fn add(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.0.extend(findings);
    }

    /// Takes over what a check of the database found, or that it could not be made.
    pub(in crate::cli) fn add_result<E: std::error::Error>(
        &mut self,
        check: &'static str,
        found: Result<Vec<Finding>, E>,
    ) {
        self.add(found.unwrap_or_else(|error| vec![Finding::unanswered(check, error)]));
    }

    pub(in crate::cli) fn count(&self, state: State) -> usize {
        self.0.iter().filter(|finding| finding.state == state).count()
    }

    pub(in crate::cli) fn has_failure(&self) -> bool {
        self.count(State::Failure) > 0
    }

    /// Prints the findings from `least` on for people, the worst first.
    pub(in crate::cli) fn print_text(&self, least: State, output: &Output) -> Result<(), Failure> {
        let mut shown_ones = self.0.iter().filter(|finding| finding.state >= least).collect::<Vec<_>>();
        shown_ones.sort_by_key(|finding| Reverse(finding.state));
        for finding in shown_ones {
            let (word, tone) = shown(finding.state);
            output.toned_line(tone, word, &rest(finding, output))?;
        }
        Ok(())
    }

    pub(in crate::cli) fn print_json(&self) -> Result<(), Failure> {
        print_json_list(&self.0)
    }
}

/// A path as an argument of a command that can be pasted into a shell.
pub(super) fn argument(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_and_its_fix_another_and_what_is_worse_comes_first() {
        let report = Report(vec![
            Finding::ok("clock", "in step"),
            Finding::warning("limits", "off", "on"),
            Finding::failure("migrations", "2 are pending", "stoa migrate"),
        ]);
        let printed = |least| {
            let output = Output::kept();
            report.print_text(least, &output).expect("it is kept");
            output.text()
        };
        assert_eq!(
            printed(State::Ok),
            "FAILURE  migrations             2 are pending\n         fix: stoa migrate\n\
             warning  limits                 off\n         fix: on\n\
             ok       clock                  in step\n"
        );
        assert_eq!(printed(State::Failure).lines().count(), 2);
        assert!(report.has_failure());
    }

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(argument(Path::new("/var/lib/stoa/shop.db")), "/var/lib/stoa/shop.db");
        assert_eq!(argument(Path::new("/srv/my shop's/a.db")), r"'/srv/my shop'\''s/a.db'");
    }
}
