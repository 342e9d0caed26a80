//! `stoa downloads grants` and `log`: what buyers may download, and what they have.

use chrono::{DateTime, Utc};
use clap::{Args, value_parser};
use serde_json::{Value, json};
use stoa_core::catalog::no_such_product;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use crate::changing::find_grant;
use crate::model::Grant;
use crate::queries;

/// List what buyers may download, the newest first.
#[derive(Debug, Args)]
#[command(
    after_help = "The table shows the beginnings of tokens, which are keys of customers; --json shows them whole.

Examples:
  stoa downloads grants --order O-000042
  stoa downloads grants --customer ada@example.com --product songs --json"
)]
pub(crate) struct Grants {
    /// Those of one order: its id or number.
    #[arg(long)]
    order: Option<OrderNumber>,
    /// Those of one customer: the e-mail address.
    #[arg(long, value_name = "EMAIL")]
    customer: Option<String>,
    /// Those of one product: its slug.
    #[arg(long, value_name = "SLUG")]
    product: Option<String>,
    /// How many at most.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(i64).range(1..=100_000))]
    last: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Grants {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let email = self.customer.as_deref().map(|email| email.trim().to_lowercase());
        let found = db.read(queries::LIST_GRANTS).bind(self.order.map(OrderNumber::id)).bind(email);
        let found =
            found.bind(self.product.as_deref()).bind(None::<i64>).bind(None::<&str>).bind(self.last).bind(None::<i64>);
        let grants = found.all::<Grant>().await?;
        if let Some(slug) = self.product.as_deref().filter(|_| grants.is_empty()) {
            let known = db.read(queries::FIND_PRODUCT).bind(slug).optional_scalar::<i64>().await?;
            if known.is_none() {
                return Err(Failure::operation(no_such_product(db, slug).await?));
            }
        }
        let now = db.now();
        if self.json {
            let shown = grants.iter().map(|grant| shown(grant, now)).collect::<Result<Vec<_>, _>>()?;
            return cx.output.json_list(&shown);
        }
        let head = ["ID", "ORDER", "UNIT", "PRODUCT", "FILE", "USED", "UNTIL", "STATE", "TOKEN"];
        cx.output.list(&head, grants.iter().map(|grant| row(grant, now)), "files are granted when an order is paid")
    }
}

/// A grant as the API shows it, with what the operator needs besides.
pub(super) fn shown(grant: &Grant, now: DateTime<Utc>) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(grant.shown(now))?;
    for (name, member) in [
        ("id", json!(grant.id)),
        ("product", json!(grant.product)),
        ("customer_id", json!(grant.customer_id)),
        ("order_item_id", json!(grant.order_line_id)),
        ("unit", json!(grant.unit)),
        ("asset_id", json!(grant.asset_id)),
        ("counted_at", json!(grant.standing.counted_at)),
        ("completed_at", json!(grant.standing.completed_at)),
        ("revoked_at", json!(grant.standing.revoked_at)),
        ("revoked_reason", json!(grant.revoked_reason)),
    ] {
        value[name] = member;
    }
    Ok(value)
}

fn row(grant: &Grant, now: DateTime<Utc>) -> Vec<String> {
    let standing = &grant.standing;
    let limit = standing.download_limit.map_or(String::from("any"), |limit| limit.to_string());
    let state = standing.refusal(now).map_or("active", crate::entitlement::Refusal::as_str);
    vec![
        grant.id.to_string(),
        OrderNumber::of(grant.order_id).to_string(),
        grant.unit.to_string(),
        grant.product.clone(),
        grant.filename.clone(),
        format!("{} of {limit}", standing.download_count),
        standing.expires_at.map_or(String::from("ever"), shown_time),
        state.to_owned(),
        format!("{}…", grant.token.chars().take(6).collect::<String>()),
    ]
}

/// Show when a file was downloaded with a grant, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa downloads log 17")]
pub(crate) struct Log {
    /// The grant: its id or token.
    grant: String,
    /// How many transfers at most.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = value_parser!(i64).range(1..=100_000))]
    last: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A transfer that was started.
#[derive(Debug, Serialize, sqlx::FromRow)]
struct Transfer {
    version: i64,
    first_byte: i64,
    last_byte: i64,
    counted: bool,
    started_at: DateTime<Utc>,
}

impl Log {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let grant = find_grant(db, &self.grant).await?;
        let transfers = db.read(queries::LIST_LOG).bind(grant.id).bind(self.last).all::<Transfer>().await?;
        if self.json {
            return cx.output.json_list(&transfers);
        }
        let rows = transfers.iter().map(|transfer| {
            vec![
                shown_time(transfer.started_at),
                transfer.version.to_string(),
                format!("{}-{}", transfer.first_byte, transfer.last_byte),
                String::from(if transfer.counted { "yes" } else { "no" }),
            ]
        });
        cx.output.list(&["STARTED", "VERSION", "BYTES", "COUNTED"], rows, "the buyer has not fetched the file yet")
    }
}
