//! Messages that are looked at again: about payments that were not known yet, or that the provider must be asked about.

use chrono::{DateTime, Utc};
use futures_util::{StreamExt, stream};
use sqlx::types::Json;

use stoa_kernel::config::Config;
use stoa_kernel::db::DbError;
use stoa_kernel::gateways::Notification;

use super::apply::{apply, refund_of};
use super::inbox::{Verdict, settle};
use super::listing::{CallbackRecord, CallbackState, find_callback};
use super::queries;
use super::receive::{LOOK_AGAIN, Looked, ask, last_try, next_try};
use crate::orders::Actor;
use crate::payments::Payments;
use crate::refunds::SettleRefundError;

/// Messages looked at in one run.
const BATCH: i64 = 200;

/// Messages that are looked at together: a provider that does not answer keeps no other one waiting.
const AT_ONCE: usize = 8;

#[derive(sqlx::FromRow)]
struct Waiting {
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
    #[error("the database failed")]
    Db(#[from] DbError),
}

/// Looks again at the messages that are due; each is taken by one worker alone.
pub(crate) async fn retry_due(config: &Config, payments: &Payments) -> Result<(), SettleRefundError> {
    let now = payments.db.now();
    let due = payments.db.read(queries::LIST_DUE).bind(now).bind(BATCH).bind(last_try(now));
    let due = due.all::<(i64, DateTime<Utc>)>().await?;
    let looked =
        stream::iter(due).map(|(id, was_due)| retry_one(config, payments, id, was_due)).buffer_unordered(AT_ONCE);
    looked.fold(Ok(()), async |all, one| all.and(one)).await
}

async fn retry_one(
    config: &Config,
    payments: &Payments,
    id: i64,
    was_due: DateTime<Utc>,
) -> Result<(), SettleRefundError> {
    let next = payments.db.now() + LOOK_AGAIN;
    let claim =
        payments.db.write(async |tx| tx.run(queries::CLAIM).bind(id).bind(was_due).bind(next).execute().await).await?;
    if claim == 1 { look_again(config, payments, id).await } else { Ok(()) }
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
    let next = payments.db.now() + LOOK_AGAIN;
    let claimed = payments.db.write(async |tx| tx.run(queries::CLAIM_NOW).bind(id).bind(next).execute().await).await?;
    if claimed == 0 {
        return Err(RetryCallbackError::Done(found.state));
    }
    look_again(config, payments, id).await?;
    find_callback(&payments.db, id).await?.ok_or(RetryCallbackError::NotFound(id))
}

async fn look_again(config: &Config, payments: &Payments, id: i64) -> Result<(), SettleRefundError> {
    let Some(waiting) = payments.db.read(queries::LOAD).bind(id).optional::<Waiting>().await? else { return Ok(()) };
    let looked = Looked { id: waiting.id, received_at: waiting.received_at, tries: waiting.tries };
    let Some(gateway) = payments.gateways.find(&waiting.gateway).map(|gateway| gateway.id()) else {
        tracing::warn!(callback.id = id, gateway = waiting.gateway, "a callback of an unknown gateway waits");
        let reason = Some(String::from("this program does not contain its gateway"));
        let verdict = Verdict { state: CallbackState::Unmatched, attempt_id: None, order_id: None, reason };
        return payments
            .db
            .write(async |tx| -> Result<(), SettleRefundError> {
                let again = next_try(&verdict, looked, tx.now());
                Ok(settle(tx, id, &verdict, again).await?)
            })
            .await;
    };
    let actor = Actor::Gateway(gateway);
    let refund_id = refund_of(&payments.db, gateway, &waiting.notification.0).await?;
    let verdict = payments
        .db
        .write(async |tx| -> Result<Verdict, SettleRefundError> {
            let verdict =
                apply(tx, &payments.cipher, config, &payments.gateways, actor, &waiting.notification.0, refund_id)
                    .await?;
            let again = next_try(&verdict, looked, tx.now());
            settle(tx, id, &verdict, again).await?;
            Ok(verdict)
        })
        .await?;
    if verdict.state == CallbackState::Pending {
        ask(payments, looked, &verdict, actor).await?;
    }
    Ok(())
}
