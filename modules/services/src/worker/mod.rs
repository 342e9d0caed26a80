//! Doing what is to be done at providers: a lease, a call outside of any transaction, and what came of it.
//!
//! Any number of processes may work on one database. Before a call its row says that it begins, so whoever finds the row after
//! a crash knows that the outcome is not known, and looks before anything is done again.

mod call;
mod compare;
mod queries;
mod uses;

pub(crate) use uses::WorkerUses;

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use stoa_core::clock::horizon;
use stoa_core::encryption::Cipher;
use stoa_core::error_chain;
use stoa_core::prelude::*;

use self::call::{Called, call};
use crate::config::Config;
use crate::lifecycle::{POLL, Step};
use crate::model::{Action, ProvisionedService};
use crate::provider::{Providers, ServiceRequest};
use crate::queries::LOCK_LEASED;
use crate::store::{Actor, LogEntry, log, proceed, store};

/// Services that are worked on at once.
const AT_ONCE: usize = 8;

/// How long a run takes up new work: the same process has other things to do, and is back at once.
const BUDGET: Duration = Duration::from_secs(15);

/// How much longer a lease is than a call may take.
const LEASE_SLACK: TimeDelta = TimeDelta::seconds(60);

/// How long to wait after the database has failed.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// Works on services. Cloning gives the same worker.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) providers: Providers,
    config: Arc<Config>,
}

/// What is to be called next.
struct NextCall {
    provider: String,
    action: Action,
    request: ServiceRequest,
    has_credentials: bool,
}

impl Worker {
    pub(crate) fn new(config: &Config, providers: &Providers) -> Self {
        Self { providers: providers.clone(), config: Arc::new(config.clone()) }
    }

    /// Whether something is due that nobody has in hand.
    pub(crate) async fn is_due(&self, db: &Db) -> Result<bool, DbError> {
        let now = db.now();
        let found = db.look(queries::IS_DUE).bind(now).bind(self.last_due(now)).bind(horizon(now, self.lease()));
        Ok(found.scalar::<i64>().await? > 0)
    }

    /// Works on what is due now. A service that cannot be worked on keeps no other waiting.
    pub(crate) async fn run_due(&self, uses: &WorkerUses) -> Result<(), DbError> {
        let started = Instant::now();
        let lease = uses.random.uuid().to_string();
        let mut running = FuturesUnordered::new();
        loop {
            if running.len() < AT_ONCE && started.elapsed() < BUDGET {
                let claim = self.claim(&uses.db, &lease, AT_ONCE - running.len());
                tokio::pin!(claim);
                let claimed = loop {
                    tokio::select! {
                        claimed = &mut claim => break claimed?,
                        // Those under way go on meanwhile: they may hold the connections that the claim waits for.
                        Some(()) = running.next() => {}
                    }
                };
                for id in claimed {
                    running.push(self.drive(uses, id, lease.clone(), Actor::Worker));
                }
            }
            if running.next().await.is_none() {
                return Ok(());
            }
        }
    }

    /// Works on one service now, due or not. Nothing happens while another worker has it in hand; says whether it was so.
    pub(crate) async fn run_one(&self, uses: &WorkerUses, id: i64, actor: Actor) -> Result<bool, DbError> {
        let lease = uses.random.uuid().to_string();
        let db = &uses.db;
        let until = db.now() + self.lease();
        let claimed = db
            .write(async |tx| -> Result<u64, DbError> {
                let now = tx.now();
                let claim = tx.run(queries::CLAIM_ONE).bind(id).bind(now).bind(lease.as_str());
                claim.bind(until).bind(horizon(now, self.lease())).execute().await
            })
            .await?;
        if claimed == 1 {
            self.drive(uses, id, lease, actor).await;
        }
        Ok(claimed == 1)
    }

    async fn claim(&self, db: &Db, lease: &str, places: usize) -> Result<Vec<i64>, DbError> {
        // Looking first keeps an idle shop from writing.
        if !self.is_due(db).await? {
            return Ok(Vec::new());
        }
        let now = db.now();
        let until = now + self.lease();
        let places = i64::try_from(places).unwrap_or(1);
        db.write(async |tx| -> Result<Vec<i64>, DbError> {
            let claim = tx.run(queries::CLAIM).bind(now).bind(self.last_due(now)).bind(horizon(now, self.lease()));
            claim.bind(lease).bind(until).bind(places).scalars().await
        })
        .await
    }

