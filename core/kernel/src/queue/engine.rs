//! Claiming tasks, doing them, and writing down what became of them.
//!
//! A turn is one transaction: it writes down what has ended since the last one, and claims as much as is done at once. So what a
//! task costs is a fraction of a commit.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use sqlx::types::Json;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

use super::distribute::{OrderKeys, Wanted};
use super::enqueue::insert_jobs;
use super::handler::{Handled, Task, TaskError};
use super::kinds::{Kind, Repetition};
use super::lane::{JOBS, Lane};
use super::settle::{Ended, settle};
use super::{AT_ONCE, queries};
use crate::clock::horizon;
use crate::db::{DbError, Tx};
use crate::from_shop::ShopParts;
use crate::panics::panic_text;
use crate::telemetry::continue_trace;

/// How long a lane rests that found nobody there.
const REST: Duration = Duration::from_secs(30);

/// A lane, as far as this process works on it.
struct Slots {
    lane: Lane,
    /// The kinds that are on, with their lane, as elements of the array that statements take; empty when none is.
    kinds: String,
    in_flight: usize,
    /// Where several tasks of one order key are done at once.
    order_keys: OrderKeys,
    rests_until: Option<Instant>,
}

impl Slots {
    fn free(&self) -> usize {
        let rests = self.rests_until.is_some_and(|until| Instant::now() < until);
        if rests { 0 } else { self.lane.at_once.saturating_sub(self.in_flight) }
    }
}

#[derive(sqlx::FromRow)]
struct Claimed {
    id: i64,
    kind: String,
    order_key: Option<String>,
    subject: Option<i64>,
    payload: Json<Box<RawValue>>,
    trace_parent: Option<String>,
    attempts: i64,
}

/// A lane that something is due in.
#[derive(sqlx::FromRow)]
struct Due {
    lane: String,
    /// Where it matters which.
    order_key: Option<String>,
}

/// What is to be claimed from a lane.
enum Claim {
    InOrder,
    Abreast(usize, Vec<Wanted>),
}

/// What one process is doing.
pub(super) struct Engine {
    parts: ShopParts,
    /// How long a claimed task is kept from other instances. Work that takes longer has its lease renewed.
    lease: TimeDelta,
    slots: Vec<Slots>,
    running: JoinSet<Ended>,
    /// The lease of each task that is being done.
    held: HashMap<i64, String>,
    ended: Vec<Ended>,
    done: usize,
    /// When something of what was done here is to be tried again.
    again_at: Option<DateTime<Utc>>,
}

impl Engine {
    /// An engine for these lanes; `at_once` narrows all of them.
    pub(super) fn new(parts: ShopParts, lanes: &[Lane], at_once: Option<usize>) -> Self {
        let slots = lanes.iter().map(|lane| {
            let kinds = parts.tasks.enabled_in(*lane);
            let kinds = kinds.map(|kind| json!({"lane": lane.name, "kind": kind.name}).to_string());
            Slots {
                lane: Lane { at_once: at_once.unwrap_or(lane.at_once), ..*lane },
                kinds: kinds.collect::<Vec<_>>().join(","),
                in_flight: 0,
                order_keys: OrderKeys::default(),
                rests_until: None,
            }
        });
        let seconds = i64::try_from(parts.config.webhooks.lease_seconds).unwrap_or(i64::MAX / 1000);
        Self {
            lease: TimeDelta::seconds(seconds),
            slots: slots.collect(),
            running: JoinSet::new(),
            held: HashMap::new(),
            ended: Vec::new(),
            done: 0,
            again_at: None,
            parts,
        }
    }

