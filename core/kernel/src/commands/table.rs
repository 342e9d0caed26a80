//! The commands that modules have registered.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use clap::ArgMatches;

use super::command::{CommandContext, ModuleCommand};
use super::failure::Failure;

type CommandFuture<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 'a>>;

/// The object-safe twin of [`ModuleCommand`].
trait ErasedCommand: Send + Sync {
    fn describe(&self) -> clap::Command;
    fn run<'a>(&'a self, matches: &'a ArgMatches, cx: &'a CommandContext) -> CommandFuture<'a>;
}

struct WithState<C: ModuleCommand>(C::State);

impl<C: ModuleCommand> ErasedCommand for WithState<C> {
    fn describe(&self) -> clap::Command {
        C::augment_args(clap::Command::new(C::NAME))
    }

    fn run<'a>(&'a self, matches: &'a ArgMatches, cx: &'a CommandContext) -> CommandFuture<'a> {
        Box::pin(async move {
            let command = C::from_arg_matches(matches).map_err(|error| Failure::usage(error.to_string()))?;
            command.run(&self.0, cx).await
        })
    }
}

/// A command and the module it belongs to.
pub struct RegisteredCommand {
    /// The module.
    pub owner: &'static str,
    /// [`ModuleCommand::NAME`].
    pub name: &'static str,
    /// Whether the module is on; the commands of one that is off cannot be run.
    pub enabled: bool,
    command: Box<dyn ErasedCommand>,
}

impl fmt::Debug for RegisteredCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stoa {} (of `{}`)", self.name, self.owner)
    }
}

impl RegisteredCommand {
    /// The command's arguments and help, for the parser.
    pub fn describe(&self) -> clap::Command {
        self.command.describe()
    }

    /// Runs it with what the parser has found.
    pub async fn run(&self, matches: &ArgMatches, cx: &CommandContext) -> Result<(), Failure> {
        self.command.run(matches, cx).await
    }
}

/// All commands of modules, in the order of registration.
#[derive(Debug, Default)]
pub struct CommandTable(Vec<RegisteredCommand>);

impl CommandTable {
    pub(crate) fn add<C: ModuleCommand>(
        &mut self,
        owner: &'static str,
        enabled: bool,
        state: C::State,
    ) -> Result<(), String> {
        if let Some(other) = self.find(C::NAME) {
            return Err(format!("the command `{}` is registered by both `{}` and `{owner}`", C::NAME, other.owner));
        }
        self.0.push(RegisteredCommand { owner, name: C::NAME, enabled, command: Box::new(WithState::<C>(state)) });
        Ok(())
    }

    /// The command of this name, of a module that is on or off.
    pub fn find(&self, name: &str) -> Option<&RegisteredCommand> {
        self.0.iter().find(|command| command.name == name)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &RegisteredCommand> {
        self.0.iter()
    }
}
