//! `stoa webhook list` and `stoa webhook show`.

use clap::Args;
use stoa_core::webhooks::{ChangeError, find_endpoint, list_endpoints};

use super::{Context, describe, time_or};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members};

/// List the endpoints with their health.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa webhook list\n  stoa webhook list --json")]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Show one endpoint.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa webhook show 1\n  stoa webhook show 1 --json")]
pub(super) struct Show {
    /// The endpoint's id.
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let endpoints = list_endpoints(&db).await?;
        if self.json {
            return print_json_list(&endpoints.iter().map(describe).collect::<Vec<_>>());
        }
        let rows = endpoints.iter().map(|endpoint| {
            vec![
                endpoint.id.to_string(),
                endpoint.url.clone(),
                endpoint.kind.as_str().to_owned(),
                endpoint.events.join(" "),
                if endpoint.enabled { "yes" } else { "no" }.to_owned(),
                endpoint.consecutive_failures.to_string(),
                time_or(endpoint.last_success_at, "never"),
            ]
        });
        print_list(
            &["ID", "URL", "KIND", "EVENTS", "ENABLED", "FAILURES", "LAST SUCCESS"],
            rows,
            "`stoa webhook add` has another program told of what happens here",
        )
    }
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let endpoint = find_endpoint(&db, self.id).await?.ok_or(ChangeError::Unknown(self.id))?;
        if self.json {
            return print_json(&describe(&endpoint));
        }
        print_members([
            ("id", endpoint.id.to_string()),
            ("configured as", endpoint.name.clone().unwrap_or_else(|| String::from("(added with `stoa webhook add`)"))),
            ("URL", endpoint.url.clone()),
            ("kind", endpoint.kind.as_str().to_owned()),
            ("events", endpoint.events.join(" ")),
            ("enabled", if endpoint.enabled { "yes" } else { "no" }.to_owned()),
            ("failures in a row", endpoint.consecutive_failures.to_string()),
            ("last success", time_or(endpoint.last_success_at, "never")),
            ("last failure", time_or(endpoint.last_failure_at, "never")),
            ("last error", endpoint.last_error.clone().unwrap_or_default()),
            ("old secret until", time_or(endpoint.previous_secret_until, "")),
            ("added", time_or(Some(endpoint.created_at), "")),
        ])
    }
}
