//! `stoa webhook enable`, `disable` and `remove`.

use clap::Args;
use stoa_core::webhooks::{remove_endpoint, set_endpoint_enabled};

use super::{Context, Opened, describe, open};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Switch an endpoint on: events are sent to it from now on.
#[derive(Debug, Args)]
#[command(after_help = "What was skipped while it was off stays so; `stoa webhook retry --state skipped` sends it.

Examples:
  stoa webhook enable 1")]
pub(super) struct Enable {
    /// The endpoint's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Switch an endpoint off: what waits for it is skipped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa webhook disable 1")]
pub(super) struct Disable {
    /// The endpoint's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Remove an endpoint. Its deliveries stay listed for a while.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa webhook remove 1")]
pub(super) struct Remove {
    /// The endpoint's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Enable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        switch(context, self.id, true, self.json).await
    }
}

impl Disable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        switch(context, self.id, false, self.json).await
    }
}

async fn switch(context: &Context, id: i64, enabled: bool, json: bool) -> Result<(), Failure> {
    let Opened { parts, .. } = open(context).await?;
    let endpoint = set_endpoint_enabled(&parts.db, id, enabled).await?;
    if json {
        return print_json(&describe(&endpoint));
    }
    print_line(&format!("endpoint {id} is {}", if enabled { "enabled" } else { "disabled" }))
}

impl Remove {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let Opened { parts, .. } = open(context).await?;
        let endpoint = remove_endpoint(&parts.db, self.id).await?;
        if self.json {
            return print_json(&describe(&endpoint));
        }
        print_line(&format!("endpoint {} ({}) was removed", endpoint.id, endpoint.url))
    }
}
