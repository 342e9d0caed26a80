//! `stoa customer`: customers, as the operator manages them.

mod argument;
mod change;
mod create;
mod list;
mod password;
mod personal;
mod sessions;

use clap::Args;

pub(super) use argument::CustomerArgument;

use super::Context;
use super::commands::{Commands, Group, actions};

pub(in crate::cli) use password::read_password;

pub(super) fn register(commands: &mut Commands) {
    commands.add("customer", Group::Customers, Customer::run);
}

/// Manage customers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa customer create --email ada@example.com --name 'Ada Lovelace' --password-stdin < password.txt
  stoa customer list --search lovelace
  stoa customer anonymize --email ada@example.com")]
pub(super) struct Customer {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Customer:
    Create(create::Create),
    List(list::List),
    Show(list::Show),
    Edit(change::Edit),
    SetPassword(password::SetPassword),
    VerifyEmail(change::VerifyEmail),
    Sessions(sessions::Sessions),
    Export(personal::Export),
    Anonymize(personal::Anonymize),
}
