//! Taking a verified message in: kept and applied in one transaction, so that it is neither lost nor applied twice.

use chrono::{DateTime, TimeDelta, Utc};

use super::apply::apply;
use super::inbox::{Kept, Verdict, keep, settle};
use super::listing::CallbackState;
use crate::db::DbError;
use crate::error_chain;
use crate::gateways::Notification;
use crate::orders::Actor;
use crate::payments::provider;
use crate::payments::records::find_attempt;
use crate::services::Services;

/// How long a message about an unknown payment is tried again: the payment may be written down a moment later.
const UNMATCHED_FOR: TimeDelta = TimeDelta::hours(24);

/// How long after one look the next one follows.
pub(super) const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(1);

/// The answer to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Received {
    pub(super) id: i64,
    pub(super) is_duplicate: bool,
}

/// Takes a verified message in.
pub(super) async fn receive(
    services: &Services,
    gateway: &'static str,
    notification: &Notification,
) -> Result<Received, DbError> {
    let actor = Actor::Gateway(gateway);
    let (kept, verdict) = services
        .db
        .write(async |tx| -> Result<(Kept, Option<Verdict>), DbError> {
            let kept = keep(tx, gateway, notification).await?;
            let Kept::New(id) = kept else { return Ok((kept, None)) };
            let verdict = apply(tx, gateway, actor, notification).await?;
            let again = next_try(&verdict, tx.now(), tx.now());
            settle(tx, id, &verdict, again).await?;
            Ok((kept, Some(verdict)))
        })
        .await?;
    match kept {
        Kept::Before(id) => Ok(Received { id, is_duplicate: true }),
        Kept::New(id) => {
            if let Some(verdict) = verdict.filter(|verdict| verdict.state == CallbackState::Pending) {
                ask(services, id, &verdict).await?;
            }
            Ok(Received { id, is_duplicate: false })
        }
    }
}

/// When a message is looked at again; none when it is done with.
pub(super) fn next_try(verdict: &Verdict, received: DateTime<Utc>, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    match verdict.state {
        CallbackState::Pending => Some(now + LOOK_AGAIN),
        CallbackState::Unmatched => (now - received < UNMATCHED_FOR).then(|| now + LOOK_AGAIN),
        CallbackState::Processed | CallbackState::Ignored | CallbackState::Flagged => None,
    }
}

/// Asks the provider what a message means. Whatever goes wrong, the message stays and is looked at again.
pub(super) async fn ask(services: &Services, callback_id: i64, verdict: &Verdict) -> Result<(), DbError> {
    let attempt = match verdict.attempt_id {
        Some(id) => find_attempt(&services.db, id).await?,
        None => None,
    };
    let Some(attempt) = attempt else { return Ok(()) };
    match provider::ask(services, &attempt).await {
        Ok(_) => {
            let done = Verdict { state: CallbackState::Processed, ..verdict.clone() };
            services.db.write(async |tx| settle(tx, callback_id, &done, None).await).await
        }
        Err(error) => {
            tracing::warn!(
                callback.id = callback_id,
                attempt.id = attempt.id,
                gateway = attempt.gateway,
                error = error_chain(&error),
                "the provider could not be asked about its own message"
            );
            Ok(())
        }
    }
}