    /// Behind this time no attempt can lie.
    fn last_due(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        horizon(now, self.config.ladder().into_iter().fold(POLL, Ord::max))
    }

    fn lease(&self) -> TimeDelta {
        // Looking, calling and asking for credentials may follow one another before the lease is renewed.
        TimeDelta::seconds(i64::try_from(self.config.call_seconds).unwrap_or(60) * 3) + LEASE_SLACK
    }

    /// Goes on with one service until there is nothing to do now. What goes wrong with the database ends in the log; the lease
    /// ends by itself.
    async fn drive(&self, uses: &WorkerUses, id: i64, lease: String, actor: Actor) {
        let mut called = None;
        loop {
            let next = match self.advance_at_last(&uses.db, &uses.cipher, id, &lease, actor, called.as_ref()).await {
                Ok(Some(next)) => next,
                Ok(None) => return,
                Err(error) => {
                    tracing::error!(service.id = id, error = error_chain(&error), "a service could not be worked on");
                    return;
                }
            };
            called = Some(call(&self.providers, self.config.call_limit(), &next, &uses.provider).await);
        }
    }

    /// Tries `advance` more than once while the database does not let it: what a provider has answered shall not be lost.
    async fn advance_at_last(
        &self,
        db: &Db,
        cipher: &Cipher,
        id: i64,
        lease: &str,
        actor: Actor,
        called: Option<&Called>,
    ) -> Result<Option<NextCall>, DbError> {
        for pause in PAUSES {
            match self.advance(db, cipher, id, lease, actor, called).await {
                Ok(next) => return Ok(next),
                Err(error) => {
                    tracing::warn!(service.id = id, error = error_chain(&error), "a service is written down once more");
                    tokio::time::sleep(pause).await;
                }
            }
        }
        self.advance(db, cipher, id, lease, actor, called).await
    }

    /// Notes what a call came to, and takes the next step; the call that it consists in, if it does.
    async fn advance(
        &self,
        db: &Db,
        cipher: &Cipher,
        id: i64,
        lease: &str,
        actor: Actor,
        called: Option<&Called>,
    ) -> Result<Option<NextCall>, DbError> {
        let ladder = self.config.ladder();
        db.write(async |tx| -> Result<Option<NextCall>, DbError> {
            let now = tx.now();
            let locked = tx.run(LOCK_LEASED).bind(id).bind(now).bind(lease).optional::<ProvisionedService>().await?;
            let Some(mut service) = locked else {
                // Somebody has taken it over; whoever goes on looks at the provider first.
                tracing::warn!(service.id = id, "what a provider answered came too late to count");
                return Ok(None);
            };
            if let Some(called) = called {
                let held = service.holds_capacity;
                let verdict = service.settle(called.action, &called.answer, &ladder, now);
                if let Some(credentials) = called.credentials() {
                    service.seal(credentials, cipher);
                }
                log(tx, &service, LogEntry::of_call(called.action, actor, &verdict, called.duration_ms)).await?;
                if let Some(problem) = &called.credentials_problem {
                    let entry = LogEntry { result: "unknown", ..LogEntry::done("credentials", actor, Some(problem)) };
                    log(tx, &service, entry).await?;
                }
                if !verdict.goes_on {
                    tell(&service, called.action, verdict.detail.as_deref());
                    service.release();
                    store(tx, &service, held).await?;
                    return Ok(None);
                }
                store(tx, &service, held).await?;
            }
            let (mut service, step) = proceed(tx, service, &self.providers, actor).await?;
            let held = service.holds_capacity;
            let next = match step {
                Step::Rest => {
                    service.release();
                    None
                }
                Step::Call(action) => {
                    service.begin(action, now);
                    service.leased_until = Some(now + self.lease());
                    Some(NextCall {
                        provider: service.provider.clone(),
                        action,
                        request: service.request(),
                        has_credentials: service.credentials.is_some(),
                    })
                }
            };
            store(tx, &service, held).await?;
            Ok(next)
        })
        .await
    }
}

fn tell(service: &ProvisionedService, action: Action, detail: Option<&str>) {
    let Some(detail) = detail else { return };
    let number = service.number().to_string();
    let (provider, action) = (service.provider.as_str(), action.as_str());
    if service.needs_attention {
        tracing::error!(service = number, provider, action, error = detail, "a service needs attention");
    } else {
        tracing::warn!(
            service = number,
            provider,
            action,
            error = detail,
            "a provider did not do what it was asked for"
        );
    }
}