    /// Whether nothing is being done, nor left to be written down.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.ended.is_empty()
    }

    /// Whether anything is being done.
    pub(super) fn is_running(&self) -> bool {
        !self.running.is_empty()
    }

    /// How often leases are renewed: often enough that two in a row may fail.
    pub(super) fn renewal(&self) -> Duration {
        (self.lease / 3).to_std().unwrap_or_default()
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
        let Some(jobs) = self.slots.iter().find(|slots| slots.lane.name == JOBS.name) else { return Ok(()) };
        let jobs = kinds_of([jobs]);
        if db.look(queries::MISSING_JOBS).bind(jobs.as_str()).scalar::<i64>().await? > 0 {
            db.write(async |tx| insert_jobs(tx, &jobs).await).await?;
        }
        Ok(())
    }

    /// How long nothing will be due that waits now: for another attempt, or for the end of somebody's lease.
    pub(super) async fn until_due(&self) -> Result<Option<Duration>, DbError> {
        let (db, kinds) = (&self.parts.db, kinds_of(&self.slots));
        let next = db.look(queries::NEXT_DUE).bind(db.now()).bind(kinds).scalar::<Option<DateTime<Utc>>>().await?;
        Ok(next.map(|next| (next - db.now()).to_std().unwrap_or_default()))
    }

    /// The same, of what was done here since it was asked last.
    pub(super) fn until_again(&mut self) -> Option<Duration> {
        let again_at = self.again_at.take()?;
        Some((again_at - self.parts.db.now()).to_std().unwrap_or_default())
    }

    /// Writes down what has ended, and claims what is due and has room.
    pub(super) async fn turn(&mut self) -> Result<(), DbError> {
        self.gather();
        let wanted = self.wanted().await?;
        if self.ended.is_empty() && wanted.is_empty() {
            return Ok(());
        }
        let (now, lease) = (self.parts.db.now(), self.parts.random.uuid().to_string());
        let (ended, slots, ends) = (&self.ended, &self.slots, now + self.lease);
        let written = self.parts.db.write(async |tx| -> Result<_, DbError> {
            let again_at = settle(tx, ended).await?;
            let mut claimed = Vec::new();
            for (index, wanted) in &wanted {
                let slots = &slots[*index];
                let rows = claim(tx, slots, wanted, &lease, ends).await?;
                claimed.extend(rows.into_iter().map(|row| (slots.lane, row)));
            }
            Ok((again_at, claimed))
        });
        let (again_at, mut claimed) = written.await?;
        let done = self.ended.drain(..).filter(|ended| ended.handled.outcome.is_ok());
        self.parts.tasks.count_done(done.map(|ended| ended.kind.lane));
        self.again_at = self.again_at.into_iter().chain(again_at).min();
        // A statement that changes rows gives them in no order.
        claimed.sort_by_key(|(_, claimed)| claimed.id);
        for (lane, claimed) in claimed {
            self.begin(lane, claimed, &lease);
        }
        Ok(())
    }

    /// What is to be claimed. Where something has ended, what waited for it may be due.
    async fn wanted(&mut self) -> Result<Vec<(usize, Claim)>, DbError> {
        let open = self.slots.iter().filter(|slots| slots.free() > 0 && !slots.kinds.is_empty());
        let (abreast, in_order) = open.partition::<Vec<_>, _>(|slots| slots.lane.abreast.is_some());
        if abreast.is_empty() && in_order.is_empty() {
            return Ok(Vec::new());
        }
        let lanes = abreast.iter().map(|slots| json!({"lane": slots.lane.name})).collect();
        let look = self.parts.db.look(queries::LOOK).bind(self.parts.db.now()).bind(kinds_of(in_order));
        let due = look.bind(kinds_of(abreast)).bind(Value::Array(lanes).to_string()).all::<Due>().await?;
        let mut wanted = Vec::new();
        for (index, slots) in self.slots.iter_mut().enumerate().filter(|(_, slots)| slots.free() > 0) {
            let due = due.iter().filter(|due| due.lane == slots.lane.name).collect::<Vec<_>>();
            let claim = if let Some(each) = slots.lane.abreast {
                let due = due.iter().filter_map(|due| due.order_key.as_deref()).collect::<Vec<_>>();
                let wanted = slots.order_keys.distribute(slots.lane, each, &due);
                (!wanted.is_empty()).then_some(Claim::Abreast(each, wanted))
            } else {
                let has_ended = self.ended.iter().any(|ended| ended.kind.lane.name == slots.lane.name);
                (!slots.kinds.is_empty() && (has_ended || !due.is_empty())).then_some(Claim::InOrder)
            };
            wanted.extend(claim.map(|claim| (index, claim)));
        }
        Ok(wanted)
    }

    /// Begins the task of a subject, if it is due and nobody else does it.
    pub(super) async fn take<T: Task>(&mut self, subject: i64) -> Result<(), DbError> {
        let (now, lease) = (self.parts.db.now(), self.parts.random.uuid().to_string());
        let (name, ends) = (lease.as_str(), now + self.lease);
        let claimed = self.parts.db.write(async |tx| {
            let claim = tx.run(queries::CLAIM_ONE).bind(subject).bind(T::KIND).bind(name).bind(ends).bind(now);
            claim.optional::<Claimed>().await
        });
        if let Some(claimed) = claimed.await? {
            self.begin(T::LANE, claimed, &lease);
        }
        Ok(())
    }

    /// Goes on until nothing is being done, nor due.
    pub(super) async fn finish(&mut self) -> Result<(), DbError> {
        let mut renewal = Instant::now() + self.renewal();
        loop {
            self.turn().await?;
            if self.is_idle() {
                match self.until_again() {
                    // It was enqueued anew while it was being done.
                    Some(Duration::ZERO) => continue,
                    Some(_) | None => return Ok(()),
                }
            }
            // However much ends meanwhile.
            if timeout_at(renewal, self.wait()).await.is_err() || Instant::now() >= renewal {
                self.renew().await?;
                renewal = Instant::now() + self.renewal();
            }
        }
    }

    fn begin(&mut self, lane: Lane, claimed: Claimed, lease: &str) {
        // Only known kinds are claimed.
        let Some(kind) = self.parts.tasks.find(lane, &claimed.kind).cloned() else { return };
        self.held.insert(claimed.id, lease.to_owned());
        if let Some(slots) = self.slots.iter_mut().find(|slots| slots.lane.name == kind.lane.name) {
            slots.in_flight += 1;
            if let Some(order_key) = claimed.order_key.as_deref().filter(|_| slots.lane.abreast.is_some()) {
                slots.order_keys.begin(order_key);
            }
        }
        let (parts, lease) = (self.parts.clone(), lease.to_owned());
        self.running.spawn(async move {
            let payload = claimed.payload.0.get();
            let handled = handle(&kind, &claimed, payload, &parts).await;
            Ended {
                id: claimed.id,
                lease,
                payload: payload.to_owned(),
                kind,
                order_key: claimed.order_key,
                subject: claimed.subject,
                attempts: claimed.attempts,
                finished_at: parts.db.now(),
                handled,
            }
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
        let has_failed = ended.error().is_some();
        self.done += usize::from(!has_failed);
        if let Some(slots) = self.slots.iter_mut().find(|slots| slots.lane.name == ended.kind.lane.name) {
            slots.in_flight -= 1;
            if let Some(order_key) = ended.order_key.as_deref().filter(|_| slots.lane.abreast.is_some()) {
                slots.order_keys.end(order_key, has_failed);
            }
            if !has_failed {
                slots.rests_until = None;
            } else if matches!(ended.handled.outcome, Err(TaskError::Unreachable(_))) {
                slots.rests_until = Some(Instant::now() + REST);
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
        let renew = async |tx: &mut Tx| {
            tx.run(queries::RENEW).bind(self.held()).bind(now + self.lease).bind(now).execute().await
        };
        db.write(renew).await.map(drop)
    }

    /// Ends: waits so long for what is being done, and gives the rest back.
    pub(super) async fn land(mut self, patience: Duration) -> Result<(), DbError> {
        let deadline = Instant::now() + patience;
        while self.is_running() && timeout_at(deadline, self.wait()).await.is_ok() {}
        self.running.shutdown().await;
        let db = &self.parts.db;
        db.write(async |tx| -> Result<(), DbError> {
            let _ = settle(tx, &self.ended).await?;
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

fn kinds_of<'a>(slots: impl IntoIterator<Item = &'a Slots>) -> String {
    let kinds = slots.into_iter().map(|slots| slots.kinds.as_str()).filter(|kinds| !kinds.is_empty());
    format!("[{}]", kinds.collect::<Vec<_>>().join(","))
}

async fn claim(
    tx: &mut Tx,
    slots: &Slots,
    wanted: &Claim,
    lease: &str,
    ends: DateTime<Utc>,
) -> Result<Vec<Claimed>, DbError> {
    let now = tx.now();
    let statement = match wanted {
        Claim::InOrder => queries::CLAIM,
        Claim::Abreast(..) => queries::CLAIM_ABREAST,
    };
    let claim = tx.run(statement).bind(slots.lane.name).bind(now).bind(lease).bind(ends).bind(kinds_of([slots]));
    let limit = |places: usize| i64::try_from(places).unwrap_or(i64::MAX);
    match wanted {
        Claim::InOrder => claim.bind(limit(slots.free())).all().await,
        Claim::Abreast(each, wanted) => claim.bind(Wanted::array(wanted)).bind(limit(*each)).bind(AT_ONCE).all().await,
    }
}

/// Does one task; a panic is a failure like any other.
async fn handle(kind: &Kind, claimed: &Claimed, payload: &str, parts: &ShopParts) -> Handled {
    if let Repetition::Once(back_off) = kind.repetition
        && back_off.is_exceeded(claimed.attempts)
    {
        return Err(TaskError::Never(String::from("whoever tried it died over it each time"))).into();
    }
    let attempt = claimed.attempts;
    let call = AssertUnwindSafe(kind.handler.handle(payload, attempt, parts)).catch_unwind();
    let (lane, kind_name) = (kind.lane.name, kind.name);
    let span = tracing::info_span!("task", lane, kind = kind_name, task = claimed.id, attempt);
    continue_trace(&span, claimed.trace_parent.as_deref());
    let handled = call.instrument(span).await;
    handled.unwrap_or_else(|panic| {
        let told = format!("the {} {}", kind.lane.runs, panic_text(panic.as_ref()));
        Err(TaskError::Later(told)).into()
    })
}
