//! `stoa man`: the manual pages of this command line.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("man", Group::Shell, async |command: &Man, context: &Context| command.run(context));
}

/// Write manual pages into a folder, one for each command.
#[derive(Debug, Args)]
#[command(after_help = "The pages say what `--help` says. Those of modules are there for modules that are on.

Examples:
  stoa man man/man1
  MANPATH=man: man stoa-order-refund")]
pub(super) struct Man {
    /// The folder, which is made if need be. Pages that are there are replaced.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let failed = |error| Failure::operation(format!("cannot write to {}: {error}", self.folder.display()));
        fs::create_dir_all(&self.folder).map_err(failed)?;
        clap_mangen::generate_to(context.described.clone(), &self.folder).map_err(failed)
    }
}
