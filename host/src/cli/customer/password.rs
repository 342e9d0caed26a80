//! A password on the command line, and `stoa customer set-password`.

use std::io::Read;

use clap::Args;
use stoa_core::customers::{ChangeCustomerError, PASSWORD_LENGTH, set_password};
use stoa_core::tokens::revoke_tokens_of;

use super::Context;
use super::chosen::Which;
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
    /// The password, if one was given, which must have at least `shortest` characters.
    pub(super) fn read(&self, shortest: usize) -> Result<Option<String>, Failure> {
        let password = if self.password_stdin {
            let mut text = String::new();
            std::io::stdin().take(MAX_LINE).read_to_string(&mut text).map_err(|error| {
                Failure::operation(format!("the password cannot be read from standard input: {error}"))
            })?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        } else {
            self.password.clone()
        };
        let longest = *PASSWORD_LENGTH.end();
        match &password {
            Some(text) if !(shortest..=longest).contains(&text.chars().count()) => {
                Err(Failure::usage(format!("the password must have {shortest} to {longest} characters")))
            }
            _ => Ok(password),
        }
    }
}

/// Set a customer's password and end their sessions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer set-password --email ada@example.com --password-stdin < password.txt
  stoa customer set-password 1001 --password-stdin --revoke-tokens < password.txt")]
pub(super) struct SetPassword {
    #[command(flatten)]
    which: Which,
    #[command(flatten)]
    source: PasswordSource,
    /// Revoke the customer's access tokens too.
    #[arg(long)]
    revoke_tokens: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl SetPassword {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let password = self.source.read(*PASSWORD_LENGTH.start())?;
        let password = password.ok_or_else(|| Failure::usage("--password-stdin or --password is required"))?;
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let account = self.which.chosen().with_account(&db).await?;
        let hash = installation.program.passwords.hash(password).await?;
        let done = db.write(async |tx| -> Result<(u64, usize), ChangeCustomerError> {
            let sessions = set_password(tx, account.id, &hash).await?;
            let tokens = if self.revoke_tokens { revoke_tokens_of(tx, account.id).await?.len() } else { 0 };
            Ok((sessions, tokens))
        });
        let (sessions, tokens) = done.await?;
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
