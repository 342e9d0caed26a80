//! The commands that modules have registered.

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use clap::ArgMatches;

use super::command::{Bench, CommandContext, ModuleCommand, ModuleTool};
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

/// A [`ModuleTool`] by its type.
type RunTool = fn(&ArgMatches, &Bench) -> Result<(), Failure>;

fn run_tool<T: ModuleTool>(matches: &ArgMatches, bench: &Bench) -> Result<(), Failure> {
    T::from_arg_matches(matches).map_err(|error| Failure::usage(error.to_string()))?.run(bench)
}

enum Kind {
    InShop(Box<dyn ErasedCommand>),
    Tool(fn() -> clap::Command, RunTool),
}

/// A command and the module it belongs to.
pub struct RegisteredCommand {
    /// The module.
    pub owner: &'static str,
    /// [`ModuleCommand::NAME`] or [`ModuleTool::NAME`].
    pub name: &'static str,
    /// Whether it can be run: commands of a module that is off cannot, but for those that need no shop.
    pub enabled: bool,
    kind: Kind,
}

impl fmt::Debug for RegisteredCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stoa {} (of `{}`)", self.name, self.owner)
    }
}

impl RegisteredCommand {
    /// The command's arguments and help, for the parser.
    pub fn describe(&self) -> clap::Command {
        match &self.kind {
            Kind::InShop(command) => command.describe(),
            Kind::Tool(describe, _) => describe(),
        }
    }

    /// Runs it with what the parser has found. What it works with is opened only if it needs a shop.
    pub async fn run<F>(&self, matches: &ArgMatches, bench: Bench, open: impl FnOnce(Bench) -> F) -> Result<(), Failure>
    where
        F: Future<Output = Result<CommandContext, Failure>>,
    {
        match &self.kind {
            Kind::InShop(command) => command.run(matches, &open(bench).await?).await,
            Kind::Tool(_, run) => run(matches, &bench),
        }
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
        let kind = Kind::InShop(Box::new(WithState::<C>(state)));
        self.push(RegisteredCommand { owner, name: C::NAME, enabled, kind })
    }

    pub(crate) fn add_tool<T: ModuleTool>(&mut self, owner: &'static str) -> Result<(), String> {
        let describe = || T::augment_args(clap::Command::new(T::NAME));
        self.push(RegisteredCommand { owner, name: T::NAME, enabled: true, kind: Kind::Tool(describe, run_tool::<T>) })
    }

    fn push(&mut self, command: RegisteredCommand) -> Result<(), String> {
        let RegisteredCommand { owner, name, .. } = command;
        if let Some(other) = self.find(name) {
            return Err(format!("the command `{name}` is registered by both `{}` and `{owner}`", other.owner));
        }
        self.0.push(command);
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
