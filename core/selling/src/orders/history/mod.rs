//! What happened to an order, who did it, and when.

mod queries;

use std::fmt;

use chrono::{DateTime, Utc};
use serde::Serialize;

use stoa_kernel::audit::Actor as Acted;
use stoa_kernel::db::{Db, DbError, Tx};

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
    let (now, who) = (tx.now(), who(tx, actor));
    let insert = tx.run(queries::INSERT).bind(order_id).bind(action).bind(who);
    insert.bind(detail).bind(now).execute().await?;
    Ok(())
}

/// Writes two lines at once, an action with its detail each.
pub(crate) async fn record_two(
    tx: &mut Tx,
    order_id: i64,
    actor: Actor,
    [first, second]: [(&str, Option<&str>); 2],
) -> Result<(), DbError> {
    let (now, who) = (tx.now(), who(tx, actor));
    let insert = tx.run(queries::INSERT_TWO).bind(order_id).bind(first.0).bind(who).bind(first.1);
    insert.bind(now).bind(second.0).bind(second.1).execute().await?;
    Ok(())
}

/// Of those who work in the console it is known who they are.
fn who(tx: &Tx, actor: Actor) -> String {
    match (actor, &tx.acting().actor) {
        (Actor::Operator, staff @ Acted::Staff(_)) => staff.to_string(),
        _ => actor.to_string(),
    }
}

/// The history of an order, oldest first.
pub async fn history_of(db: &Db, order_id: i64) -> Result<Vec<HistoryEntry>, DbError> {
    db.read(queries::LIST).bind(order_id).all().await
}
