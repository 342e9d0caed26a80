//! Claiming tasks, doing them, and writing down what became of them.
//!
//! A turn is one transaction: it writes down what has ended since the last one, and claims as much as is done at once. So what a
//! task costs is a fraction of a commit.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::FutureExt;
use serde_json::{Value, json};
use sqlx::types::Json;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::enqueue::insert_jobs;
use super::handler::TaskError;
use super::kinds::{Kind, Repetition};
use super::lane::{JOBS, Lane};
use super::settle::{Ended, settle};
use super::{AT_ONCE, queries};
use crate::clock::horizon;
use crate::db::{DbError, Tx};
use crate::from_shop::ShopParts;

/// How long a claimed task is kept from other instances. Work that takes longer has its lease renewed.
const LEASE: TimeDelta = TimeDelta::seconds(60);

/// How often leases are renewed: often enough that two in a row may fail.
pub(super) const RENEWAL: Duration = Duration::from_secs(20);

/// How long a lane rests that found nobody there.
const REST: Duration = Duration::from_secs(30);

/// A lane, as far as this process works on it.
struct Slots {
    lane: Lane,
    /// The kinds that are on, as statements take them.
    kinds: String,
    at_once: usize,
    in_flight: usize,
    rests_until: Option<Instant>,
}

impl Slots {
    fn free(&self) -> usize {
        let rests = self.rests_until.is_some_and(|until| Instant::now() < until);
        if rests { 0 } else { self.at_once.saturating_sub(self.in_flight) }
    }
}

#[derive(sqlx::FromRow)]
struct Claimed {
    id: i64,
    kind: String,
    payload: Json<Value>,
    attempts: i64,
}

/// What one process is doing.
pub(super) struct Engine {
    parts: ShopParts,
    slots: Vec<Slots>,
    running: JoinSet<Ended>,
    /// The lease of each task that is being done.
    held: HashMap<i64, String>,
    ended: Vec<Ended>,
    done: usize,
}

impl Engine {
    /// An engine for these lanes; `at_once` narrows all of them.
    pub(super) fn new(parts: ShopParts, lanes: &[Lane], at_once: Option<usize>) -> Self {
        let slots = lanes.iter().map(|lane| {
            let kinds = parts.tasks.enabled_in(*lane).map(|kind| json!({"kind": kind.name}));
            Slots {
                lane: *lane,
                kinds: Value::Array(kinds.collect()).to_string(),
                at_once: at_once.unwrap_or(lane.at_once),
                in_flight: 0,
                rests_until: None,
            }
        });
        let slots = slots.collect();
        Self { parts, slots, running: JoinSet::new(), held: HashMap::new(), ended: Vec::new(), done: 0 }
    }

