//! A password on the command line, and `stoa customer set-password`.

use std::io::{BufRead, IsTerminal, Read, Write, stderr};

use clap::Args;
use stoa_core::auth::WeakPassword;
use stoa_core::config::Config;
use stoa_core::customers::{ChangeCustomerError, EndedAccess, PASSWORD_LENGTH, is_guessable, set_password};

use super::Context;
use super::argument::Which;
use crate::cli::unseen::Unseen;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Bytes that are read in search of a line break. No accepted password is as long.
const MAX_LINE: u64 = 8192;

/// Where a password comes from.
#[derive(Debug, Args)]
#[group(multiple = false)]
pub(super) struct PasswordSource {
    /// The password; other users of this machine may see it in the list of processes.
    #[arg(long)]
    password: Option<String>,
    /// Read the password from standard input, up to the first line break.
    #[arg(long)]
    password_stdin: bool,
}

impl PasswordSource {
    /// The password, if one was given, which must be as long as one that customers choose.
    pub(super) fn read(&self) -> Result<Option<String>, Failure> {
        let password = if self.password_stdin { Some(read_password()?) } else { self.password.clone() };
        match &password {
            Some(text) if !PASSWORD_LENGTH.contains(&text.chars().count()) => {
                Err(Failure::usage(WeakPassword::Length(PASSWORD_LENGTH).to_string()))
            }
            _ => Ok(password),
        }
    }
}

/// Reads a password from standard input, up to the first line break.
pub(in crate::cli) fn read_password() -> Result<String, Failure> {
    let unseen = std::io::stdin().is_terminal().then(|| {
        // Who reads no questions may answer them all the same.
        let _ = write!(stderr(), "Password (not shown): ");
        Unseen::begin()
    });
    let mut line = String::new();
    let read = std::io::stdin().lock().take(MAX_LINE).read_line(&mut line);
    if unseen.is_some() {
        let _ = writeln!(stderr());
    }
    read.map_err(|error| Failure::operation(format!("the password cannot be read from standard input: {error}")))?;
    Ok(line.lines().next().unwrap_or_default().to_owned())
}

/// Refuses a password that whoever guesses tries first.
pub(super) fn refuse_guessable(password: &str, email: &str, config: &Config) -> Result<(), Failure> {
    if is_guessable(password, email, &config.shop.name) {
        return Err(Failure::usage(WeakPassword::Guessable.to_string()));
    }
    Ok(())
}

/// Set a customer's password and end their sessions and access tokens.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer set-password --email ada@example.com --password-stdin < password.txt
  stoa customer set-password 1001 --password-stdin --json < password.txt")]
pub(super) struct SetPassword {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    source: PasswordSource,
    /// Access tokens end in any case; this is taken for scripts that were written before.
    #[arg(long, hide = true)]
    revoke_tokens: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl SetPassword {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let password = self.source.read()?;
        let password = password.ok_or_else(|| Failure::usage("--password-stdin or --password is required"))?;
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let account = self.which.chosen().with_account(&db).await?;
        refuse_guessable(&password, &account.email, &installation.program.config)?;
        let hash = installation.program.passwords.hash(password).await?;
        let set = db.write(async |tx| -> Result<EndedAccess, ChangeCustomerError> {
            set_password(tx, account.id, &hash).await
        });
        let EndedAccess { sessions, tokens } = set.await?;
        if self.json {
            let mut described = self.which.chosen().find(&db).await?.to_json();
            described["sessions_ended"] = sessions.into();
            described["tokens_revoked"] = tokens.into();
            return print_json(&described);
        }
        print_line(&format!(
            "set the password of customer {} ({}); sessions ended: {sessions}, access tokens revoked: {tokens}",
            account.id, account.email
        ))
    }
}
