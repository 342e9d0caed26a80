//! `stoa completions`: scripts that let a shell complete this command line.

use clap::Args;
use clap_complete::Shell;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::print_bytes;

pub(super) fn register(commands: &mut Commands) {
    commands.add("completions", Group::Shell, async |command: &Completions, context: &Context| command.run(context));
}

/// Print a completion script for a shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa completions bash > /etc/bash_completion.d/stoa
  stoa completions zsh > \"${fpath[1]}/_stoa\"
  stoa completions fish > ~/.config/fish/completions/stoa.fish")]
pub(super) struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    fn run(&self, context: &Context) -> Result<(), Failure> {
        let mut command = context.described.clone();
        let name = command.get_name().to_owned();
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        print_bytes(&script)
    }
}