    /// Whether nothing is being done, nor left to be written down.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.ended.is_empty()
    }

    /// Whether anything is being done.
    pub(super) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// Tasks that were done without a failure.
    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// Sees to it that all jobs have a row, and that a clock which was ahead hides nothing.
    pub(super) async fn prepare(&self) -> Result<(), DbError> {
        let db = &self.parts.db;
        let (now, ahead) = (db.now(), horizon(db.now(), TimeDelta::zero()));
        // Looking first keeps an idle shop from writing.
        if db.look(queries::COUNT_AHEAD).bind(now).bind(ahead).scalar::<i64>().await? > 0 {
            let forget =
                async |tx: &mut Tx| tx.run(queries::FORGET_AHEAD).bind(now).bind(ahead).bind(AT_ONCE).execute().await;
            db.write(forget).await?;
        }
        let Some(jobs) = self.slots.iter().find(|slots| slots.lane == JOBS) else { return Ok(()) };
        if db.look(queries::MISSING_JOBS).bind(jobs.kinds.as_str()).scalar::<i64>().await? > 0 {
            db.write(async |tx| insert_jobs(tx, &jobs.kinds).await).await?;
        }
        Ok(())
    }

    /// Writes down what has ended, and claims what is due and has room.
    pub(super) async fn turn(&mut self) -> Result<(), DbError> {
        self.gather();
        let wanted = self.wanted().await?;
        if self.ended.is_empty() && wanted.is_empty() {
            return Ok(());
        }
        let now = self.parts.db.now();
        let lease = self.parts.random.uuid().to_string();
        let (ended, slots) = (&self.ended, &self.slots);
        let claimed = self.parts.db.write(async |tx| -> Result<Vec<(Lane, Claimed)>, DbError> {
            settle(tx, ended).await?;
            let mut claimed = Vec::new();
            for slots in wanted.iter().map(|index| &slots[*index]) {
                let claim = tx.run(queries::CLAIM).bind(slots.lane.name).bind(now).bind(lease.as_str());
                let claim = claim.bind(now + LEASE).bind(slots.kinds.as_str());
                let free = i64::try_from(slots.free()).unwrap_or(i64::MAX);
                let rows = claim.bind(free).all::<Claimed>().await?;
                claimed.extend(rows.into_iter().map(|row| (slots.lane, row)));
            }
            Ok(claimed)
        });
        let mut claimed = claimed.await?;
        self.ended.clear();
        // A statement that changes rows gives them in no order.
        claimed.sort_by_key(|(_, claimed)| claimed.id);
        for (lane, claimed) in claimed {
            self.begin(lane, claimed, &lease);
        }
        Ok(())
    }

    /// The lanes to be claimed from. Where something has ended, what waited for it may be due.
    async fn wanted(&self) -> Result<Vec<usize>, DbError> {
        let free = |slots: &&Slots| slots.free() > 0 && slots.kinds != "[]";
        let open = self.slots.iter().filter(free).collect::<Vec<_>>();
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let lanes = open.iter().map(|slots| json!({"lane": slots.lane.name})).collect::<Vec<_>>();
        let kinds = open.iter().flat_map(|slots| self.parts.tasks.enabled_in(slots.lane));
        let kinds = kinds.map(|kind| json!({"lane": kind.lane.name, "kind": kind.name})).collect::<Vec<_>>();
        let look = self.parts.db.look(queries::LANES_DUE).bind(self.parts.db.now());
        let look = look.bind(Value::Array(lanes).to_string()).bind(Value::Array(kinds).to_string());
        let due = look.scalars::<String>().await?;
        let is_wanted = |slots: &Slots| {
            let has_ended = self.ended.iter().any(|ended| ended.kind.lane == slots.lane);
            free(&slots) && (has_ended || due.iter().any(|lane| lane == slots.lane.name))
        };
        Ok((0..self.slots.len()).filter(|index| is_wanted(&self.slots[*index])).collect())
    }

    fn begin(&mut self, lane: Lane, claimed: Claimed, lease: &str) {
        // Only known kinds are claimed.
        let Some(kind) = self.parts.tasks.find(lane, &claimed.kind).cloned() else { return };
        self.held.insert(claimed.id, lease.to_owned());
        if let Some(slots) = self.slots.iter_mut().find(|slots| slots.lane == kind.lane) {
            slots.in_flight += 1;
        }
        let (parts, lease) = (self.parts.clone(), lease.to_owned());
        self.running.spawn(async move {
            let outcome = handle(&kind, &claimed, &parts).await;
            Ended { id: claimed.id, lease, kind, attempts: claimed.attempts, outcome }
        });
    }

    /// Waits until something has ended; forever if nothing is being done. Whoever stops waiting loses nothing.
    pub(super) async fn wait(&mut self) {
        let Some(ended) = self.running.join_next().await else { return std::future::pending().await };
        self.note(ended);
        self.gather();
    }

    /// Notes what has ended besides.
    fn gather(&mut self) {
        while let Some(ended) = self.running.try_join_next() {
            self.note(ended);
        }
    }

    fn note(&mut self, ended: Result<Ended, JoinError>) {
        // A handler that panics has ended, too; a task ends otherwise only when it is aborted.
        let Ok(ended) = ended else { return };
        self.held.remove(&ended.id);
        self.done += usize::from(ended.outcome.is_ok());
        if let Some(slots) = self.slots.iter_mut().find(|slots| slots.lane == ended.kind.lane) {
            slots.in_flight -= 1;
            match ended.outcome {
                Err(TaskError::Unreachable(_)) => slots.rests_until = Some(Instant::now() + REST),
                Ok(()) => slots.rests_until = None,
                Err(_) => {}
            }
        }
        self.ended.push(ended);
    }

    /// Keeps what is being done for longer.
    pub(super) async fn renew(&self) -> Result<(), DbError> {
        if self.held.is_empty() {
            return Ok(());
        }
        let db = &self.parts.db;
        let now = db.now();
        let renew =
            async |tx: &mut Tx| tx.run(queries::RENEW).bind(self.held()).bind(now + LEASE).bind(now).execute().await;
        db.write(renew).await.map(drop)
    }

    /// Ends: waits so long for what is being done, and gives the rest back.
    pub(super) async fn land(mut self, patience: Duration) -> Result<(), DbError> {
        let deadline = Instant::now() + patience;
        while self.is_running() && timeout_at(deadline, self.wait()).await.is_ok() {}
        self.running.shutdown().await;
        let db = &self.parts.db;
        db.write(async |tx| -> Result<(), DbError> {
            settle(tx, &self.ended).await?;
            if !self.held.is_empty() {
                tx.run(queries::RELEASE).bind(self.held()).bind(AT_ONCE).execute().await?;
            }
            Ok(())
        })
        .await
    }

    fn held(&self) -> String {
        Value::Array(self.held.iter().map(|(id, lease)| json!({"id": id, "lease": lease})).collect()).to_string()
    }
}

/// Does one task; a panic is a failure like any other.
async fn handle(kind: &Kind, claimed: &Claimed, parts: &ShopParts) -> Result<(), TaskError> {
    if let Repetition::Once(back_off) = kind.repetition
        && back_off.is_exceeded(claimed.attempts)
    {
        return Err(TaskError::Never(String::from("whoever tried it died over it each time")));
    }
    let payload = claimed.payload.0.to_string();
    let call = AssertUnwindSafe(kind.handler.handle(&payload, parts)).catch_unwind();
    let (lane, kind_name, attempt) = (kind.lane.name, kind.name, claimed.attempts);
    let span = tracing::info_span!("task", lane, kind = kind_name, task = claimed.id, attempt);
    call.instrument(span).await.unwrap_or_else(|_| Err(TaskError::Later(format!("the {} panicked", kind.lane.runs))))
}
