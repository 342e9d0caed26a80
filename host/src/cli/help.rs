//! The list of commands in `stoa --help`, grouped by what they are for.

use std::fmt::Write;

use clap::Command;
use clap::builder::StyledStr;

use super::commands::Commands;

/// The heading of commands that are not the program's own: those of modules.
const REST: &str = "Modules";

/// The same command line, with its commands grouped in the help.
pub(super) fn grouped(command: Command, own: &Commands) -> Command {
    let groups = groups(&command, own);
    let template = template(&command, &groups);
    command.help_template(template)
}

/// Headings with names and descriptions of their commands.
type Groups = Vec<(&'static str, Vec<(String, String)>)>;

fn groups(command: &Command, own: &Commands) -> Groups {
    let mut groups = Groups::new();
    let mut add = |heading, name: &str| {
        let Some(found) = command.get_subcommands().find(|known| known.get_name() == name && !known.is_hide_set())
        else {
            return;
        };
        let described = (name.to_owned(), found.get_about().map(ToString::to_string).unwrap_or_default());
        match groups.last_mut().filter(|(last, _)| *last == heading) {
            Some((_, commands)) => commands.push(described),
            None => groups.push((heading, vec![described])),
        }
    };
    own.iter().for_each(|own| add(own.group.heading(), own.name));
    let others = command.get_subcommands().map(Command::get_name).filter(|name| !own.has(name) && *name != "help");
    others.for_each(|name| add(REST, name));
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
    use super::*;
    use crate::cli::own_commands;

    #[test]
    fn every_command_stands_in_one_group() {
        let own = own_commands();
        let groups = groups(&own.extend(Command::new("stoa")), &own);
        let mut headings = groups.iter().map(|(heading, _)| *heading).collect::<Vec<_>>();
        let all = headings.len();
        headings.sort_unstable();
        headings.dedup();
        assert_eq!(headings.len(), all, "a group is torn: {groups:?}");
        assert_eq!(groups.iter().flat_map(|(_, commands)| commands).count(), own.iter().count());
    }

    #[test]
    fn a_command_that_no_group_names_is_shown_too() {
        let command = Command::new("stoa").subcommand(Command::new("juggle").about("Keep balls in the air"));
        let help = grouped(command, &Commands::default()).render_help().to_string();
        assert!(help.contains("Modules:\n  juggle  Keep balls in the air\n"), "{help}");
    }
}
