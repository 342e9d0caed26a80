//! What one process has in flight.

use std::collections::{BTreeMap, HashMap};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use tracing::Instrument;

use stoa_kernel::clock::Clock;
use stoa_kernel::db::DbError;

use super::Connector;
use super::claim::{Claimed, Destination, Waiting, claim, distribute, has_place, last_due, lease_end};
use super::counters::Counters;
use super::record::{Ended, record_health, record_results};
use super::uses::WebhookDelivery;
use crate::webhooks::attempt::{Attempt, Outcome, Request, Target, attempt};
use crate::webhooks::queries;

/// Leases that are shorter than this are prolonged while an attempt lasts, which is ten seconds at most.
const SHORT_LEASE_SECONDS: u64 = 15;

/// The attempts that are running, and those that have ended and are not written down yet.
pub(super) struct Flight<'a> {
    uses: &'a WebhookDelivery,
    connector: &'a Connector,
    counters: &'a Counters,
    running: JoinSet<Ended>,
    /// Leases of what is running, by delivery.
    held: HashMap<i64, String>,
    /// Running attempts by endpoint.
    busy: HashMap<i64, usize>,
    ended: Vec<Ended>,
    /// The endpoints as they were when it was last looked.
    endpoints: Vec<Waiting>,
    turns: usize,
    renewed: Instant,
    delivered: usize,
}

impl<'a> Flight<'a> {
    pub(super) fn new(uses: &'a WebhookDelivery, connector: &'a Connector, counters: &'a Counters) -> Self {
        Self {
            uses,
            connector,
            counters,
            running: JoinSet::new(),
            held: HashMap::new(),
            busy: HashMap::new(),
            ended: Vec::new(),
            endpoints: Vec::new(),
            turns: 0,
            renewed: Instant::now(),
            delivered: 0,
        }
    }

