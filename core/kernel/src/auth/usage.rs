//! When tokens and sessions were last used, written beside the requests so that none waits for it.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::principal::Principal;
use super::queries;
use super::session::idle;
use crate::config::SessionsConfig;
use crate::db::{Db, DbError};

/// How exact the times are: a use within this of the last one is not written.
const GRANULARITY: TimeDelta = TimeDelta::minutes(1);

/// How long uses are gathered before they are written together.
const GATHERING: Duration = Duration::from_secs(1);

/// Uses that are not in the database yet.
#[derive(Default)]
pub struct Usage {
    pending: Mutex<Pending>,
    arrived: Notify,
}

#[derive(Default)]
struct Pending {
    tokens: HashSet<i64>,
    sessions: HashSet<i64>,
}

impl Usage {
    /// Notes a use, if the last one is long enough ago.
    pub(crate) fn note(&self, principal: &Principal, sessions: &SessionsConfig, now: DateTime<Utc>) {
        let (last, granularity) = match principal {
            Principal::Bearer(bearer) => (bearer.last_used_at, GRANULARITY),
            // Several times within the time that ends an idle session, however short that is.
            Principal::Session(session) => (Some(session.last_seen_at), GRANULARITY.min(idle(sessions) / 4)),
        };
        // What was noted while the clock was ahead is not left to stand.
        if last.is_some_and(|last| (now - last).abs() < granularity) {
            return;
        }
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = match principal {
            Principal::Bearer(bearer) => pending.tokens.insert(bearer.token_id),
            Principal::Session(session) => pending.sessions.insert(session.session_id),
        };
        drop(pending);
        if is_new {
            self.arrived.notify_one();
        }
    }

    /// Writes what was noted, once in a while, until `stop` is cancelled; then what is left.
    pub async fn keep_writing(&self, db: &Db, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            tokio::select! {
                () = stop.cancelled() => {}
                () = self.arrived.notified() => {
                    tokio::select! {
                        () = stop.cancelled() => {}
                        () = tokio::time::sleep(GATHERING) => {}
                    }
                }
            }
            if let Err(error) = self.write(db).await {
                // Whoever is used again is noted again.
                tracing::warn!(error = &error as &dyn std::error::Error, "the use of tokens could not be written");
            }
        }
    }

    /// Writes what was noted so far.
    pub async fn write(&self, db: &Db) -> Result<(), DbError> {
        let Pending { tokens, sessions } =
            std::mem::take(&mut *self.pending.lock().unwrap_or_else(PoisonError::into_inner));
        if tokens.is_empty() && sessions.is_empty() {
            return Ok(());
        }
        db.write(async |tx| -> Result<(), DbError> {
            let now = tx.now();
            for (statement, ids) in [(queries::TOUCH_TOKENS, &tokens), (queries::TOUCH_SESSIONS, &sessions)] {
                if !ids.is_empty() {
                    tx.run(statement).bind_ids(ids.iter().copied()).bind(now).execute().await?;
                }
            }
            Ok(())
        })
        .await
    }
}
