//! `stoa mail retry` and `resend`.

use clap::Args;
use serde_json::json;
use stoa_core::from_shop::FromShop;
use stoa_core::mail::{Mailer, ResendMailError, RetryMailError, resend_mail, retry_mail};

use super::{Context, unknown};
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Try a mail again that has failed or waits, its attempts counted anew.
#[derive(Debug, Args)]
#[command(after_help = "A worker sends it at once, where one runs.

Examples:
  stoa mail retry 42
  stoa mail retry 42 --json")]
pub(super) struct Retry {
    /// The mail's id.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Retry {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        retry_mail(&db, self.id).await.map_err(|error| match error {
            RetryMailError::Unknown(id) => unknown(id),
            RetryMailError::Sent(_)
            | RetryMailError::InFlight(_)
            | RetryMailError::Expired(_)
            | RetryMailError::Db(_) => error.into(),
        })?;
        if self.json {
            return print_json(&json!({ "id": self.id, "state": "pending" }));
        }
        print_line(&format!("mail {} will be tried again", self.id))
    }
}

/// Send a mail once more that was sent, with the same words.
#[derive(Debug, Args)]
#[command(
    after_help = "One about an order goes to the address that its customer has now, all others to where they went. A worker sends
it at once, where one runs.

Examples:
  stoa mail resend 42
  stoa mail resend 42 --json"
)]
pub(super) struct Resend {
    /// The mail's id.
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Resend {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let sent = resend_mail(&parts.db, &Mailer::from_shop(&parts), self.id).await;
        let (new, recipient) = sent.map_err(|error| match error {
            ResendMailError::Unknown(id) => unknown(id),
            other => other.into(),
        })?;
        if self.json {
            return print_json(&json!({ "id": new, "resent": self.id, "recipient": recipient, "state": "pending" }));
        }
        print_line(&format!("mail {} is sent once more to {recipient}, as mail {new}", self.id))
    }
}
