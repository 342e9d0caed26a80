//! `stoa customer`: customers, as the operator manages them.

use std::io::Read;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, NewCustomer, create_customer};

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Manage customers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer create --email ada@example.com --name 'Ada Lovelace' --password-stdin < password.txt")]
pub(super) struct Customer {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Create(Create),
}

/// Create a customer.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa customer create --email ada@example.com --name 'Ada Lovelace' --password-stdin < password.txt\n  stoa customer create --email ada@example.com --name 'Ada Lovelace' --verified --json"
)]
struct Create {
    /// The e-mail address, which is the login name.
    #[arg(long)]
    email: String,
    /// The customer's name.
    #[arg(long)]
    name: String,
    /// The password; other users of this machine may see it in the list of processes.
    #[arg(long, conflicts_with = "password_stdin")]
    password: Option<String>,
    /// Read the password from standard input, up to the first line break.
    #[arg(long)]
    password_stdin: bool,
    /// Count the e-mail address as verified.
    #[arg(long)]
    verified: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Customer {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Action::Create(create) => create.run(context).await,
        }
    }
}

impl Create {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let password = self.password()?;
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let password_hash = match password {
            Some(password) => Some(installation.program.passwords.hash(password).await?),
            None => None,
        };
        let new =
            NewCustomer { email: self.email.clone(), name: self.name.clone(), password_hash, verified: self.verified };
        let customer = create_customer(&db, new).await?;
        if self.json {
            return print_json(&describe(&customer));
        }
        print_line(&format!("created customer {} ({})", customer.id, customer.email))
    }

    fn password(&self) -> Result<Option<String>, Failure> {
        let password = if self.password_stdin {
            let mut text = String::new();
            std::io::stdin().take(8192).read_to_string(&mut text)?;
            Some(text.lines().next().unwrap_or_default().to_owned())
        } else {
            self.password.clone()
        };
        if password.as_deref() == Some("") {
            return Err(Failure::usage("the password must not be empty"));
        }
        Ok(password)
    }
}

fn describe(customer: &CustomerRecord) -> Value {
    json!({
        "id": customer.id,
        "name": customer.name,
        "email": customer.email,
        "email_verified": customer.email_verified_at.is_some(),
        "user_id": customer.user_id,
        "created_at": customer.created_at,
    })
}
