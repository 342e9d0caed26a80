//! `stoa event-tickets type`: ticket types, which products sell.

use chrono::{DateTime, FixedOffset, Utc};
use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use super::{apply_imports, chosen_event, find_event, name, places, time};
use crate::offers::{move_to_quota, queries};

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

/// A ticket type with what is left of it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(super) struct TypeRow {
    id: i64,
    #[serde(rename = "event")]
    event_slug: String,
    name: String,
    product_id: i64,
    product: Option<String>,
    capacity: i64,
    taken: i64,
    quota: Option<String>,
    quota_capacity: Option<i64>,
    quota_taken: Option<i64>,
    on_sale_from: Option<DateTime<Utc>>,
    on_sale_until: Option<DateTime<Utc>>,
    offered: bool,
}

impl TypeRow {
    pub(super) const HEAD: [&'static str; 8] =
        ["type", "event", "name", "product", "capacity", "taken", "shared", "offered"];

    pub(super) fn cells(&self) -> Vec<String> {
        let shared = match (&self.quota, self.quota_taken, self.quota_capacity) {
            (Some(name), Some(taken), Some(capacity)) => format!("{name} ({taken} of {capacity})"),
            _ => String::new(),
        };
        vec![
            self.id.to_string(),
            self.event_slug.clone(),
            self.name.clone(),
            self.product.clone().unwrap_or_default(),
            self.capacity.to_string(),
            self.taken.to_string(),
            shared,
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
            cx.output.table(&TypeRow::HEAD, types.iter().map(TypeRow::cells))
        }
    }
}

async fn find_type(db: &Db, id: i64) -> Result<TypeRow, Failure> {
    let found = db.read(queries::LIST_TYPES).bind(None::<i64>).bind(id).optional::<TypeRow>().await?;
    found.ok_or_else(|| {
        Failure::operation(format!("there is no ticket type {id}; `stoa event-tickets type list` shows all"))
    })
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
        let db = &cx.parts.db;
        let kind = find_type(db, self.id).await?;
        let from = self.on_sale_from.map(|time| time.to_utc()).or(kind.on_sale_from);
        let until = self.on_sale_until.map(|time| time.to_utc()).or(kind.on_sale_until);
        if from.zip(until).is_some_and(|(from, until)| until <= from) {
            return Err(Failure::usage("the sale must end later than it begins"));
        }
        let event = find_event(db, &kind.event_slug).await?;
        db.write(async |tx| self.write(tx, event.id).await).await?;
        print(cx, &find_type(db, self.id).await?, self.json)
    }

    async fn write(&self, tx: &mut Tx, event_id: i64) -> Result<(), Failure> {
        if let Some(capacity) = self.capacity {
            tx.run(queries::SET_TYPE_CAPACITY).bind(self.id).bind(capacity).execute().await?;
        }
        if let Some(name) = &self.name {
            tx.run(queries::RENAME_TYPE).bind(self.id).bind(name.as_str()).execute().await?;
        }
        if let Some(from) = self.on_sale_from {
            tx.run(queries::SET_SALE_START).bind(self.id).bind(from.to_utc()).execute().await?;
        }
        if let Some(until) = self.on_sale_until {
            tx.run(queries::SET_SALE_END).bind(self.id).bind(until.to_utc()).execute().await?;
        }
        if let Some(quota) = &self.quota {
            let found = tx.run(queries::FIND_QUOTA).bind(event_id).bind(quota.trim()).optional_scalar::<i64>().await?;
            let found = found.ok_or_else(|| {
                Failure::operation(format!(
                    "the event has no shared capacity `{quota}`; `stoa event-tickets quota set` makes one"
                ))
            })?;
            move_to_quota(tx, self.id, Some(found)).await?;
        } else if self.no_quota {
            move_to_quota(tx, self.id, None).await?;
        }
        Ok(())
    }
}
