//! Callbacks as the operator sees them.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;

use stoa_kernel::console::{MOST_COUNTED, RowCount};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::states;

use super::queries;

states! {
    /// What has become of a callback.
    CallbackState, "state of a callback":
    /// The provider has to be asked what it means.
    Pending = "pending",
    /// It was applied, or said nothing new.
    Processed = "processed",
    /// It is about nothing that concerns the shop.
    Ignored = "ignored",
    /// It is about a payment that we do not know.
    Unmatched = "unmatched",
    /// It does not fit what we asked for, or needs the operator.
    Flagged = "flagged",
}

/// A callback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct CallbackRecord {
    /// The id that the provider was answered with.
    pub id: i64,
    /// The gateway.
    pub gateway: String,
    /// What tells it from every other message of the gateway.
    pub event_id: String,
    /// The provider's name of what happened.
    pub event_type: String,
    /// What has become of it.
    #[sqlx(try_from = "String")]
    pub state: CallbackState,
    /// The attempt that it is about.
    pub attempt_id: Option<i64>,
    /// The order of that attempt.
    pub order_id: Option<i64>,
    /// Why it was flagged or not matched.
    pub reason: Option<String>,
    /// How often it was looked at again.
    pub tries: i64,
    /// When it is looked at again.
    pub next_try_at: Option<DateTime<Utc>>,
    /// When it came.
    pub received_at: DateTime<Utc>,
    /// When it was done with.
    pub processed_at: Option<DateTime<Utc>>,
}

/// The newest callbacks, of one state and one gateway if asked for.
pub async fn list_callbacks(
    db: &Db,
    state: Option<CallbackState>,
    gateway: Option<&str>,
    limit: i64,
) -> Result<Vec<CallbackRecord>, DbError> {
    db.read(queries::LIST).bind(state.map(CallbackState::as_str)).bind(gateway).bind(limit).all().await
}

/// Callbacks as a list of the console asks for them.
#[derive(Debug, Clone, Default)]
pub struct CallbackSearch {
    /// Only those in this state.
    pub state: Option<CallbackState>,
    /// Only those of this gateway.
    pub gateway: Option<String>,
    /// Only those that came before this one.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// Callbacks that were looked for, the newest first.
pub async fn search_callbacks(db: &Db, search: &CallbackSearch) -> Result<Vec<CallbackRecord>, DbError> {
    let query = db.read(queries::SEARCH).bind(search.state.map(CallbackState::as_str)).bind(search.gateway.clone());
    query.bind(search.after.unwrap_or(i64::MAX)).bind(search.limit).all().await
}

/// How many there are on all pages together.
pub async fn count_callbacks(db: &Db, search: &CallbackSearch) -> Result<RowCount, DbError> {
    let query = db.read(queries::COUNT_SEARCHED).bind(search.state.map(CallbackState::as_str));
    Ok(RowCount::of(query.bind(search.gateway.clone()).bind(MOST_COUNTED + 1).scalar().await?))
}

/// The callbacks that concern an order, oldest first.
pub async fn callbacks_of(db: &Db, order_id: i64) -> Result<Vec<CallbackRecord>, DbError> {
    db.read(queries::LIST_OF_ORDER).bind(order_id).all().await
}

/// What a callback said, in the shop's words: the provider's body is not kept.
pub async fn notification_of(db: &Db, id: i64) -> Result<Option<Value>, DbError> {
    let found = db.read(queries::NOTIFICATION).bind(id).optional_scalar::<Json<Value>>().await?;
    Ok(found.map(|Json(notification)| notification))
}

/// A callback.
pub async fn find_callback(db: &Db, id: i64) -> Result<Option<CallbackRecord>, DbError> {
    db.read(queries::FIND).bind(id).optional().await
}
