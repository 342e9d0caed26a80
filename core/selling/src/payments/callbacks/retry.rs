//! Messages that are looked at again: about payments that were not known yet, or that the provider must be asked about.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::types::Json;

use stoa_kernel::audit::Subject;
use stoa_kernel::config::Config;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::error_chain;
use stoa_kernel::gateways::Notification;
use stoa_kernel::queue::{BackOff, HandleTask, Lane, Task, TaskError};

use super::apply::{apply, refund_of};
use super::inbox::{CallbackOutcome, store_outcome};
use super::listing::{CallbackRecord, CallbackState, find_callback};
use super::queries;
use super::receive::{Asked, StoredCallbackAge, ask_gateway, next_try};
use crate::orders::Actor;
use crate::payments::Payments;
use crate::refunds::SettleRefundError;

/// Messages that are looked at again; about some of them a provider is asked.
pub(in crate::payments) const CALLBACKS: Lane = Lane::new("callbacks", 32, "look at a callback").abreast(8);

/// A message that is to be looked at again.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::payments) struct LookAgain {
    callback: i64,
    gateway: String,
}

impl Task for LookAgain {
    const KIND: &'static str = "payments.callback";
    const LANE: Lane = CALLBACKS;

    fn order_key(&self) -> Option<String> {
        Some(self.gateway.clone())
    }

    fn subject(&self) -> Option<i64> {
        Some(self.callback)
    }
}

/// Has a message be looked at at a time.
pub(super) async fn look_at(tx: &mut Tx, callback: i64, gateway: &str, time: DateTime<Utc>) -> Result<(), DbError> {
    tx.enqueue_at(&LookAgain { callback, gateway: gateway.to_owned() }, time).await
}

/// Has nobody look at a message any more that is done with.
pub(super) async fn look_no_more(tx: &mut Tx, callback: i64) -> Result<(), DbError> {
    tx.dequeue::<LookAgain>(callback).await
}

/// What looks at messages again.
pub(in crate::payments) struct LookAgainAtCallbacks;

impl HandleTask<LookAgain> for LookAgainAtCallbacks {
    type Uses = (Arc<Config>, Payments);

    const RETRY: BackOff = BackOff::minutes(&[1]).endless();

    async fn handle(&self, task: &LookAgain, (config, payments): &Self::Uses) -> Result<(), TaskError> {
        let take = async |tx: &mut Tx| tx.run(queries::TAKE).bind(task.callback).optional::<CallbackRow>().await;
        let Some(waiting) = payments.db.write(take).await? else { return Ok(()) };
        let looked = look_again(config, payments, waiting).await;
        let (asked, next) = looked.map_err(|error| TaskError::Later(error_chain(&error)))?;
        let Some(next) = next else { return Ok(()) };
        Err(asked.failure.map_or(TaskError::NotYet(next), |error| TaskError::LaterAt(error, next)))
    }
}

#[derive(sqlx::FromRow)]
struct CallbackRow {
    id: i64,
    gateway: String,
    notification: Json<Notification>,
    received_at: DateTime<Utc>,
    tries: i64,
}

/// Why a message was not looked at again.
#[derive(Debug, thiserror::Error)]
pub enum RetryCallbackError {
    /// There is none of this id.
    #[error("there is no callback {0}")]
    NotFound(i64),
    /// Nothing is left to be done about it.
    #[error("the callback is {} already", .0.as_str())]
    Done(CallbackState),
    /// It came for a gateway that this program does not contain.
    #[error("this program does not contain the gateway `{0}`")]
    NoGateway(String),
    /// What it says of a refund could not be written down.
    #[error(transparent)]
    Refund(#[from] SettleRefundError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Looks at one message now, whatever its time; gives it as it is then.
pub async fn retry_callback(
    config: &Config,
    payments: &Payments,
    id: i64,
) -> Result<CallbackRecord, RetryCallbackError> {
    let found = find_callback(&payments.db, id).await?.ok_or(RetryCallbackError::NotFound(id))?;
    if payments.gateways.find(&found.gateway).is_none() {
        return Err(RetryCallbackError::NoGateway(found.gateway));
    }
    let take = async |tx: &mut Tx| -> Result<Option<CallbackRow>, DbError> {
        let taken = tx.run(queries::TAKE_NOW).bind(id).optional::<CallbackRow>().await?;
        if taken.is_some() {
            let (subject, before) = (Subject::new("callback", id), json!({"state": found.state}));
            tx.audit_operator("payments.retry", subject, before, Value::Null).await?;
        }
        Ok(taken)
    };
    let waiting = payments.db.write(take).await?.ok_or(RetryCallbackError::Done(found.state))?;
    look_again(config, payments, waiting).await?;
    find_callback(&payments.db, id).await?.ok_or(RetryCallbackError::NotFound(id))
}

/// Gives what has become of the message, and when it is to be looked at again.
async fn look_again(
    config: &Config,
    payments: &Payments,
    CallbackRow { id, gateway: name, notification, received_at, tries }: CallbackRow,
) -> Result<(Asked, Option<DateTime<Utc>>), SettleRefundError> {
    let looked = StoredCallbackAge { id, received_at, tries };
    let Some(gateway) = payments.gateways.find(&name).map(|gateway| gateway.id()) else {
        tracing::warn!(callback.id = id, gateway = name, "a callback of an unknown gateway waits");
        let reason = Some(String::from("this program does not contain its gateway"));
        let verdict = CallbackOutcome { state: CallbackState::Unmatched, attempt_id: None, order_id: None, reason };
        let again = next_try(&verdict, looked, payments.db.now());
        payments.db.write(async |tx| store_outcome(tx, id, &name, &verdict, again).await).await?;
        return Ok((Asked { state: verdict.state, failure: None }, again));
    };
    let actor = Actor::Gateway(gateway);
    let refund_id = refund_of(&payments.db, gateway, &notification.0).await?;
    let (verdict, again) = payments
        .db
        .write(async |tx| -> Result<_, SettleRefundError> {
            let verdict =
                apply(tx, &payments.cipher, config, &payments.gateways, actor, &notification.0, refund_id).await?;
            let again = next_try(&verdict, looked, tx.now());
            store_outcome(tx, id, gateway, &verdict, again).await?;
            Ok((verdict, again))
        })
        .await?;
    if verdict.state != CallbackState::Pending {
        return Ok((Asked { state: verdict.state, failure: None }, again));
    }
    let asked = ask_gateway(payments, looked, &verdict, actor).await?;
    let again = again.filter(|_| asked.state == CallbackState::Pending);
    Ok((asked, again))
}
