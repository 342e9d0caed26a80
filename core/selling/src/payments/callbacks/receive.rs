//! Taking a verified message in: kept and applied in one transaction, so that it is neither lost nor applied twice.

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::config::Config;
use stoa_kernel::db::DbError;
use stoa_kernel::error_chain;
use stoa_kernel::gateways::Notification;

use super::apply::{apply, refund_of};
use super::inbox::{CallbackOutcome, StoredCallback, store_once, store_outcome};
use super::listing::CallbackState;
use crate::orders::{Actor, flag_order};
use crate::payments::records::find_attempt;
use crate::payments::{Payments, gateway_calls};
use crate::refunds::SettleRefundError;

/// How long a message about an unknown payment is tried again: the payment may be written down a moment later.
const UNMATCHED_FOR: TimeDelta = TimeDelta::hours(24);

/// How long a provider is asked what its own message means, before the operator is told that it does not answer.
const ASKED_FOR: TimeDelta = TimeDelta::hours(24);

/// Why a message is flagged whose provider did not answer for so long.
const UNANSWERED: &str = "callback_unanswered";

/// How long after one look the next one follows.
const LOOK_AGAIN: TimeDelta = TimeDelta::minutes(1);

/// How often the wait before a provider is asked again doubles: to a little more than an hour.
const MAX_DOUBLINGS: i64 = 6;

/// The answer to a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Received {
    pub(super) id: i64,
    pub(super) is_duplicate: bool,
    /// What came of it; of one that came before, that it is not looked at.
    pub(super) state: CallbackState,
}

/// A message that is kept, as far as looking at it again is concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoredCallbackAge {
    pub(super) id: i64,
    pub(super) received_at: DateTime<Utc>,
    pub(super) tries: i64,
}

/// Takes a verified message in.
pub(super) async fn receive(
    config: &Config,
    payments: &Payments,
    gateway: &'static str,
    notification: &Notification,
) -> Result<Received, SettleRefundError> {
    let actor = Actor::Gateway(gateway);
    let refund_id = refund_of(&payments.db, gateway, notification).await?;
    let (kept, looked) = payments
        .db
        .write(
            async |tx| -> Result<(StoredCallback, Option<(CallbackOutcome, StoredCallbackAge)>), SettleRefundError> {
                let kept = store_once(tx, gateway, notification).await?;
                let StoredCallback::New(id) = kept else { return Ok((kept, None)) };
                let verdict =
                    apply(tx, &payments.cipher, config, &payments.gateways, actor, notification, refund_id).await?;
                let now = tx.now();
                let looked = StoredCallbackAge { id, received_at: now, tries: 0 };
                store_outcome(tx, id, gateway, &verdict, next_try(&verdict, looked, now)).await?;
                Ok((kept, Some((verdict, looked))))
            },
        )
        .await?;
    let (StoredCallback::New(id) | StoredCallback::Before(id)) = kept;
    let Some((verdict, looked)) = looked else {
        return Ok(Received { id, is_duplicate: true, state: CallbackState::Processed });
    };
    let state = if verdict.state == CallbackState::Pending {
        let asked = ask_gateway(payments, looked, &verdict, actor).await?;
        if let Some(error) = asked.failure {
            tracing::warn!(callback.id = id, gateway, error, "the provider could not be asked about its own message");
        }
        asked.state
    } else {
        verdict.state
    };
    Ok(Received { id, is_duplicate: false, state })
}

/// When a message is looked at again; none when it is done with.
pub(super) fn next_try(
    verdict: &CallbackOutcome,
    looked: StoredCallbackAge,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    match verdict.state {
        CallbackState::Pending => Some(now + TimeDelta::minutes(1 << looked.tries.clamp(0, MAX_DOUBLINGS))),
        CallbackState::Unmatched => (age(looked, now) < UNMATCHED_FOR).then(|| now + LOOK_AGAIN),
        CallbackState::Processed | CallbackState::Ignored | CallbackState::Flagged => None,
    }
}

/// How long ago a message came; what was kept while the clock was ahead does not stay young until that time comes.
fn age(looked: StoredCallbackAge, now: DateTime<Utc>) -> TimeDelta {
    (now - looked.received_at).abs()
}

/// What asking about a message came to.
pub(super) struct Asked {
    pub(super) state: CallbackState,
    /// Why the provider could not be asked.
    pub(super) failure: Option<String>,
}

/// Asks the provider what a message means. Whatever goes wrong, the message stays and is looked at again, later each time;
/// after a day of that the operator is told.
pub(super) async fn ask_gateway(
    payments: &Payments,
    looked: StoredCallbackAge,
    verdict: &CallbackOutcome,
    actor: Actor,
) -> Result<Asked, DbError> {
    let attempt = match verdict.attempt_id {
        Some(id) => find_attempt(&payments.db, id).await?,
        None => None,
    };
    let Some(attempt) = attempt else { return Ok(Asked { state: verdict.state, failure: None }) };
    let mut failure = None;
    let done = match gateway_calls::ask_gateway(payments, &attempt).await {
        Ok(_) => CallbackOutcome { state: CallbackState::Processed, ..verdict.clone() },
        Err(error) => {
            failure = Some(error_chain(&error));
            if age(looked, payments.db.now()) < ASKED_FOR {
                return Ok(Asked { state: verdict.state, failure });
            }
            let reason = Some(String::from(UNANSWERED));
            CallbackOutcome { state: CallbackState::Flagged, reason, ..verdict.clone() }
        }
    };
    payments
        .db
        .write(async |tx| -> Result<(), DbError> {
            if done.state == CallbackState::Flagged {
                flag_order(tx, attempt.order_id, UNANSWERED, actor).await?;
            }
            store_outcome(tx, looked.id, &attempt.gateway, &done, None).await
        })
        .await?;
    Ok(Asked { state: done.state, failure })
}
