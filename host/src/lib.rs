//! Stoa's host: the command line, the server and the list of linked modules.
//!
//! A program of one's own calls [`run`] after linking its modules with `use the_module as _;`.

mod backup;
mod cli;
mod demo;
mod environment;
mod failure;
mod holdings;
mod installation;
mod modules;
mod output;
pub mod server;
pub mod shutdown;
mod telemetry;
mod written_file;

use std::process::ExitCode;

/// Runs the command line of this process to its end: exit code 0 for success, 1 when the operation
/// failed, 2 for wrong usage or configuration (contract 1).
pub fn run() -> ExitCode {
    cli::run(environment::Environment::of_process())
}
