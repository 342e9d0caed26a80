//! Asking providers about attempts that nobody knows the end of (contract 3): each is a task of the queue until it is over.

use std::sync::{Arc, Mutex, PoisonError};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::error_chain;
use stoa_kernel::gateways::AttemptStatus;
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Queue, Task, TaskError};

use super::gateway_calls::{self, GatewayCallError, next_check};
use super::records::{Attempt, find_attempt, find_open_attempt};
use crate::payments::Payments;

/// Attempts that providers are asked about; one that does not answer takes as long as patience lasts.
pub(super) const ATTEMPTS: Lane = Lane::new("attempts", 32, "question").abreast(8);

/// An attempt that is to be asked about.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct AskAboutAttempt {
    attempt: i64,
    gateway: String,
}

impl Task for AskAboutAttempt {
    const KIND: &'static str = "payments.ask";
    const LANE: Lane = ATTEMPTS;

    fn order_key(&self) -> Option<String> {
        Some(self.gateway.clone())
    }

    fn subject(&self) -> Option<i64> {
        Some(self.attempt)
    }
}

/// Has an open attempt be asked about at a time.
pub(super) async fn ask_at(tx: &mut Tx, attempt_id: i64, gateway: &str, time: DateTime<Utc>) -> Result<(), DbError> {
    tx.enqueue_at(&AskAboutAttempt { attempt: attempt_id, gateway: gateway.to_owned() }, time).await
}

/// Has nobody ask about an attempt any more that is over.
pub(super) async fn ask_no_more(tx: &mut Tx, attempt_id: i64) -> Result<(), DbError> {
    tx.dequeue::<AskAboutAttempt>(attempt_id).await
}

/// What asking about an attempt came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reconciled {
    /// The attempt.
    pub attempt_id: i64,
    /// The order that it is to pay.
    pub order_id: i64,
    /// The gateway.
    pub gateway: String,
    /// How far it was.
    pub before: AttemptStatus,
    /// How far it is now.
    pub after: AttemptStatus,
    /// Why nothing could be found out.
    pub error: Option<String>,
}

/// What asks about attempts, and whoever wants to know what came of it.
#[derive(Clone, Default)]
pub(super) struct AskAboutAttempts(Option<Arc<Mutex<Vec<Reconciled>>>>);

impl HandleTask<AskAboutAttempt> for AskAboutAttempts {
    type Uses = Payments;

    const RETRY: BackOff = BackOff::minutes(&[1, 5, 15, 60]).endless();

    async fn handle(&self, task: &AskAboutAttempt, payments: &Payments) -> Result<(), TaskError> {
        let attempt = find_attempt(&payments.db, task.attempt).await?.filter(|attempt| attempt.status.is_open());
        let Some(attempt) = attempt else { return Ok(()) };
        let was_begun = attempt.gateway_attempt_id.is_some();
        let reconciled = reconcile(payments, &attempt).await?;
        let error = reconciled.error.clone();
        if let Some(told) = &self.0 {
            told.lock().unwrap_or_else(PoisonError::into_inner).push(reconciled);
        }
        let still_open = find_attempt(&payments.db, task.attempt).await?.filter(|attempt| attempt.status.is_open());
        let Some(attempt) = still_open else { return Ok(()) };
        // One that was begun only now is as new as any other.
        let is_new = !was_begun && attempt.gateway_attempt_id.is_some();
        let next = next_check(payments.db.now(), if is_new { 0 } else { attempt.checks });
        Err(error.map_or(TaskError::NotYet(next), |error| TaskError::LaterAt(error, next)))
    }
}

/// Asks now about all attempts that are due, as a worker does, and says what came of each.
pub async fn reconcile_due(queue: &Queue) -> Result<Vec<Reconciled>, DbError> {
    let told = Arc::default();
    let queue = queue.with_kinds(|kinds| kinds.with(AskAboutAttempts(Some(Arc::clone(&told)))));
    queue.drain(ATTEMPTS).await?;
    Ok(std::mem::take(&mut *told.lock().unwrap_or_else(PoisonError::into_inner)))
}

/// Asks now about the attempt of an order that may still bring money, whether or not it is due; none if there is none.
pub async fn reconcile_order(payments: &Payments, order_id: i64) -> Result<Option<Reconciled>, DbError> {
    match find_open_attempt(&payments.db, order_id).await? {
        Some(attempt) => {
            let asked = payments.db.write(async |tx| {
                let (subject, after) = (Subject::order(order_id), json!({"attempt": attempt.id}));
                tx.audit_operator("payments.ask", subject, Value::Null, after).await
            });
            asked.await?;
            Ok(Some(reconcile(payments, &attempt).await?))
        }
        None => Ok(None),
    }
}

/// Asks about one attempt now. What the provider does not answer is written down and asked again later.
async fn reconcile(payments: &Payments, attempt: &Attempt) -> Result<Reconciled, DbError> {
    let error = match gateway_calls::ask_gateway(payments, attempt).await {
        Ok(_) => None,
        Err(GatewayCallError::Db(error)) => return Err(error),
        Err(error) => Some(error_chain(&error)),
    };
    let after = find_attempt(&payments.db, attempt.id).await?;
    Ok(Reconciled {
        attempt_id: attempt.id,
        order_id: attempt.order_id,
        gateway: attempt.gateway.clone(),
        before: attempt.status,
        after: after.map_or(attempt.status, |attempt| attempt.status),
        error,
    })
}
