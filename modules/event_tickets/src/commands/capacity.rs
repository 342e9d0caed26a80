//! `stoa event-tickets quota`: capacities that ticket types share.

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use super::{apply_imports, chosen_event, name, places};
use crate::offers::{QuotaRow, queries, set_quota};
use crate::settings::SharedCapacity;

/// Capacities that ticket types of an event share.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  stoa event-tickets quota list
  stoa event-tickets quota set courtyard-concert hall 120")]
pub(super) enum Quota {
    List(List),
    Set(Set),
}

impl Quota {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        apply_imports(cx).await?;
        match self {
            Self::List(list) => list.run(cx).await,
            Self::Set(set) => set.run(cx).await,
        }
    }
}

impl QuotaRow {
    pub(super) const HEAD: [&'static str; 4] = ["event", "shared capacity", "capacity", "taken"];

    pub(super) fn cells(&self) -> Vec<String> {
        vec![self.event_slug.clone(), self.name.clone(), self.capacity.to_string(), self.taken.to_string()]
    }
}

/// List shared capacities.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets quota list --event symposium-3")]
pub(super) struct List {
    /// Only those of this event.
    #[arg(long, value_name = "SLUG")]
    event: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let event = chosen_event(db, self.event.as_deref()).await?;
        let quotas = db.read(queries::LIST_QUOTAS).bind(event).all::<QuotaRow>().await?;
        if self.json {
            cx.output.json_list(&quotas)
        } else {
            let come_from = "`stoa event-tickets quota set` makes a shared capacity";
            cx.output.list(&QuotaRow::HEAD, quotas.iter().map(QuotaRow::cells), come_from)
        }
    }
}

/// Make a shared capacity, or set it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets quota set symposium-3 Hall 500
  stoa event-tickets quota set symposium-3 Hall 500 --json
  stoa event-tickets type set 7 --quota Hall")]
pub(super) struct Set {
    /// The event's slug.
    event: String,
    /// The name of the capacity.
    #[arg(value_parser = name)]
    name: String,
    /// How many tickets its types sell together at most.
    #[arg(value_parser = places, allow_hyphen_values = true)]
    capacity: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let shared = SharedCapacity { name: self.name, capacity: self.capacity };
        let quota = set_quota(&cx.parts.db, &self.event, &shared).await?;
        if self.json {
            return cx.output.json(&quota);
        }
        cx.output.line(&format!("{} of {} has {} places", quota.name, quota.event_slug, quota.capacity))
    }
}