    /// Whether nothing is running or waits to be written down.
    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty() && self.ended.is_empty()
    }

    /// Whether something could be started, if it was there. While all endpoints are busy, what is queued for them need not be
    /// looked for.
    pub(super) fn has_place(&self) -> bool {
        has_place(&self.endpoints, &self.busy)
    }

    /// Deliveries that have arrived.
    pub(super) fn delivered(&self) -> usize {
        self.delivered
    }

    /// Writes down what has ended, claims as much as there are free places, and starts it: one transaction, and none when
    /// there is nothing to do.
    pub(super) async fn turn(&mut self) -> Result<(), DbError> {
        self.renew().await?;
        let db = &self.uses.db;
        let now = db.now();
        let seconds = self.uses.config.webhooks.lease_seconds;
        self.endpoints = db.look(queries::LOOK).bind(now).bind(last_due(now, seconds)).all::<Waiting>().await?;
        let wanted = distribute(&self.endpoints, &self.busy, self.turns);
        self.turns = self.turns.wrapping_add(1);
        if wanted.is_empty() && self.ended.is_empty() {
            return Ok(());
        }
        let lease = self.uses.random.uuid().to_string();
        let (ended, endpoints) = (&self.ended, &self.endpoints);
        let done = db.write(async |tx| -> Result<_, DbError> {
            record_health(tx, ended, endpoints).await?;
            let destinations = tx.run(queries::DESTINATIONS).all::<Destination>().await?;
            let destinations = destinations.into_iter().map(|found| (found.id(), found)).collect::<BTreeMap<_, _>>();
            let tally = record_results(tx, ended, |endpoint| destinations.contains_key(&endpoint)).await?;
            let claimed = claim(tx, &wanted, &destinations, &lease, seconds).await?;
            Ok((tally, destinations, claimed))
        });
        let (tally, destinations, claimed) = done.await?;
        tally.add_to(self.counters);
        self.delivered += usize::try_from(tally.delivered).unwrap_or(usize::MAX);
        self.ended.clear();
        self.start(claimed, &destinations, &lease);
        Ok(())
    }

    fn start(&mut self, claimed: Vec<Claimed>, destinations: &BTreeMap<i64, Destination>, lease: &str) {
        let now = self.uses.db.now();
        let mut targets = HashMap::<i64, Result<Arc<Target>, String>>::new();
        for claimed in claimed {
            let target = targets.entry(claimed.endpoint_id).or_insert_with(|| {
                let destination = destinations.get(&claimed.endpoint_id);
                let destination = destination.ok_or_else(|| String::from("the endpoint is gone"))?;
                destination.target(&self.uses.cipher, now).map(Arc::new)
            });
            *self.busy.entry(claimed.endpoint_id).or_default() += 1;
            self.held.insert(claimed.id, lease.to_owned());
            let (connector, clock) = (self.connector.clone(), self.uses.clock.clone());
            self.running.spawn(run(connector, clock, target.clone(), claimed, lease.to_owned()));
        }
    }

    /// Waits until something has ended, and takes all that has.
    pub(super) async fn settle_next(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let patience = self.renewal().unwrap_or(Duration::MAX);
        if let Ok(Some(Ok(ended))) = tokio::time::timeout(patience, self.running.join_next()).await {
            self.take(ended);
        }
        while let Some(Ok(ended)) = self.running.try_join_next() {
            self.take(ended);
        }
    }

    fn take(&mut self, ended: Ended) {
        self.held.remove(&ended.claimed.id);
        if let Some(busy) = self.busy.get_mut(&ended.claimed.endpoint_id) {
            *busy -= 1;
            if *busy == 0 {
                self.busy.remove(&ended.claimed.endpoint_id);
            }
        }
        self.ended.push(ended);
    }

    /// How often leases are prolonged, when they are shorter than an attempt may take.
    fn renewal(&self) -> Option<Duration> {
        let seconds = self.uses.config.webhooks.lease_seconds;
        (seconds < SHORT_LEASE_SECONDS).then(|| Duration::from_millis(seconds * 1000 / 3))
    }

    async fn renew(&mut self) -> Result<(), DbError> {
        let Some(interval) = self.renewal() else { return Ok(()) };
        if self.held.is_empty() || self.renewed.elapsed() < interval {
            return Ok(());
        }
        let (held, seconds) = (self.held(), self.uses.config.webhooks.lease_seconds);
        self.uses
            .db
            .write(async |tx| {
                let ends = lease_end(tx.now(), seconds);
                tx.run(queries::RENEW).bind(held.as_str()).bind(ends).execute().await
            })
            .await?;
        self.renewed = Instant::now();
        Ok(())
    }

    fn held(&self) -> String {
        let held = self.held.iter().map(|(id, lease)| json!({"id": id, "lease": lease}));
        Value::Array(held.collect()).to_string()
    }

    /// Waits for what is running, writes down what has ended, and gives the leases of the rest back.
    pub(super) async fn land(mut self, patience: Duration) {
        let wait = async {
            while !self.running.is_empty() {
                self.settle_next().await;
            }
        };
        let _ = tokio::time::timeout(patience, wait).await;
        self.running.abort_all();
        let (ended, held) = (&self.ended, self.held());
        let landed = self.uses.db.write(async |tx| -> Result<_, DbError> {
            record_health(tx, ended, &[]).await?;
            let tally = record_results(tx, ended, |_| true).await?;
            let now = tx.now();
            tx.run(queries::RELEASE).bind(held.as_str()).bind(now).execute().await?;
            Ok(tally)
        });
        match landed.await {
            Ok(tally) => tally.add_to(self.counters),
            Err(error) => {
                tracing::warn!(error = &error as &dyn std::error::Error, "leases of webhooks could not be given back");
            }
        }
    }
}

async fn run(
    connector: Connector,
    clock: Clock,
    target: Result<Arc<Target>, String>,
    claimed: Claimed,
    lease: String,
) -> Ended {
    let failed = |outcome| Attempt { outcome, duration: Duration::ZERO, address: None };
    let made = match target {
        Err(error) => failed(Outcome::Final { status: None, error }),
        Ok(target) => {
            let Claimed { event, delivery_id, body, .. } = claimed.clone();
            let request = Request { event, delivery_id, body };
            let sending = attempt(&connector.client, connector.reach, &clock, &target, &request);
            // A panic must not take the places of an endpoint for ever.
            let (delivery, endpoint) = (claimed.delivery_id.as_str(), claimed.endpoint_id);
            let span = tracing::info_span!("delivery", delivery, endpoint, attempt = claimed.attempts);
            let sent = AssertUnwindSafe(sending).catch_unwind().instrument(span).await;
            sent.unwrap_or_else(|_| {
                failed(Outcome::Retryable {
                    status: None,
                    error: String::from("sending broke off; please report this"),
                })
            })
        }
    };
    Ended { claimed, lease, attempt: made, at: clock.now() }
}
