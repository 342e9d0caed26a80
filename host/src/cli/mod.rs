//! The command line (contract 3).

mod amount;
mod audit;
mod backup;
mod catalog_change;
mod category;
mod check;
mod commands;
mod completions;
#[cfg(test)]
mod console_acts;
mod credit_note;
mod customer;
mod database;
mod discount;
mod doctor;
mod events;
mod export;
mod help;
mod import;
mod init;
mod invoice;
mod jobs;
mod list_options;
mod local_address;
mod mail;
mod man;
mod migrate;
mod module_check;
mod module_commands;
mod modules;
mod new_module;
mod one_of;
mod openapi;
mod order;
mod payment;
mod product;
mod question;
mod report;
mod restore;
mod routes;
mod serve;
mod staff;
mod ticket;
mod token;
mod unseen;
mod verify;
mod webhook;
mod withdrawal;
mod worker;
mod wrong_number;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser};
use stoa_core::commands::{Output, printable};
use stoa_core::config::TelemetryConfig;
use tracing::Instrument;

use self::commands::Commands;
use self::module_commands::{CommandLine, ModuleCommands};
use self::wrong_number::number_in_words;
use crate::backup::{ARGUMENT, watch};
use crate::environment::Environment;
use crate::failure::{Failure, exit_code, without_number};
use crate::installation::{Installation, OpenMode};
use crate::output::print_remark;
use crate::telemetry::Telemetry;

/// The online shop in one file.
#[derive(Debug, Parser)]
#[command(
    name = "stoa",
    version,
    propagate_version = true,
    subcommand_required = true,
    arg_required_else_help = true,
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
}

/// The program's own commands.
fn own_commands() -> Commands {
    let mut commands = Commands::default();
    init::register(&mut commands);
    serve::register(&mut commands);
    worker::register(&mut commands);
    staff::register(&mut commands);
    audit::register(&mut commands);
    migrate::register(&mut commands);
    check::register(&mut commands);
    doctor::register(&mut commands);
    verify::register(&mut commands);
    import::register(&mut commands);
    export::register(&mut commands);
    product::register(&mut commands);
    category::register(&mut commands);
    customer::register(&mut commands);
    token::register(&mut commands);
    ticket::register(&mut commands);
    order::register(&mut commands);
    withdrawal::register(&mut commands);
    payment::register(&mut commands);
    invoice::register(&mut commands);
    credit_note::register(&mut commands);
    discount::register(&mut commands);
    report::register(&mut commands);
    backup::register(&mut commands);
    restore::register(&mut commands);
    database::register(&mut commands);
    webhook::register(&mut commands);
    mail::register(&mut commands);
    jobs::register(&mut commands);
    events::register(&mut commands);
    modules::register(&mut commands);
    routes::register(&mut commands);
    openapi::register(&mut commands);
    new_module::register(&mut commands);
    module_check::register(&mut commands);
    completions::register(&mut commands);
    man::register(&mut commands);
    commands
}

/// The command line without the commands of modules.
fn own_line(commands: &Commands) -> clap::Command {
    commands.extend(Cli::command())
}

/// What every command gets.
pub(crate) struct Context {
    pub(crate) environment: Environment,
    pub(crate) config: Option<PathBuf>,
    /// How the database that is configured wants to be opened.
    pub(crate) purpose: OpenMode,
    /// All that can be asked for, by modules too.
    described: clap::Command,
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
    let own = own_commands();
    let asked = CommandLine::of(&environment);
    // What is wrong with it is told by those who need it.
    let config = Installation::config(&environment, asked.config.clone()).ok().map(|loaded| loaded.config);
    let purpose = runtime.block_on(asked.purpose(config.as_ref()));
    let modules = match ModuleCommands::load(&environment, &asked, purpose, &own) {
        Ok(modules) => modules,
        Err(failure) => return ended(Err(failure)),
    };
    if let Err(failure) = modules.refuse_switched_off(&asked) {
        return ended(Err(failure));
    }
    let described = modules.extend(own_line(&own));
    let mut command = help::grouped(described.clone(), &own);
    let parsed = command.try_get_matches_from_mut(&environment.arguments);
    let (matches, cli) = match parsed.and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (matches, cli))) {
        Ok(parsed) => parsed,
        Err(error) => {
            let error = number_in_words(tip_for_help(error, &mut command, &environment, &asked), &command);
            // Help and version go to standard output with code 0, mistakes to standard error with 2.
            let code = error.exit_code();
            let _ = error.print();
            return ExitCode::from(u8::try_from(code).unwrap_or(2));
        }
    };
    let context = Context { environment, config: cli.config, purpose, described };
    let telemetry = config.map(|config| config.telemetry).filter(TelemetryConfig::is_on);
    ended(runtime.block_on(traced(&matches, telemetry.as_ref(), async {
        if let Some(ran) = own.run(&matches, &context).await {
            return ran;
        }
        let ran = modules.run(&matches, &context.environment).await;
        ran.unwrap_or_else(|| Err(Failure::usage("this command is unknown; `stoa --help` shows all")))
    })))
}

/// Runs a command in a trace of its own, if traces are collected. What runs for long makes one for each thing that it does.
async fn traced(
    matches: &ArgMatches,
    telemetry: Option<&TelemetryConfig>,
    run: impl Future<Output = Result<(), Failure>>,
) -> Result<(), Failure> {
    let mut words = Vec::new();
    let mut inner = matches;
    while let Some((word, more)) = inner.subcommand() {
        words.push(word);
        inner = more;
    }
    let Some(config) = telemetry.filter(|_| !matches!(words.as_slice(), ["serve" | "worker"])) else {
        return run.await;
    };
    let telemetry = Telemetry::of_command(config)?;
    let ran = run.instrument(tracing::info_span!("command", command = words.join(" "))).await;
    telemetry.stop().await;
    ran
}

/// `stoa help ordr` is answered like `stoa ordr`: the parser has a tip for that alone.
fn tip_for_help(
    error: clap::Error,
    command: &mut clap::Command,
    environment: &Environment,
    asked: &CommandLine,
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
    let text = without_number(failure.to_string());
    if !text.is_empty() {
        let text = format!("stoa: {}", printable(&text, &['\n', '\t']));
        print_remark(&Output::standard_error().folded(&text, 0));
    }
    exit_code(&failure)
}

impl Context {
    /// Loads the configuration and the program.
    pub(crate) fn installation(&self, purpose: OpenMode) -> Result<Installation, Failure> {
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
    const WITHOUT_JSON: [&str; 8] =
        ["completions", "credit-note pdf", "credit-note xml", "invoice pdf", "invoice xml", "man", "serve", "worker"];

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
        let mut command = own_line(&own_commands());
        command.build();
        let mut found = Vec::new();
        without_json(&command, "", &mut found);
        found.sort_unstable();
        assert_eq!(found, WITHOUT_JSON);
    }
}
