//! `stoa event-tickets type`: ticket types, which products sell.

use chrono::{DateTime, FixedOffset};
use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use super::{apply_imports, chosen_event, name, places, time};
use crate::offers::{PlanRefused, QuotaChange, TypeChange, TypeRow, change_type, find_type, queries};

/// Ticket types: what products sell of events.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  stoa event-tickets type list
  stoa event-tickets type show 1")]
pub(super) enum Type {
    List(List),
    Show(Show),
    Set(Set),
}

impl Type {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        apply_imports(cx).await?;
        match self {
            Self::List(list) => list.run(cx).await,
            Self::Show(show) => show.run(cx).await,
            Self::Set(set) => set.run(cx).await,
        }
    }
}

impl TypeRow {
    pub(super) const HEAD: [&'static str; 8] =
        ["type", "event", "name", "product", "capacity", "taken", "shared", "offered"];

    pub(super) const COME_FROM: &'static str =
        "products with settings of this module make ticket types; `stoa import` reads them from a file";

    pub(super) fn cells(&self) -> Vec<String> {
        vec![
            self.id.to_string(),
            self.event_slug.clone(),
            self.name.clone(),
            self.product.clone().unwrap_or_default(),
            self.capacity.to_string(),
            self.taken.to_string(),
            self.shared(),
            if self.offered { "yes" } else { "no" }.to_owned(),
        ]
    }
}

/// List ticket types.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets type list --event symposium-3")]
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
        let types = db.read(queries::LIST_TYPES).bind(event).bind(None::<i64>).all::<TypeRow>().await?;
        if self.json {
            cx.output.json_list(&types)
        } else {
            cx.output.list(&TypeRow::HEAD, types.iter().map(TypeRow::cells), TypeRow::COME_FROM)
        }
    }
}

/// Show a ticket type.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets type show 7 --json")]
pub(super) struct Show {
    /// The type's number.
    #[arg(value_name = "TYPE")]
    id: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        print(cx, &find_type(&cx.parts.db, self.id).await?, self.json)
    }
}

fn print(cx: &CommandContext, kind: &TypeRow, json: bool) -> Result<(), Failure> {
    if json {
        return cx.output.json(kind);
    }
    let mut members = TypeRow::HEAD.into_iter().zip(kind.cells()).collect::<Vec<_>>();
    members.push(("on sale from", kind.on_sale_from.map(shown_time).unwrap_or_default()));
    members.push(("on sale until", kind.on_sale_until.map(shown_time).unwrap_or_default()));
    cx.output.members(members)
}

/// Change what is sold. It holds until the product is imported with other settings.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets type set 7 --capacity 120
  stoa event-tickets type set 7 --quota Hall
  stoa event-tickets type set 7 --on-sale-until 2031-05-01T12:00:00+02:00")]
pub(super) struct Set {
    /// The type's number.
    #[arg(value_name = "TYPE")]
    id: i64,
    /// How many tickets are sold at most. Below what is sold already, nothing is taken back, and nothing sold.
    #[arg(long, value_parser = places, allow_hyphen_values = true)]
    capacity: Option<i64>,
    /// Another name.
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// Put it under a shared capacity, which `stoa event-tickets quota set` makes.
    #[arg(long, value_name = "NAME", conflicts_with = "no_quota")]
    quota: Option<String>,
    /// Let it have its own capacity alone.
    #[arg(long)]
    no_quota: bool,
    /// When the sale begins.
    #[arg(long, value_parser = time, value_name = "TIME")]
    on_sale_from: Option<DateTime<FixedOffset>>,
    /// When the sale ends.
    #[arg(long, value_parser = time, value_name = "TIME")]
    on_sale_until: Option<DateTime<FixedOffset>>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let quota = match self.quota {
            Some(name) => QuotaChange::To(name),
            None if self.no_quota => QuotaChange::Alone,
            None => QuotaChange::Keep,
        };
        let change = TypeChange {
            name: self.name,
            capacity: self.capacity,
            quota,
            on_sale_from: self.on_sale_from.map(|time| time.to_utc()),
            on_sale_until: self.on_sale_until.map(|time| time.to_utc()),
        };
        let changed = change_type(&cx.parts.db, self.id, &change).await.map_err(|error| match error {
            PlanRefused::SaleEndsTooEarly => Failure::usage(error.to_string()),
            other => other.into(),
        })?;
        print(cx, &changed, self.json)
    }
}
