//! `stoa webhook test`.

use clap::Args;
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::webhooks::{Outcome, send_test};

use super::{Context, Opened, open};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Send a signed test message to an endpoint now, and tell what came of it.
#[derive(Debug, Args)]
#[command(
    after_help = "The message has the type webhook.test. It is sent once, to endpoints that are disabled too, and is not
listed among the deliveries. Exit code 0: it was answered with 2xx.

Examples:
  stoa webhook test 1
  stoa webhook test 1 --json"
)]
pub(super) struct Test {
    /// The endpoint's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Test {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Opened { program, parts } = open(context).await?;
        let progress = Progress::begin("sending a webhook");
        let attempt = send_test(
            &parts.db,
            &parts.clock,
            &parts.random,
            &parts.cipher,
            (&parts.config, &parts.texts),
            &program.webhooks,
            self.id,
        )
        .await?;
        drop(progress);
        let (status, error) = match &attempt.outcome {
            Outcome::Delivered { status } => (Some(*status), None),
            Outcome::Retryable { status, error } | Outcome::Final { status, error } => (*status, Some(error)),
        };
        let took = attempt.duration.as_millis();
        if self.json {
            print_json(&json!({
                "endpoint_id": self.id,
                "delivered": error.is_none(),
                "response_status": status,
                "error": error,
                "address": attempt.address.map(|address| address.to_string()),
                "duration_ms": u64::try_from(took).unwrap_or(u64::MAX),
            }))?;
            return if error.is_some() { Err(Failure::Said) } else { Ok(()) };
        }
        match error {
            None => print_line(&format!("answered {} after {took} ms", status.unwrap_or_default())),
            Some(error) => Err(Failure::operation(format!("{error} (after {took} ms)"))),
        }
    }
}
