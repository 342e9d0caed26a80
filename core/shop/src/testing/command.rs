//! Commands of modules in a test.

use std::future::ready;
use std::path::PathBuf;

use serde_json::Value;

use stoa_kernel::commands::{Bench, CommandContext, Failure, Output};

use crate::program::Shop;

/// How a command has ended.
#[derive(Debug)]
pub struct CommandEnd {
    /// The exit code.
    pub code: u8,
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error.
    pub error: String,
}

impl CommandEnd {
    fn of(result: Result<(), Failure>, output: &Output) -> Self {
        match result {
            Ok(()) => Self { code: 0, output: output.text(), error: String::new() },
            Err(failure) => Self { code: failure.code(), output: output.text(), error: failure.to_string() },
        }
    }

    /// What it wrote; it must have succeeded.
    pub fn expect_success(self) -> String {
        assert_eq!(self.code, 0, "{self:?}");
        self.output
    }

    /// What it said; it must have ended with this code.
    pub fn expect_failure(self, code: u8) -> String {
        assert_eq!(self.code, code, "{self:?}");
        self.error
    }

    /// What it wrote, as JSON, however it has ended.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.output).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Parses and runs a command of a module that is on.
pub(super) async fn run_command(shop: &Shop, folder: PathBuf, arguments: &[&str]) -> CommandEnd {
    let commands = &shop.registry.commands;
    let own = clap::Command::new("stoa").subcommand_required(true);
    let parser = commands.iter().filter(|known| known.enabled).fold(own, |own, known| own.subcommand(known.describe()));
    let output = Output::kept();
    let matches = match parser.try_get_matches_from([&["stoa"], arguments].concat()) {
        Ok(matches) => matches,
        Err(error) => return CommandEnd::of(Err(Failure::usage(error.to_string())), &output),
    };
    let (name, matches) = matches.subcommand().expect("a command is required");
    let command = commands.find(name).expect("the parser knows no others");
    let bench = Bench { folder, output: output.clone() };
    let open = |bench: Bench| {
        ready(Ok(CommandContext { parts: shop.parts.clone(), folder: bench.folder, output: bench.output }))
    };
    CommandEnd::of(command.run(matches, bench, open).await, &output)
}
