//! Deliveries that have not succeeded yet, as the operator sees them.

use chrono::{DateTime, Utc};
use serde_json::Value;

use crate::audit::Subject;
use crate::console::{MOST_COUNTED, RowCount};
use crate::db::{Db, DbError};
use crate::queue;
use crate::states;

states! {
    /// What becomes of a delivery.
    DeliveryState, "state of a delivery":
    /// It is tried when it is due, unless its listener belongs to a disabled module.
    Pending = "pending",
    /// It was tried often enough; only the operator brings it back.
    Failed = "failed",
}

/// An event on its way to one listener.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDelivery {
    /// The row's id, which `stoa events retry` takes.
    pub id: i64,
    /// The event's name.
    pub event: String,
    /// The listener's id.
    pub listener: String,
    /// What becomes of it.
    pub state: DeliveryState,
    /// Attempts made.
    pub attempts: i64,
    /// When it is due, or was tried last if it has failed.
    pub next_attempt_at: DateTime<Utc>,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When the event happened.
    pub created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: i64,
    event: Option<String>,
    kind: String,
    #[sqlx(try_from = "String")]
    state: DeliveryState,
    attempts: i64,
    due_at: DateTime<Utc>,
    last_error: Option<String>,
    created_at: DateTime<Utc>,
}

impl From<Row> for EventDelivery {
    fn from(row: Row) -> Self {
        Self {
            id: row.id,
            event: row.event.unwrap_or_default(),
            listener: row.kind,
            state: row.state,
            attempts: row.attempts,
            next_attempt_at: row.due_at.max(row.created_at),
            last_error: row.last_error,
            created_at: row.created_at,
        }
    }
}

impl EventDelivery {
    /// All deliveries that have not succeeded yet, in the order of their events.
    pub async fn list(db: &Db) -> Result<Vec<Self>, DbError> {
        Self::list_in(db, None).await
    }

    /// Those that were given up.
    pub async fn list_failed(db: &Db) -> Result<Vec<Self>, DbError> {
        Self::list_in(db, Some(DeliveryState::Failed)).await
    }

    async fn list_in(db: &Db, state: Option<DeliveryState>) -> Result<Vec<Self>, DbError> {
        let rows = db.read(queue::LIST_EVENTS).bind(state.map(DeliveryState::as_str)).all::<Row>().await?;
        Ok(rows.into_iter().map(Self::from).collect())
    }

    /// A page of those in this state or in each, the newest first, behind the one with this id.
    pub async fn page(
        db: &Db,
        state: Option<DeliveryState>,
        before_id: Option<i64>,
        limit: i64,
    ) -> Result<Vec<Self>, DbError> {
        let read = db.read(queue::PAGE_EVENTS).bind(state.map(DeliveryState::as_str)).bind(before_id).bind(limit);
        Ok(read.all::<Row>().await?.into_iter().map(Self::from).collect())
    }

    /// How many there are on all pages.
    pub async fn count(db: &Db, state: Option<DeliveryState>) -> Result<RowCount, DbError> {
        let read = db.read(queue::COUNT_EVENTS).bind(state.map(DeliveryState::as_str)).bind(MOST_COUNTED + 1);
        read.scalar().await.map(RowCount::of)
    }

    /// Puts one that was given up back into the queue, its attempts counted anew; false when there
    /// is none of this id.
    pub async fn retry(db: &Db, id: i64) -> Result<bool, DbError> {
        db.write(async |tx| {
            let retried = tx.run(queue::RETRY_EVENT).bind(id).bind(queue::AT_ONCE).execute().await? == 1;
            if retried {
                tx.audit_operator("events.retry", Subject::new("event", id), Value::Null, Value::Null).await?;
            }
            tx.wake_runner();
            Ok(retried)
        })
        .await
    }
}
