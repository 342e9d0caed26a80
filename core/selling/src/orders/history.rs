//! What happened to an order, who did it, and when.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::Serialize;

use stoa_kernel::audit::Actor as Acted;
use stoa_kernel::db::{Db, DbError, Tx};

use super::queries;

/// Who does something to an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The customer.
    Customer,
    /// Somebody at the command line or in the console.
    Operator,
    /// The shop itself, in a scheduled job.
    System,
    /// A payment provider.
    Gateway(&'static str),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Customer => f.write_str("customer"),
            Self::Operator => f.write_str("operator"),
            Self::System => f.write_str("system"),
            Self::Gateway(id) => write!(f, "gateway:{id}"),
        }
    }
}

/// One line of an order's history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct HistoryEntry {
    /// What happened, such as `placed`, `paid`, `shipped`.
    pub action: String,
    /// Who did it.
    pub actor: String,
    /// More about it.
    pub detail: Option<String>,
    /// When.
    pub created_at: DateTime<Utc>,
}

/// Writes a line into an order's history, in the transaction of what happens.
pub(crate) async fn record(
    tx: &mut Tx,
    order_id: i64,
    action: &str,
    actor: Actor,
    detail: Option<&str>,
) -> Result<(), DbError> {
    let now = tx.now();
    // Of those who work in the console it is known who they are.
    let who = match (actor, &tx.acting().actor) {
        (Actor::Operator, staff @ Acted::Staff(_)) => staff.to_string(),
        _ => actor.to_string(),
    };
    let insert = tx.run(queries::INSERT_HISTORY).bind(order_id).bind(action).bind(who);
    insert.bind(detail).bind(now).execute().await?;
    Ok(())
}

/// The history of an order, oldest first.
pub async fn history_of(db: &Db, order_id: i64) -> Result<Vec<HistoryEntry>, DbError> {
    db.read(queries::LIST_HISTORY).bind(order_id).all().await
}
