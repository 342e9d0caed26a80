//! What the module's commands tell about themselves.

use clap::Command;

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// Each command, at every level, has a description and an example.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    for command in subject.registry().commands.iter() {
        let mut described = command.describe();
        described.build();
        walk(&described, "stoa", report);
    }
}

fn walk(command: &Command, above: &str, report: &mut Report) {
    let path = format!("{above} {}", command.get_name());
    if command.get_about().is_none_or(|about| about.to_string().trim().is_empty()) {
        let mend = "write a doc comment above its structure";
        report.breach(Rule::Command, format!("`{path}`"), "it does not say what it does", mend);
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let example = after.split("Example").nth(1).unwrap_or_default();
    if !example.lines().any(|line| line.trim_start().starts_with("stoa ")) {
        let mend = format!("add `#[command(after_help = \"Examples:\\n  {path} …\")]`");
        report.breach(Rule::Command, format!("`{path}`"), "its help has no example", mend);
    }
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        walk(below, &path, report);
    }
}
