//! Commands of modules: `stoa <module> …`.
//!
//! Which there are depends on the configuration, so it is loaded before the arguments are parsed; but only when the command
//! is not one of the program's own.

use std::path::PathBuf;

use clap::{ArgMatches, Command};
use stoa_core::commands::{Bench, CommandContext, Output};
use stoa_core::config::Config;

use super::commands::Commands;
use super::serve::base_url;
use crate::demo;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::installation::{Installation, OpenMode};

/// The first argument that is not an option, and the configuration file that is named before it.
pub(super) struct CommandLine {
    pub(super) command: Option<String>,
    pub(super) config: Option<PathBuf>,
}

impl CommandLine {
    pub(super) fn of(environment: &Environment) -> Self {
        let mut asked = Self { command: None, config: None };
        let mut arguments = environment.arguments.iter().skip(1);
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            if text == "--config" {
                asked.config = arguments.next().map(PathBuf::from);
            } else if let Some(file) = text.strip_prefix("--config=") {
                asked.config = Some(PathBuf::from(file));
            } else if !text.starts_with('-') && asked.command.is_none() {
                asked.command = Some(text.into_owned());
            }
        }
        asked
    }

    /// How the database that is configured wants to be opened. `serve` says so itself, and where no command is given or a
    /// crate is written, none is opened.
    pub(super) async fn purpose(&self, config: Option<&Config>) -> OpenMode {
        match (self.command.as_deref(), config) {
            (None | Some("serve" | "new-module"), _) | (_, None) => OpenMode::Configured,
            (Some(_), Some(config)) => demo::purpose_of(config).await,
        }
    }

    /// Whether the answer depends on which modules there are: their commands, the help, and completions.
    fn concerns_modules(&self, own: &Commands) -> bool {
        match self.command.as_deref() {
            None | Some("help" | "completions" | "man") => true,
            Some(name) => !own.has(name),
        }
    }
}

/// The commands of the modules that are on, added to the program's own.
pub(super) struct ModuleCommands {
    installation: Option<Installation>,
}

impl ModuleCommands {
    /// Loads what is needed to know them; nothing when one of the program's own commands is asked for.
    pub(super) fn load(
        environment: &Environment,
        asked: &CommandLine,
        purpose: OpenMode,
        own: &Commands,
    ) -> Result<Self, Failure> {
        if !asked.concerns_modules(own) {
            return Ok(Self { installation: None });
        }
        match (Installation::load(environment, asked.config.clone(), purpose), &asked.command) {
            (Ok(installation), _) => Ok(Self { installation: Some(installation) }),
            // Help is given all the same, about what is always there.
            (Err(_), None) => Ok(Self { installation: None }),
            (Err(_), Some(name)) if matches!(name.as_str(), "help" | "completions" | "man") => {
                Ok(Self { installation: None })
            }
            (Err(failure), Some(_)) => Err(failure),
        }
    }

    /// Adds the commands.
    pub(super) fn extend(&self, own: Command) -> Command {
        let Some(installation) = &self.installation else { return own };
        let commands = installation.program.registry.commands.iter().filter(|command| command.enabled);
        commands.fold(own, |own, command| own.subcommand(command.describe()))
    }

    /// Refuses the command of a module that is off, with what switches it on.
    pub(super) fn refuse_switched_off(&self, asked: &CommandLine) -> Result<(), Failure> {
        let Some((installation, name)) = self.installation.as_ref().zip(asked.command.as_ref()) else { return Ok(()) };
        match installation.program.registry.commands.find(name) {
            Some(command) if !command.enabled => Err(Failure::usage(format!(
                "`stoa {name}` belongs to the module `{owner}`, which is off; switch it on with `enabled = true` under \
                 `[modules.{owner}]` in the configuration",
                owner = command.owner
            ))),
            _ => Ok(()),
        }
    }

    /// Runs the command of a module, if that is what was asked for.
    pub(super) async fn run(&self, matches: &ArgMatches, environment: &Environment) -> Option<Result<(), Failure>> {
        let (installation, (name, matches)) = self.installation.as_ref().zip(matches.subcommand())?;
        let command = installation.program.registry.commands.find(name)?;
        let bench = Bench { folder: environment.working_directory.clone(), output: Output::standard() };
        Some(command.run(matches, bench, |bench| open(installation, bench)).await)
    }
}

async fn open(installation: &Installation, bench: Bench) -> Result<CommandContext, Failure> {
    let db = installation.open_current().await?;
    let base_url = base_url(&installation.config, installation.config.server.listen);
    let parts = installation.parts(db, &base_url).await?;
    Ok(CommandContext { parts, folder: bench.folder, output: bench.output })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;
    use crate::cli::own_commands;

    fn asked(arguments: &[&str]) -> CommandLine {
        CommandLine::of(&Environment {
            arguments: arguments.iter().map(OsString::from).collect(),
            variables: Vec::new(),
            working_directory: PathBuf::new(),
            executable: None,
        })
    }

    #[test]
    fn the_command_and_the_configuration_are_found_wherever_they_stand() {
        for arguments in [
            &["stoa", "--config", "a.toml", "tea", "pour"][..],
            &["stoa", "--config=a.toml", "tea"],
            &["stoa", "tea", "pour", "--config", "a.toml"],
        ] {
            let asked = asked(arguments);
            assert_eq!(asked.command.as_deref(), Some("tea"), "{arguments:?}");
            assert_eq!(asked.config, Some(PathBuf::from("a.toml")), "{arguments:?}");
        }
    }

    #[test]
    fn only_commands_that_are_not_the_programs_own_need_the_configuration() {
        let own = own_commands();
        assert!(!asked(&["stoa", "serve", "--demo"]).concerns_modules(&own));
        assert!(!asked(&["stoa", "order", "list"]).concerns_modules(&own));
        assert!(asked(&["stoa", "tea"]).concerns_modules(&own));
        assert!(asked(&["stoa", "--help"]).concerns_modules(&own));
        assert!(asked(&["stoa", "completions", "bash"]).concerns_modules(&own));
    }
}
