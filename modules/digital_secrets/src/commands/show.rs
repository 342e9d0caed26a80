//! `stoa digital-secrets show` and `reveals`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;
use stoa_core::secret::Secret;

use super::list::ListedSecret;
use super::{id, queries, sealed, time_or_dash, unknown};
use crate::model::ReadableValue;
use crate::reading::reveal_to_operator;

/// Show what was sold with one unit of an order, without the value.
#[derive(Debug, Args)]
#[command(
    after_help = "The id is the one that the customer sees. `--reveal` prints the value; that is recorded as a reading by the operator.

Examples:
  stoa digital-secrets show 7
  stoa digital-secrets show 7 --json
  stoa digital-secrets show 7 --reveal"
)]
pub(super) struct Show {
    /// The digital secret's id.
    #[arg(value_parser = id())]
    id: i64,
    /// Show the value as well, and record that it was read.
    #[arg(long)]
    reveal: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What an operator did to a value.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct Change {
    action: String,
    value_id: i64,
    replacement_id: Option<i64>,
    reason: Option<String>,
    created_at: DateTime<Utc>,
}

#[derive(Debug, Serialize)]
struct Shown {
    #[serde(flatten)]
    secret: ListedSecret,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<ReadableValue>,
    /// How often it was read.
    reveals: i64,
    changes: Vec<Change>,
}

impl Show {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let secret = db.read(queries::FIND_UNIT).bind(self.id).optional::<ListedSecret>().await?;
        let secret = secret.ok_or_else(|| unknown(self.id))?;
        let value = if self.reveal { Some(ReadableValue(reveal(cx, self.id).await?)) } else { None };
        let reveals = db.read(queries::COUNT_REVEALS).bind(self.id).scalar::<i64>().await?;
        let changes = db.read(queries::LIST_CHANGES).bind(self.id).all::<Change>().await?;
        let shown = Shown { secret, value, reveals, changes };
        if self.json { cx.output.json(&shown) } else { print_secret(&shown, cx) }
    }
}

/// The value of a unit, once it is written down that the operator reads it.
async fn reveal(cx: &CommandContext, unit_id: i64) -> Result<Secret, Failure> {
    let (db, random, cipher) = (&cx.parts.db, &cx.parts.random, &cx.parts.cipher);
    let found = reveal_to_operator(db, random, cipher, unit_id, "digital-secrets show").await.map_err(sealed)?;
    found.ok_or_else(|| {
        Failure::operation(format!(
            "digital secret {unit_id} has no value that could be shown: it has none, or it was erased"
        ))
    })
}

fn print_secret(shown: &Shown, cx: &CommandContext) -> Result<(), Failure> {
    let secret = &shown.secret;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| String::from("-"));
    cx.output.members([
        ("id", secret.id.to_string()),
        ("status", secret.status.clone()),
        ("product", secret.product.slug.clone()),
        ("pool", secret.pool.clone()),
        ("order", OrderNumber::of(secret.order_id).to_string()),
        ("item/unit", format!("{}/{}", secret.order_line_id, secret.unit)),
        ("customer", secret.customer_id.to_string()),
        ("value id", or_dash(secret.value_id.map(|id| id.to_string()))),
        ("hint", or_dash(secret.value_hint.clone())),
        ("ordered", shown_time(secret.created_at)),
        ("paid", time_or_dash(secret.paid_at)),
        ("delivered", time_or_dash(secret.granted_at)),
        ("ended", time_or_dash(secret.ended_at)),
        ("read", format!("{} times", shown.reveals)),
    ])?;
    if let Some(value) = &shown.value {
        cx.output.members([("value", value.0.expose().to_owned())])?;
    }
    for change in &shown.changes {
        let reason = change.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        let by = change.replacement_id.map(|id| format!(" by {id}")).unwrap_or_default();
        let told = format!("value {} {}{by}{reason}", change.value_id, change.action);
        cx.output.line(&format!("{}  {told}", shown_time(change.created_at)))?;
    }
    Ok(())
}

/// A reading of a value.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct Reveal {
    /// `customer` or `operator`.
    actor: String,
    token_id: Option<i64>,
    route: String,
    value_id: i64,
    revealed_at: DateTime<Utc>,
}

/// List who has read a value and when, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "A customer without a token has read it in a session.

Examples:
  stoa digital-secrets reveals 7
  stoa digital-secrets reveals 7 --json")]
pub(super) struct Reveals {
    /// The digital secret's id.
    #[arg(value_parser = id())]
    id: i64,
    /// At most this many.
    #[arg(long, value_name = "NUMBER", default_value = "1000", value_parser = id())]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Reveals {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        if db.read(queries::FIND_UNIT).bind(self.id).optional::<ListedSecret>().await?.is_none() {
            return Err(unknown(self.id));
        }
        let reveals = db.read(queries::LIST_REVEALS).bind(self.id).bind(self.limit).all::<Reveal>().await?;
        if self.json {
            return cx.output.json_list(&reveals);
        }
        let rows = reveals.iter().map(|reveal| {
            vec![
                shown_time(reveal.revealed_at),
                reveal.actor.clone(),
                reveal.token_id.map_or_else(|| String::from("-"), |id| id.to_string()),
                reveal.route.clone(),
                reveal.value_id.to_string(),
            ]
        });
        cx.output.list(&["READ", "BY", "TOKEN", "THROUGH", "VALUE"], rows, "nobody has read it yet")
    }
}
