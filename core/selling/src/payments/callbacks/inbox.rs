//! The inbox: every message of a gateway is kept once, by what tells it from all others.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::gateways::Notification;

use super::listing::CallbackState;
use super::queries;
use super::retry::{look_at, look_no_more};

/// What has become of a message that came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredCallback {
    /// It is new, and kept under this id.
    New(i64),
    /// It came before, and is kept under this id.
    Before(i64),
}

/// Keeps a message, unless it is there already.
pub(super) async fn store_once(
    tx: &mut Tx,
    gateway: &str,
    notification: &Notification,
) -> Result<StoredCallback, DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(gateway).bind(notification.event_id.as_str());
    let insert = insert.bind(notification.event_type.as_str()).bind(Json(notification)).bind(now);
    if let Some(id) = insert.optional_scalar::<i64>().await? {
        return Ok(StoredCallback::New(id));
    }
    let find = tx.run(queries::FIND_ID).bind(gateway).bind(notification.event_id.as_str());
    Ok(StoredCallback::Before(find.scalar().await?))
}

/// What came of looking at a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CallbackOutcome {
    pub(super) state: CallbackState,
    pub(super) attempt_id: Option<i64>,
    pub(super) order_id: Option<i64>,
    /// Why it was flagged or not matched.
    pub(super) reason: Option<String>,
}

/// Writes down what came of a message; `next_try` is when it is looked at again.
pub(super) async fn store_outcome(
    tx: &mut Tx,
    callback_id: i64,
    gateway: &str,
    verdict: &CallbackOutcome,
    next_try: Option<DateTime<Utc>>,
) -> Result<(), DbError> {
    let now = tx.now();
    let processed = next_try.is_none().then_some(now);
    let update = tx.run(queries::SETTLE).bind(callback_id).bind(verdict.state.as_str()).bind(verdict.attempt_id);
    let update = update.bind(verdict.order_id).bind(verdict.reason.as_deref()).bind(processed);
    update.execute().await?;
    match next_try {
        Some(time) => look_at(tx, callback_id, gateway, time).await,
        None => look_no_more(tx, callback_id).await,
    }
}
