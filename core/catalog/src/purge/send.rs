//! The task that tells one address.

use std::collections::BTreeSet;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};

use stoa_kernel::db::Db;
use stoa_kernel::error_chain;
use stoa_kernel::http::shared_cache::CATALOG_KEY;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Task, TaskError};
use stoa_kernel::telemetry::Traced;

use super::PurgeTarget;
use super::queries;
use super::request::{most_keys, request};

/// Purges wait for servers of others.
pub(super) const PURGES: Lane = Lane::new("purges", 4, "purge");

/// Every instance has taken over a change after this time. Whoever forgot an answer before might fetch the old one again.
const TAKEN_OVER: TimeDelta = TimeDelta::seconds(2);

/// Rows that are looked at together.
const BATCH: i64 = 5_000;

/// From so many keys on, everything is forgotten at once.
const TOO_MANY: usize = 1_000;

/// Longest wait that an address can ask for, in seconds.
const LONGEST_WAIT: i64 = 3_600;

/// Tells an address what is written down for it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SendPurge {
    pub(super) target: i64,
}

impl Task for SendPurge {
    const KIND: &'static str = "catalog.purge_keys";
    const LANE: Lane = PURGES;

    fn subject(&self) -> Option<i64> {
        Some(self.target)
    }
}

pub(super) struct Sender {
    pub(super) targets: Arc<[PurgeTarget]>,
    pub(super) http: HttpClient,
}

#[derive(sqlx::FromRow)]
struct NotedKey {
    id: i64,
    key: String,
    created_at: DateTime<Utc>,
}

impl HandleTask<SendPurge> for Sender {
    type Uses = Db;

    const RETRY: BackOff = BackOff::minutes(&[1, 1, 2, 5, 15]).endless();

    async fn handle(&self, task: &SendPurge, db: &Db) -> Result<(), TaskError> {
        let Some(target) = self.targets.iter().find(|target| target.id == task.target) else {
            // It is not in the configuration any more.
            let forgotten = db.write(async |tx| tx.run(queries::FORGET_TARGET).bind(task.target).execute().await);
            return Ok(forgotten.await.map(drop)?);
        };
        loop {
            let noted = db.read(queries::OLDEST).bind(target.id).bind(BATCH).all::<NotedKey>().await?;
            let Some(first) = noted.first() else { return Ok(()) };
            let settled = db.now() - TAKEN_OVER;
            let due = noted.iter().filter(|key| key.created_at <= settled).collect::<Vec<_>>();
            if due.is_empty() {
                return Err(TaskError::NotYet(first.created_at + TAKEN_OVER));
            }
            let mut keys = due.iter().map(|noted| noted.key.as_str()).collect::<BTreeSet<_>>();
            if keys.contains(CATALOG_KEY) || keys.len() > TOO_MANY {
                keys = BTreeSet::from([CATALOG_KEY]);
            }
            let keys = keys.into_iter().collect::<Vec<_>>();
            for some in keys.chunks(most_keys(target.config.kind)) {
                self.send(target, some, db.now()).await?;
            }
            let done = due.iter().map(|noted| noted.id);
            db.write(async |tx| tx.run(queries::FORGET).bind_ids(done).execute().await).await?;
        }
    }
}

impl Sender {
    async fn send(&self, target: &PurgeTarget, keys: &[&str], now: DateTime<Utc>) -> Result<(), TaskError> {
        let name = target.name();
        let sent = request(&self.http, &target.config, keys).traced().send().await;
        let answer = sent.map_err(|error| {
            TaskError::Later(format!("{name} cannot be reached: {}", error_chain(&error.without_url())))
        })?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let problem = format!("{name} answers with {status}");
        if status != StatusCode::TOO_MANY_REQUESTS && status != StatusCode::SERVICE_UNAVAILABLE {
            return Err(TaskError::Later(problem));
        }
        let wait = answer.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse::<i64>().ok());
        match wait {
            Some(seconds) => Err(TaskError::LaterAt(problem, now + TimeDelta::seconds(seconds.clamp(1, LONGEST_WAIT)))),
            None => Err(TaskError::Later(problem)),
        }
    }
}
