//! Doing what is to be done at providers: each service that waits for its provider is a task of the queue.
//!
//! Before a call its row says that it begins, so whoever finds the row after a crash knows that the outcome is not known, and
//! looks before anything is done again.

mod call;
mod compare;
mod queries;
mod task;
mod uses;

pub(crate) use task::{SERVICES, WorkOnService};
pub(crate) use uses::WorkerUses;

use std::sync::Arc;
use std::time::Duration;

use stoa_core::encryption::Cipher;
use stoa_core::error_chain;
use stoa_core::from_shop::{FromShop, ShopParts};
use stoa_core::prelude::*;
use stoa_core::queue::{BackOff, HandleTask, Queue, TaskError};

use self::call::{Called, call};
use crate::config::Config;
use crate::lifecycle::{CallResult, ServiceStep};
use crate::model::{Action, ProvisionedService};
use crate::provider::{Providers, ServiceRequest};
use crate::store::{Actor, LogEntry, lock, log, proceed, store};

/// How long to wait after the database has failed.
const PAUSES: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(1)];

/// Works on services. Cloning gives the same worker.
#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) providers: Providers,
    config: Arc<Config>,
    /// On whose behalf.
    actor: Actor,
}

/// What is to be called next.
struct NextCall {
    /// Which of the calls about the service it is.
    number: i64,
    provider: String,
    action: Action,
    request: ServiceRequest,
    has_credentials: bool,
}

/// What follows from a step.
enum Advanced {
    /// The provider is to be called.
    Call(Box<NextCall>),
    /// Nothing can be done now, and the queue is told why.
    Ended(Result<(), TaskError>),
}

impl HandleTask<WorkOnService> for Worker {
    type Uses = WorkerUses;

    /// When the database fails; what providers do is tried again by `retry_seconds`.
    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60]).endless();

    /// Goes on with one service until there is nothing to do now.
    async fn handle(&self, task: &WorkOnService, uses: &WorkerUses) -> Result<(), TaskError> {
        let mut called = None;
        loop {
            match self.advance_at_last(uses, task.service, called.as_ref()).await? {
                Advanced::Ended(outcome) => return outcome,
                Advanced::Call(next) => {
                    called = Some(call(&self.providers, self.config.call_limit(), &next, &uses.provider).await);
                }
            }
        }
    }
}

impl Worker {
    pub(crate) fn new(config: &Config, providers: &Providers) -> Self {
        Self { providers: providers.clone(), config: Arc::new(config.clone()), actor: Actor::Worker }
    }

    /// Works on one service here and now, on behalf of the operator, if there is something to do. Nothing happens while another
    /// worker has it in hand.
    pub(crate) async fn work_now(&self, parts: &ShopParts, id: i64) -> Result<(), DbError> {
        let worker = Self { actor: Actor::Operator, ..self.clone() };
        let queue = Queue::from_shop(parts).with_kinds(|kinds| kinds.with(worker));
        queue.do_now::<WorkOnService>(id).await
    }

    /// Tries `advance` more than once while the database does not let it: what a provider has answered shall not be lost.
    async fn advance_at_last(&self, uses: &WorkerUses, id: i64, called: Option<&Called>) -> Result<Advanced, DbError> {
        for pause in PAUSES {
            match self.advance(uses, id, called).await {
                Ok(next) => return Ok(next),
                Err(error) => {
                    tracing::warn!(service.id = id, error = error_chain(&error), "a service is written down once more");
                    tokio::time::sleep(pause).await;
                }
            }
        }
        self.advance(uses, id, called).await
    }

    /// Notes what a call came to, and takes the next step.
    async fn advance(&self, uses: &WorkerUses, id: i64, called: Option<&Called>) -> Result<Advanced, DbError> {
        uses.db
            .write(async |tx| -> Result<Advanced, DbError> {
                let Some(mut service) = lock(tx, id).await? else { return Ok(Advanced::Ended(Ok(()))) };
                if let Some(called) = called {
                    if called.number != service.calls {
                        // Whoever goes on looks at the provider first.
                        tracing::warn!(service.id = id, "what a provider answered came too late to count");
                        return Ok(Advanced::Ended(Ok(())));
                    }
                    let verdict = self.note(tx, &uses.cipher, &mut service, called).await?;
                    if !verdict.goes_on {
                        return Ok(Advanced::Ended(outcome(&service, called.action, verdict.detail.as_deref())));
                    }
                }
                self.go_on(tx, service).await
            })
            .await
    }

    /// Writes down what a call came to.
    async fn note(
        &self,
        tx: &mut Tx,
        cipher: &Cipher,
        service: &mut ProvisionedService,
        called: &Called,
    ) -> Result<CallResult, DbError> {
        let held = service.holds_capacity;
        let verdict = service.record_call(called.action, &called.answer, &self.config.ladder(), tx.now());
        if let Some(credentials) = called.credentials() {
            service.seal(credentials, cipher);
        }
        log(tx, service, LogEntry::of_call(called.action, self.actor, &verdict, called.duration_ms)).await?;
        if let Some(problem) = &called.credentials_problem {
            let entry = LogEntry { result: "unknown", ..LogEntry::done("credentials", self.actor, Some(problem)) };
            log(tx, service, entry).await?;
        }
        store(tx, service, held).await?;
        Ok(verdict)
    }

    /// Takes the next step; if that is a call, it begins.
    async fn go_on(&self, tx: &mut Tx, service: ProvisionedService) -> Result<Advanced, DbError> {
        let (mut service, step) = proceed(tx, service, &self.providers, self.actor).await?;
        let ServiceStep::Call(action) = step else {
            return Ok(Advanced::Ended(outcome(&service, Action::Inspect, None)));
        };
        let held = service.holds_capacity;
        service.begin(action, tx.now());
        store(tx, &service, held).await?;
        Ok(Advanced::Call(Box::new(NextCall {
            number: service.calls,
            provider: service.provider.clone(),
            action,
            request: service.request(),
            has_credentials: service.credentials.is_some(),
        })))
    }
}

/// What the queue is told: when there is more to do, and what has failed.
fn outcome(service: &ProvisionedService, action: Action, failure: Option<&str>) -> Result<(), TaskError> {
    let (number, provider) = (service.number(), service.provider.as_str());
    match (failure, service.due_at) {
        (None, None) => Ok(()),
        (None, Some(due_at)) => Err(TaskError::NotYet(due_at)),
        (Some(error), Some(due_at)) => {
            Err(TaskError::LaterAt(format!("`{provider}` did not {action} {number}: {error}"), due_at))
        }
        (Some(error), None) => {
            let action = action.as_str();
            tracing::error!(service = %number, provider, action, error, "a service needs attention");
            Ok(())
        }
    }
}
