//! What a look at an installation found, and how it is told.

use std::fmt::Write;
use std::path::Path;

pub(in crate::cli) use stoa_core::doctor::{Finding, State};

use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

/// How a state is told to people.
fn shown(state: State) -> &'static str {
    match state {
        State::Ok => "ok",
        State::Warning => "warning",
        State::Failure => "FAILURE",
    }
}

fn lines(finding: &Finding) -> String {
    let mut text = format!("{:<9}{:<22} {}", shown(finding.state), finding.check, finding.message);
    if let Some(fix) = &finding.fix {
        write!(text, "\n{:9}fix: {fix}", "").expect("a text grows");
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
    pub(in crate::cli) fn settle<E: std::error::Error>(&mut self, check: &'static str, found: Result<Vec<Finding>, E>) {
        self.add(found.unwrap_or_else(|error| vec![Finding::unanswered(check, error)]));
    }

    pub(in crate::cli) fn count(&self, state: State) -> usize {
        self.0.iter().filter(|finding| finding.state == state).count()
    }

    pub(in crate::cli) fn has_failure(&self) -> bool {
        self.count(State::Failure) > 0
    }

    /// The findings from `least` on, for people.
    pub(in crate::cli) fn text(&self, least: State) -> String {
        let shown = self.0.iter().filter(|finding| finding.state >= least);
        shown.map(lines).collect::<Vec<_>>().join("\n")
    }

    pub(in crate::cli) fn print_json(&self) -> Result<(), Failure> {
        print_json_list(&self.0)
    }

    pub(in crate::cli) fn print_text(&self) -> Result<(), Failure> {
        print_line(&self.text(State::Ok))
    }
}

/// A path as an argument of a command that can be pasted into a shell.
pub(super) fn argument(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+:@".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// `1 product`, `2 products`.
pub(super) fn counted(count: impl Into<i64>, one: &str, many: &str) -> String {
    match count.into() {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_one_line_and_its_fix_another() {
        let report = Report(vec![
            Finding::ok("clock", "in step"),
            Finding::failure("migrations", "2 are pending", "stoa migrate"),
        ]);
        assert_eq!(
            report.text(State::Ok),
            "ok       clock                  in step\n\
             FAILURE  migrations             2 are pending\n         fix: stoa migrate"
        );
        assert_eq!(report.text(State::Warning).lines().count(), 2);
        assert!(report.has_failure());
    }

    #[test]
    fn a_path_can_be_pasted_into_a_shell() {
        assert_eq!(argument(Path::new("/var/lib/stoa/shop.db")), "/var/lib/stoa/shop.db");
        assert_eq!(argument(Path::new("/srv/my shop's/a.db")), r"'/srv/my shop'\''s/a.db'");
    }
}
