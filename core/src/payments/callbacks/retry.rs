//! Messages that are looked at again: about payments that were not known yet, or that the provider must be asked about.

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use super::apply::apply;
use super::inbox::{Verdict, settle};
use super::listing::CallbackState;
use super::queries;
use super::receive::{LOOK_AGAIN, ask, next_try};
use crate::db::DbError;
use crate::gateways::Notification;
use crate::orders::Actor;
use crate::services::Services;

/// Messages looked at in one run.
const BATCH: i64 = 200;

#[derive(sqlx::FromRow)]
struct Waiting {
    id: i64,
    gateway: String,
    notification: Json<Notification>,
    received_at: DateTime<Utc>,
}

/// Why a message was not looked at again.
#[derive(Debug, thiserror::Error)]
pub enum RetryCallbackError {
    /// There is none of this id, or it is done with.
    #[error("there is no callback of this id that could be tried again")]
    NotWaiting,
    /// The database failed.
    #[error("the database failed")]
    Db(#[from] DbError),
}

/// Looks again at the messages that are due; each is taken by one worker alone.
pub(crate) async fn retry_due(services: &Services) -> Result<(), DbError> {
    let now = services.db.now();
    let due = services.db.read(queries::LIST_DUE).bind(now).bind(BATCH).all::<(i64, DateTime<Utc>)>().await?;
    for (id, was_due) in due {
        let claimed = services
            .db
            .write(async |tx| tx.run(queries::CLAIM).bind(id).bind(was_due).bind(now + LOOK_AGAIN).execute().await)
            .await?;
        if claimed == 1 {
            look_again(services, id).await?;
        }
    }
    Ok(())
}

/// Looks at one message now, whatever its time; tells what came of it.
pub async fn retry_callback(services: &Services, id: i64) -> Result<CallbackState, RetryCallbackError> {
    let next = services.db.now() + LOOK_AGAIN;
    let claimed = services.db.write(async |tx| tx.run(queries::CLAIM_NOW).bind(id).bind(next).execute().await).await?;
    if claimed == 0 {
        return Err(RetryCallbackError::NotWaiting);
    }
    let state = look_again(services, id).await?;
    Ok(state.unwrap_or(CallbackState::Processed))
}

async fn look_again(services: &Services, id: i64) -> Result<Option<CallbackState>, DbError> {
    let Some(waiting) = services.db.read(queries::LOAD).bind(id).optional::<Waiting>().await? else {
        return Ok(None);
    };
    let Some(gateway) = services.gateways.find(&waiting.gateway).map(|gateway| gateway.id()) else {
        tracing::warn!(callback.id = id, gateway = waiting.gateway, "a callback of an unknown gateway waits");
        return Ok(None);
    };
    let verdict = services
        .db
        .write(async |tx| -> Result<Verdict, DbError> {
            let verdict = apply(tx, gateway, Actor::Gateway(gateway), &waiting.notification.0).await?;
            let again = next_try(&verdict, waiting.received_at, tx.now());
            settle(tx, waiting.id, &verdict, again).await?;
            Ok(verdict)
        })
        .await?;
    if verdict.state == CallbackState::Pending {
        ask(services, waiting.id, &verdict).await?;
    }
    Ok(Some(verdict.state))
}
