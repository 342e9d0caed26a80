//! The list of commands in `stoa --help`, grouped by what they are for.

use std::fmt::Write;

use clap::Command;
use clap::builder::StyledStr;

/// Headings with their commands, in the order in which they are shown. Commands that are not there
/// yet are left out; those that no group names come last.
const GROUPS: &[(&str, &[&str])] = &[
    ("Run the shop", &["serve", "worker", "migrate", "check", "doctor", "verify"]),
    ("Catalog", &["import", "export", "product", "category"]),
    ("Customers", &["customer", "token", "ticket"]),
    ("Selling", &["order", "payment", "invoice", "credit-note", "discount"]),
    ("Data", &["backup", "restore", "database"]),
    ("Other programs", &["webhook"]),
    ("Behind the scenes", &["jobs", "events", "modules", "routes", "openapi"]),
    ("For authors of modules", &["new-module", "module"]),
    ("For your shell", &["completions"]),
];

/// The heading of commands that no group names: those of modules.
const REST: &str = "Modules";

/// The same command line, with its commands grouped in the help.
pub(super) fn grouped(command: Command) -> Command {
    let groups = groups(&command);
    let template = template(&command, &groups);
    command.help_template(template)
}

/// Headings with names and descriptions of their commands.
type Groups = Vec<(&'static str, Vec<(String, String)>)>;

fn groups(command: &Command) -> Groups {
    let described = |name: &str| {
        let found = command.get_subcommands().find(|known| known.get_name() == name && !known.is_hide_set())?;
        let about = found.get_about().map(ToString::to_string).unwrap_or_default();
        Some((name.to_owned(), about))
    };
    let mut groups: Groups = GROUPS
        .iter()
        .map(|(heading, names)| (*heading, names.iter().filter_map(|name| described(name)).collect()))
        .collect();
    let named = |name: &str| GROUPS.iter().any(|(_, names)| names.contains(&name));
    let rest = command.get_subcommands().map(Command::get_name).filter(|name| !named(name) && *name != "help");
    groups.push((REST, rest.filter_map(described).collect()));
    groups.retain(|(_, commands)| !commands.is_empty());
    groups
}

fn template(command: &Command, groups: &Groups) -> StyledStr {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let width = groups.iter().flat_map(|(_, commands)| commands).map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = StyledStr::new();
    let mut add = |line: std::fmt::Arguments<'_>| text.write_fmt(line).expect("a text grows");
    add(format_args!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n"));
    for (heading, commands) in groups {
        add(format_args!("{header}{heading}:{header:#}\n"));
        for (name, about) in commands {
            let padding = " ".repeat(width - name.len());
            add(format_args!("  {literal}{name}{literal:#}{padding}  {about}\n"));
        }
        add(format_args!("\n"));
    }
    add(format_args!("{header}Options:{header:#}\n{{options}}{{after-help}}"));
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_stands_in_one_group() {
        let groups = groups(&Cli::command());
        assert!(groups.iter().all(|(heading, _)| *heading != REST), "{groups:?}");
        let mut names = groups.into_iter().flat_map(|(_, commands)| commands).map(|(name, _)| name).collect::<Vec<_>>();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all);
        assert_eq!(all, Cli::command().get_subcommands().count());
    }

    #[test]
    fn a_command_that_no_group_names_is_shown_too() {
        let command = Command::new("stoa").subcommand(Command::new("juggle").about("Keep balls in the air"));
        let help = grouped(command).render_help().to_string();
        assert!(help.contains("Modules:\n  juggle  Keep balls in the air\n"), "{help}");
    }
}
