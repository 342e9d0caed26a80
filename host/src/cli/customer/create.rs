//! `stoa customer create`.

use clap::Args;
use stoa_core::customers::{CreateCustomerError, NewCustomer, create_customer, find_account};

use super::Context;
use super::change::{email, name, taken};
use super::password::{PasswordSource, refuse_guessable};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Create a customer.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa customer create --email ada@example.com --name 'Ada Lovelace' --password-stdin < password.txt\n  stoa customer create --email ada@example.com --name 'Ada Lovelace' --verified --json"
)]
pub(super) struct Create {
    /// The e-mail address, which is the login name.
    #[arg(long, value_parser = email)]
    email: String,
    /// The customer's name.
    #[arg(long, value_parser = name)]
    name: String,
    #[command(flatten)]
    source: PasswordSource,
    /// Count the e-mail address as verified.
    #[arg(long)]
    verified: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let password = self.source.read()?;
        let installation = context.working()?;
        if let Some(password) = &password {
            refuse_guessable(password, &self.email, &installation.program.config)?;
        }
        let db = installation.open_current().await?;
        let has_password = password.is_some();
        let password_hash = match password {
            Some(password) => Some(installation.program.passwords.hash(password).await?),
            None => None,
        };
        let new =
            NewCustomer { email: self.email.clone(), name: self.name.clone(), password_hash, verified: self.verified };
        let customer = create_customer(&db, new).await.map_err(|error| match error {
            CreateCustomerError::Taken(email) => taken(&email),
            error => error.into(),
        })?;
        if self.json {
            let account = find_account(&db, customer.id).await?;
            let account = account.ok_or_else(|| Failure::operation("the customer was removed at once"))?;
            return print_json(&account.to_json());
        }
        print_line(&format!("created customer {} ({})", customer.id, customer.email))?;
        if has_password {
            return Ok(());
        }
        print_line(&format!(
            "There is no password yet, so nobody can log in: `stoa customer set-password --email {}` sets one.",
            customer.email
        ))
    }
}
