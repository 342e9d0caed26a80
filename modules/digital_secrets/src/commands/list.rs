//! `stoa digital-secrets list` and `values`: what was sold, and what lies in a pool. Neither shows a value.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::orders::OrderNumber;
use stoa_core::prelude::*;

use super::{id, queries, time_or_dash, unknown_pool};
use crate::model::SecretProduct;

/// How many rows are shown unless somebody asks for more.
const SHOWN: &str = "100";

/// A unit of an order as operators see it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(super) struct ListedSecret {
    pub(super) id: i64,
    /// `promised`, `waiting`, `delivered`, `revoked` or `released`.
    pub(super) status: String,
    #[sqlx(flatten)]
    pub(super) product: SecretProduct,
    pub(super) pool: String,
    pub(super) order_id: i64,
    #[serde(rename = "order_item_id")]
    pub(super) order_line_id: i64,
    pub(super) unit: i64,
    pub(super) customer_id: i64,
    pub(super) value_id: Option<i64>,
    pub(super) value_hint: Option<String>,
    pub(super) created_at: DateTime<Utc>,
    pub(super) paid_at: Option<DateTime<Utc>>,
    pub(super) granted_at: Option<DateTime<Utc>>,
    pub(super) ended_at: Option<DateTime<Utc>>,
}

/// List what was sold, the newest first, without the values.
#[derive(Debug, Args)]
#[command(
    after_help = "`promised` ones are ordered and not paid, `waiting` ones are paid and wait for a value, `delivered` ones can be read by
their customers, `revoked` ones were refunded, and `released` ones belong to orders that were cancelled.

Examples:
  stoa digital-secrets list --order O-000042
  stoa digital-secrets list --status waiting
  stoa digital-secrets list --customer ada@example.com --json"
)]
pub(super) struct List {
    /// Only those of this order: its id or number.
    #[arg(long)]
    order: Option<OrderNumber>,
    /// Only those of this customer: their e-mail address or id.
    #[arg(long)]
    customer: Option<String>,
    /// Only those of this pool.
    #[arg(long)]
    pool: Option<String>,
    /// Only those in this state.
    #[arg(long, value_parser = ["promised", "waiting", "delivered", "revoked", "released"])]
    status: Option<String>,
    /// At most this many.
    #[arg(long, value_name = "NUMBER", default_value = SHOWN, value_parser = id())]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let customer = self.customer.as_ref().map(|customer| customer.trim().to_lowercase());
        let list = cx.parts.db.read(queries::LIST_UNITS).bind(self.order.map(OrderNumber::id)).bind(customer);
        let list = list.bind(self.pool.as_deref()).bind(self.status.as_deref()).bind(self.limit);
        let listed = list.all::<ListedSecret>().await?;
        if self.json {
            return cx.output.json_list(&listed);
        }
        let rows = listed.iter().map(|secret| {
            vec![
                secret.id.to_string(),
                secret.status.clone(),
                secret.product.slug.clone(),
                OrderNumber::of(secret.order_id).to_string(),
                format!("{}/{}", secret.order_line_id, secret.unit),
                secret.customer_id.to_string(),
                secret.value_hint.clone().unwrap_or_else(|| String::from("-")),
                time_or_dash(secret.granted_at),
            ]
        });
        let head = ["ID", "STATUS", "PRODUCT", "ORDER", "ITEM/UNIT", "CUSTOMER", "HINT", "DELIVERED"];
        cx.output.list(
            &head,
            rows,
            "values are delivered when an order is paid; `stoa digital-secrets pools` tells what there is",
        )
    }
}

/// A value as operators see it.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(super) struct ListedValue {
    id: i64,
    /// `available`, `reserved`, `delivered`, `revoked` or `voided`.
    state: String,
    /// `added` or `generated`.
    origin: String,
    hint: String,
    /// The unit it is for, or was for.
    digital_secret_id: Option<i64>,
    key_id: Option<i64>,
    created_at: DateTime<Utc>,
    delivered_at: Option<DateTime<Utc>>,
}

/// List what lies in a pool, the oldest first, without the values.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa digital-secrets values agora-sans --state available
  stoa digital-secrets values agora-sans --limit 1000 --json")]
pub(super) struct Values {
    /// The pool's name.
    pool: String,
    /// Only those in this state.
    #[arg(long, value_parser = ["available", "reserved", "delivered", "revoked", "voided"])]
    state: Option<String>,
    /// Only those whose id is greater than this.
    #[arg(long, value_name = "ID", default_value = "0", value_parser = clap::value_parser!(i64).range(0..))]
    after: i64,
    /// At most this many.
    #[arg(long, value_name = "NUMBER", default_value = SHOWN, value_parser = id())]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Values {
    pub(super) async fn run(&self, cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        let pool_id = db.read(crate::queries::FIND_POOL).bind(self.pool.as_str()).optional_scalar::<i64>().await?;
        let Some(pool_id) = pool_id else { return Err(unknown_pool(db, &self.pool).await) };
        let list = db.read(queries::LIST_VALUES).bind(pool_id).bind(self.state.as_deref());
        let listed = list.bind(self.after).bind(self.limit).all::<ListedValue>().await?;
        if self.json {
            return cx.output.json_list(&listed);
        }
        let rows = listed.iter().map(|value| {
            vec![
                value.id.to_string(),
                value.state.clone(),
                value.origin.clone(),
                value.hint.clone(),
                value.digital_secret_id.map_or_else(|| String::from("-"), |id| id.to_string()),
                shown_time(value.created_at),
                time_or_dash(value.delivered_at),
            ]
        });
        let head = ["ID", "STATE", "ORIGIN", "HINT", "SECRET", "ADDED", "DELIVERED"];
        cx.output.list(&head, rows, "`stoa digital-secrets add` puts values into a pool")
    }
}
