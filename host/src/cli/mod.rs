//! The command line (contract 3).

mod amount;
mod backup;
mod catalog_change;
mod category;
mod check;
mod completions;
mod credit_note;
mod customer;
mod database;
mod discount;
mod doctor;
mod events;
mod export;
mod help;
mod import;
mod invoice;
mod jobs;
mod list_options;
mod migrate;
mod module_check;
mod module_commands;
mod modules;
mod new_module;
mod openapi;
mod order;
mod payment;
mod product;
mod question;
mod restore;
mod routes;
mod serve;
mod ticket;
mod token;
mod verify;
mod webhook;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use stoa_core::commands::printable;
use tokio::runtime::Runtime;

use self::module_commands::{Asked, ModuleCommands};
use crate::backup::{ARGUMENT, watch};
use crate::environment::Environment;
use crate::failure::{Failure, exit_code};
use crate::installation::{Installation, Purpose};

/// The online shop in one file.
#[derive(Debug, Parser)]
#[command(
    name = "stoa",
    version,
    propagate_version = true,
    subcommand_required = true,
    after_help = "`stoa COMMAND --help` tells more about a command, with examples.

Examples:
  stoa serve --demo                            try it out
  stoa check                                   look at your configuration and database
  stoa --config /etc/stoa/config.toml serve    run your own shop"
)]
struct Cli {
    /// The configuration file; `config.toml` in the working directory if there is one.
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Serve(serve::Serve),
    Worker(worker::Worker),
    Migrate(migrate::Migrate),
    Check(check::Check),
    Doctor(doctor::Doctor),
    Import(import::Import),
    Export(export::Export),
    Product(product::Product),
    Category(category::Category),
    Modules(modules::Modules),
    Module(module_check::ModuleCommandLine),
    NewModule(new_module::NewModule),
    Routes(routes::Routes),
    Openapi(openapi::Openapi),
    Customer(customer::Customer),
    Order(order::Order),
    Invoice(invoice::Invoice),
    CreditNote(credit_note::CreditNote),
    Payment(payment::Payment),
    Discount(discount::DiscountCommand),
    Database(database::Database),
    Backup(backup::Backup),
    Restore(restore::Restore),
    Token(token::Token),
    Webhook(webhook::Webhook),
    Ticket(ticket::Ticket),
    Jobs(jobs::Jobs),
    Events(events::Events),
    Verify(verify::Verify),
    Completions(completions::Completions),
}

/// What every command gets.
pub(crate) struct Context {
    pub(crate) environment: Environment,
    pub(crate) config: Option<PathBuf>,
    /// How the database that is configured wants to be opened.
    pub(crate) purpose: Purpose,
}

/// Parses the arguments, runs the command, and turns its end into an exit code.
pub(crate) fn run(environment: Environment) -> ExitCode {
    if environment.arguments.get(1).is_some_and(|first| first == ARGUMENT) {
        // Another process of this program restores a backup.
        watch(std::io::stdin().lock());
        return ExitCode::SUCCESS;
    }
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return ended(Err(error.into())),
    };
    let own = Cli::command();
    let asked = Asked::of(&environment);
    let purpose = runtime.block_on(asked.purpose(&environment));
    let modules = match ModuleCommands::load(&environment, &asked, purpose, &own) {
        Ok(modules) => modules,
        Err(failure) => return ended(Err(failure)),
    };
    if let Err(failure) = modules.refuse_switched_off(&asked) {
        return ended(Err(failure));
    }
    let mut command = help::grouped(modules.extend(own));
    let parsed = command.try_get_matches_from_mut(&environment.arguments);
    let parsed = parsed.and_then(|matches| match matches.subcommand_name() {
        Some(name) if !Command::has_subcommand(name) => Ok((matches, None)),
        _ => {
            Cli::from_arg_matches(&matches).map(|cli| (matches, Some(cli))).map_err(|error| error.format(&mut command))
        }
    });
    let (matches, cli) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = tip_for_help(error, &mut command, &environment, &asked);
            // Help and version go to standard output with code 0, mistakes to standard error with 2.
            let code = error.exit_code();
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    ended(match cli {
        Some(cli) => start(&runtime, cli.command, &Context { environment, config: cli.config, purpose }, &modules),
        None => start_module(&runtime, &modules, &matches, &environment),
    })
}

