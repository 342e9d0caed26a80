//! `stoa token`: access tokens, as the operator gives them out and takes them back.

mod create;
mod list;
mod revoke;

use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::Value;
use stoa_core::tokens::TokenRecord;

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("token", Group::Customers, Token::run);
}

/// Manage access tokens.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa token create --customer ada@example.com --name 'Her laptop'
  stoa token create --customer ada@example.com --name Reports --ability orders.read --ip 10.0.0.0/8 --json
  stoa token list --customer ada@example.com
  stoa token revoke 17")]
pub(super) struct Token {
    #[command(subcommand)]
    action: Action,
}

actions! {
    Token:
    Create(create::Create),
    List(list::List),
    Show(list::Show),
    Revoke(revoke::Revoke),
}

/// A token as `--json` shows it.
fn describe(token: &TokenRecord, now: DateTime<Utc>) -> Result<Value, Failure> {
    let mut described = serde_json::to_value(token)?;
    described["expired"] = token.is_expired(now).into();
    Ok(described)
}
