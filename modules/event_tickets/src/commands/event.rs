//! `stoa event-tickets event`.

use chrono::{DateTime, FixedOffset, Utc};
use clap::{Args, Subcommand};
use serde_json::json;
use stoa_core::prelude::*;

use super::{apply_imports, find_event, name, time};
use crate::offers::{EventChange, PlanRefused, QuotaRow, TypeRow, add_event, change_event, queries};
use crate::paper::local_time;

/// Events: what takes place, where and when.
#[derive(Debug, Subcommand)]
#[command(after_help = "Examples:
  stoa event-tickets event list
  stoa event-tickets event show courtyard-concert")]
pub(super) enum Event {
    List(List),
    Show(Show),
    Add(Add),
    Set(Set),
}

impl Event {
    pub(super) async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        apply_imports(cx).await?;
        match self {
            Self::List(list) => list.run(cx).await,
            Self::Show(show) => show.run(cx).await,
            Self::Add(add) => add.run(cx).await,
            Self::Set(set) => set.run(cx).await,
        }
    }
}

#[derive(Debug, Serialize, sqlx::FromRow)]
struct CountedEvent {
    slug: String,
    name: String,
    venue: String,
    starts_at: DateTime<Utc>,
    ends_at: Option<DateTime<Utc>>,
    utc_offset_minutes: i64,
    reserved: i64,
    issued: i64,
    checked_in: i64,
}

/// List events with the numbers of their tickets.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets event list
  stoa event-tickets event list --json")]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let events = cx.parts.db.read(queries::LIST_EVENTS).bind(None::<i64>).all::<CountedEvent>().await?;
        if self.json {
            return cx.output.json_list(&events);
        }
        let rows = events.into_iter().map(|event| {
            let when = local_time(event.starts_at, event.utc_offset_minutes);
            let counts = [event.reserved, event.issued, event.checked_in].map(|count| count.to_string());
            [vec![event.slug, event.name, event.venue, when], counts.to_vec()].concat()
        });
        cx.output.list(
            &["event", "name", "venue", "begins", "reserved", "issued", "checked in"],
            rows,
            "`stoa event-tickets event add` makes an event",
        )
    }
}

/// Show an event with its ticket types and shared capacities.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets event show symposium-3
  stoa event-tickets event show symposium-3 --json")]
pub(super) struct Show {
    /// The event's slug.
    event: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let id = find_event(db, &self.event).await?.id;
        let event = db.read(queries::LIST_EVENTS).bind(id).one::<CountedEvent>().await?;
        let types = db.read(queries::LIST_TYPES).bind(id).bind(None::<i64>).all::<TypeRow>().await?;
        let quotas = db.read(queries::LIST_QUOTAS).bind(id).all::<QuotaRow>().await?;
        if self.json {
            let mut shown = serde_json::to_value(&event)?;
            shown["types"] = json!(types);
            shown["quotas"] = json!(quotas);
            return cx.output.json(&shown);
        }
        let ends = event.ends_at.map_or_else(String::new, |time| local_time(time, event.utc_offset_minutes));
        cx.output.members([
            ("event", event.slug),
            ("name", event.name),
            ("venue", event.venue),
            ("begins", local_time(event.starts_at, event.utc_offset_minutes)),
            ("ends", ends),
            ("reserved", event.reserved.to_string()),
            ("issued", event.issued.to_string()),
            ("checked in", event.checked_in.to_string()),
        ])?;
        cx.output.line("")?;
        cx.output.list(&TypeRow::HEAD, types.iter().map(TypeRow::cells), TypeRow::COME_FROM)?;
        if !quotas.is_empty() {
            cx.output.line("")?;
            cx.output.table(&QuotaRow::HEAD, quotas.iter().map(QuotaRow::cells))?;
        }
        Ok(())
    }
}

/// Add an event, to share capacities of it before products are imported.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets event add Symposium --venue Agora --starts-at 2031-05-01T19:00:00+02:00")]
pub(super) struct Add {
    /// The event's name. Products that name the same with the same venue and time sell its tickets.
    #[arg(value_parser = name)]
    name: String,
    /// Where it takes place.
    #[arg(long, value_parser = name)]
    venue: Option<String>,
    /// When it begins, with an offset.
    #[arg(long, value_parser = time, value_name = "TIME")]
    starts_at: DateTime<FixedOffset>,
    /// When it ends; tickets are sold until then.
    #[arg(long, value_parser = time, value_name = "TIME")]
    ends_at: Option<DateTime<FixedOffset>>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Add {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let (venue, db) = (self.venue.unwrap_or_default(), &cx.parts.db);
        let event = add_event(db, self.name, venue, self.starts_at, self.ends_at).await.map_err(refused)?;
        if self.json { cx.output.json(&event) } else { cx.output.line(&format!("{} is there", event.slug)) }
    }
}

/// Change an event. Its tickets are for what it is from then on.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa event-tickets event set symposium-3 --starts-at 2031-05-08T19:00:00+02:00
  stoa event-tickets event set symposium-3 --venue 'Painted Porch'")]
pub(super) struct Set {
    /// The event's slug, which stays as it is.
    event: String,
    /// Another name.
    #[arg(long, value_parser = name)]
    name: Option<String>,
    /// Another venue.
    #[arg(long, value_parser = name)]
    venue: Option<String>,
    /// Another beginning, with an offset.
    #[arg(long, value_parser = time, value_name = "TIME")]
    starts_at: Option<DateTime<FixedOffset>>,
    /// Another end.
    #[arg(long, value_parser = time, value_name = "TIME")]
    ends_at: Option<DateTime<FixedOffset>>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Set {
    async fn run(self, cx: &CommandContext) -> Result<(), Failure> {
        let change =
            EventChange { name: self.name, venue: self.venue, starts_at: self.starts_at, ends_at: self.ends_at };
        let event = change_event(&cx.parts.db, &self.event, &change).await.map_err(refused)?;
        if self.json { cx.output.json(&event) } else { cx.output.line(&format!("{} is changed", event.slug)) }
    }
}

/// What is wrong with an option is told by its name.
fn refused(error: PlanRefused) -> Failure {
    match error {
        PlanRefused::EndsTooEarly => Failure::usage("--ends-at must be later than the beginning"),
        other => other.into(),
    }
}
