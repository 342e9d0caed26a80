//! `stoa mail retry`.

use clap::Args;
use serde_json::json;
use stoa_core::mail::{RetryMailError, retry_mail};

use super::{Context, unknown};
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
