//! The program's own commands, as their files register them.

use std::pin::Pin;

use clap::{ArgMatches, Args, Command};

use super::Context;
use crate::failure::Failure;

/// What a command is for: the headings of the help, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Group {
    RunTheShop,
    Catalog,
    Customers,
    Selling,
    Data,
    OtherPrograms,
    BehindTheScenes,
    Authors,
    Shell,
}

impl Group {
    pub(super) fn heading(self) -> &'static str {
        match self {
            Self::RunTheShop => "Run the shop",
            Self::Catalog => "Catalog",
            Self::Customers => "Customers",
            Self::Selling => "Selling",
            Self::Data => "Data",
            Self::OtherPrograms => "Other programs",
            Self::BehindTheScenes => "Behind the scenes",
            Self::Authors => "For authors of modules",
            Self::Shell => "For your shell",
        }
    }
}

type Run = dyn for<'a> Fn(&'a ArgMatches, &'a Context) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>>;

/// A command, and where the help shows it.
pub(super) struct OwnCommand {
    pub(super) name: &'static str,
    pub(super) group: Group,
    describe: fn(Command) -> Command,
    run: Box<Run>,
}

/// The commands, in the order in which the help shows them.
#[derive(Default)]
pub(super) struct Commands(Vec<OwnCommand>);

impl Commands {
    /// Adds a command, whose arguments are described by `C`.
    pub(super) fn add<C: Args + 'static>(
        &mut self,
        name: &'static str,
        group: Group,
        run: impl AsyncFn(&C, &Context) -> Result<(), Failure> + Copy + 'static,
    ) {
        let run: Box<Run> = Box::new(move |matches, context| {
            Box::pin(async move {
                let command = C::from_arg_matches(matches).map_err(|error| Failure::usage(error.to_string()))?;
                run(&command, context).await
            })
        });
        self.0.push(OwnCommand { name, group, describe: C::augment_args, run });
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &OwnCommand> {
        self.0.iter()
    }

    /// Whether there is a command of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|command| command.name == name)
    }

    /// Adds them to the command line.
    pub(super) fn extend(&self, line: Command) -> Command {
        self.0.iter().fold(line, |line, own| line.subcommand((own.describe)(Command::new(own.name))))
    }

    /// Runs the command that was asked for, if it is one of these.
    pub(super) async fn run(&self, matches: &ArgMatches, context: &Context) -> Option<Result<(), Failure>> {
        let (name, matches) = matches.subcommand()?;
        let own = self.0.iter().find(|own| own.name == name)?;
        Some((own.run)(matches, context).await)
    }
}

/// Makes the actions of a command, whose `action` is the one that was chosen: each runs by itself.
macro_rules! actions {
    ($command:ident: $($action:ident($($kind:tt)+)),+ $(,)?) => {
        #[derive(Debug, clap::Subcommand)]
        enum Action {
            $($action($($kind)+)),+
        }

        impl $command {
            async fn run(&self, context: &$crate::cli::Context) -> Result<(), $crate::failure::Failure> {
                match &self.action {
                    // Some futures are large.
                    $(Action::$action(action) => Box::pin(action.run(context)).await),+
                }
            }
        }
    };
}

pub(super) use actions;
