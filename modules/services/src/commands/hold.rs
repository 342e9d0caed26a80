//! `stoa services hold`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::prelude::*;

use super::{CommandState, print};
use crate::model::ServiceNumber;
use crate::operating::hold;

/// Keep a service from being suspended with its subscription for a while.
#[derive(Debug, Args)]
#[command(after_help = "A refund ends a service all the same.

Examples:
  stoa services hold SV-000042 --until 2026-03-01T00:00:00Z
  stoa services hold SV-000042 --clear")]
pub(super) struct Hold {
    /// The service's number or id.
    #[arg(value_name = "SERVICE")]
    number: ServiceNumber,
    /// Until when, such as 2026-03-01T00:00:00Z.
    #[arg(long, value_name = "TIME", required_unless_present = "clear", value_parser = time)]
    until: Option<DateTime<Utc>>,
    /// Hold it no longer.
    #[arg(long, conflicts_with = "until")]
    clear: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn time(text: &str) -> Result<DateTime<Utc>, String> {
    let time = DateTime::parse_from_rfc3339(text);
    time.map(|time| time.to_utc()).map_err(|_| String::from("must be a time such as 2026-03-01T00:00:00Z"))
}

impl Hold {
    pub(super) async fn run(&self, state: &CommandState, cx: &CommandContext) -> Result<(), Failure> {
        let parts = &cx.parts;
        if self.until.is_some_and(|until| until <= parts.db.now()) {
            return Err(Failure::usage("--until must be a time in the future"));
        }
        hold(self.number, self.until, &state.worker.providers, &parts.db).await?;
        state.worker.work_now(parts, self.number.id()).await?;
        print(cx, self.number, self.json).await
    }
}