/// `stoa help ordr` is answered like `stoa ordr`: the parser has a tip for that alone.
fn tip_for_help(
    error: clap::Error,
    command: &mut clap::Command,
    environment: &Environment,
    asked: &Asked,
) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand || asked.command.as_deref() != Some("help") {
        return error;
    }
    let mut arguments = environment.arguments.clone();
    if let Some(place) = arguments.iter().position(|argument| argument == "help") {
        arguments.remove(place);
    }
    let told = command.try_get_matches_from_mut(arguments).err();
    told.filter(|told| told.kind() == ErrorKind::InvalidSubcommand).unwrap_or(error)
}

/// The exit code of a command, after its failure has been told.
fn ended(end: Result<(), Failure>) -> ExitCode {
    let Err(failure) = end else { return ExitCode::SUCCESS };
    let text = failure.to_string();
    if !text.is_empty() {
        eprintln!("stoa: {}", printable(&text, &['\n', '\t']));
    }
    exit_code(&failure)
}

fn start_module(
    runtime: &Runtime,
    modules: &ModuleCommands,
    matches: &clap::ArgMatches,
    environment: &Environment,
) -> Result<(), Failure> {
    let ran = runtime.block_on(modules.run(matches, environment));
    ran.unwrap_or_else(|| Err(Failure::usage("this command is unknown; `stoa --help` shows all")))
}

fn start(runtime: &Runtime, command: Command, context: &Context, modules: &ModuleCommands) -> Result<(), Failure> {
    runtime.block_on(async {
        match command {
            Command::Serve(command) => command.run(context).await,
            Command::Worker(command) => command.run(context).await,
            Command::Migrate(command) => command.run(context).await,
            Command::Check(command) => command.run(context).await,
            Command::Doctor(command) => command.run(context).await,
            Command::Import(command) => command.run(context).await,
            Command::Export(command) => command.run(context).await,
            Command::Product(command) => command.run(context).await,
            Command::Category(command) => command.run(context).await,
            Command::Modules(command) => command.run(context),
            Command::Module(command) => command.run(context).await,
            Command::NewModule(command) => command.run(context),
            Command::Routes(command) => command.run(context),
            Command::Openapi(command) => command.run(context),
            Command::Customer(command) => command.run(context).await,
            Command::Order(command) => command.run(context).await,
            Command::Invoice(command) => command.run(context).await,
            Command::CreditNote(command) => command.run(context).await,
            Command::Payment(command) => command.run(context).await,
            Command::Discount(command) => command.run(context).await,
            Command::Database(command) => command.run(context).await,
            Command::Backup(command) => command.run(context).await,
            Command::Restore(command) => command.run(context).await,
            Command::Token(command) => command.run(context).await,
            Command::Webhook(command) => command.run(context).await,
            Command::Ticket(command) => command.run(context).await,
            Command::Jobs(command) => command.run(context).await,
            Command::Events(command) => command.run(context).await,
            Command::Verify(command) => command.run(context).await,
            Command::Completions(command) => command.run(modules.extend(Cli::command())),
        }
    })
}

impl Context {
    /// Loads the configuration and the program.
    pub(crate) fn installation(&self, purpose: Purpose) -> Result<Installation, Failure> {
        Installation::load(&self.environment, self.config.clone(), purpose)
    }

    /// The same, as its database wants to be opened.
    pub(crate) fn working(&self) -> Result<Installation, Failure> {
        self.installation(self.purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is no object: what runs until it is stopped, and what is made for another program.
    const WITHOUT_JSON: [&str; 5] = ["completions", "credit-note pdf", "invoice pdf", "serve", "worker"];

    fn without_json(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
            without_json(below, format!("{path} {}", below.get_name()).trim_start(), found);
        }
        let takes_json = command.get_arguments().any(|argument| argument.get_long() == Some("json"));
        if !takes_json && !command.has_subcommands() {
            found.push(path.to_owned());
        }
    }

    #[test]
    fn whatever_a_command_reads_or_changes_it_prints_as_json_too() {
        let mut command = Cli::command();
        command.build();
        let mut found = Vec::new();
        without_json(&command, "", &mut found);
        found.sort_unstable();
        assert_eq!(found, WITHOUT_JSON);
    }
}
