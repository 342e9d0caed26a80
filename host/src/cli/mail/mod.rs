//! `stoa mail`: what the shop has written to people, and whether it arrives.

mod list;
mod retry;
mod templates;
mod test;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use stoa_core::mail::Mail;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("mail", Group::OtherPrograms, MailCommand::run);
}

/// Look at the mails that the shop sends, and try whether they arrive.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa mail test --to owner@example.com
  stoa mail list --state failed
  stoa mail retry 42
  stoa mail templates mail")]
pub(super) struct MailCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Test(test::Test),
    List(list::List),
    Show(list::Show),
    Retry(retry::Retry),
    Resend(retry::Resend),
    Templates(templates::Templates),
}

impl MailCommand {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        match &self.action {
            Action::Test(test) => test.run(context).await,
            Action::List(list) => list.run(context).await,
            Action::Show(show) => show.run(context).await,
            Action::Retry(retry) => retry.run(context).await,
            Action::Resend(resend) => resend.run(context).await,
            Action::Templates(templates) => templates.run(context),
        }
    }
}

/// A mail as `--json` shows it.
fn describe(mail: &Mail) -> Value {
    json!({
        "id": mail.id,
        "kind": mail.kind,
        "recipient": mail.recipient,
        "subject": mail.subject,
        "language": mail.language,
        "state": mail.state.as_str(),
        "attempts": mail.attempts,
        "next_attempt_at": mail.next_attempt_at,
        "last_error": mail.last_error,
        "message_id": mail.message_id,
        "created_at": mail.created_at,
        "expires_at": mail.expires_at,
        "sent_at": mail.sent_at,
        "answer": mail.answer,
    })
}

/// What is said where there is no mail of this id.
fn unknown(id: i64) -> Failure {
    Failure::operation(format!("there is no mail {id}; `stoa mail list` shows those that there are"))
}
