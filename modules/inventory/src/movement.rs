//! What has happened to a SKU, as the command line and the console show it.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

/// A change of what is there or promised; `--json` shows it so.
#[derive(Debug, Serialize, sqlx::FromRow)]
pub(crate) struct ShownMovement {
    pub(crate) id: i64,
    pub(crate) kind: String,
    pub(crate) on_hand_change: i64,
    pub(crate) reserved_change: i64,
    pub(crate) on_hand: i64,
    pub(crate) reserved: i64,
    pub(crate) reason: Option<String>,
    pub(crate) actor: String,
    pub(crate) order_id: Option<i64>,
    pub(crate) created_at: DateTime<Utc>,
}

/// A change with its sign; nothing for none.
pub(crate) fn signed(change: i64) -> String {
    if change == 0 { String::new() } else { format!("{change:+}") }
}
