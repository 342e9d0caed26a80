//! What a notification means for what we have.

use stoa_kernel::config::Config;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::gateways::{AttemptStatus, GatewayTable, Notice, NoticeSubject, Notification};

use super::inbox::CallbackOutcome;
use super::listing::CallbackState;
use super::queries;
use crate::orders::{Actor, flag_order};
use crate::payments::record::{Settled, apply_report};
use crate::payments::saved::keep_told_method;
use crate::refunds::{
    RefundSettled, SettleRefundError, apply_refund_report, find_refund_by_gateway_refund_id, find_refund_by_reference,
};

/// An attempt that a notification is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
struct MatchedAttempt {
    id: i64,
    order_id: i64,
    #[sqlx(try_from = "String")]
    status: AttemptStatus,
}

impl CallbackOutcome {
    fn of(state: CallbackState, matched: Option<MatchedAttempt>, reason: Option<&str>) -> Self {
        Self {
            state,
            attempt_id: matched.map(|matched| matched.id),
            order_id: matched.map(|matched| matched.order_id),
            reason: reason.map(str::to_owned),
        }
    }
}

/// The refund that a notification is about, if it is one of ours; looked up before the transaction, since none is renamed.
pub(super) async fn refund_of(db: &Db, gateway: &str, notification: &Notification) -> Result<Option<i64>, DbError> {
    let Notice::Refund { reference, report } = &notification.notice else { return Ok(None) };
    if let Some(reference) = reference
        && let Some(id) = find_refund_by_reference(db, gateway, *reference).await?
    {
        return Ok(Some(id));
    }
    match &report.gateway_refund_id {
        Some(gateway_refund_id) => find_refund_by_gateway_refund_id(db, gateway, gateway_refund_id).await,
        None => Ok(None),
    }
}

/// Applies a notification in this transaction. `Pending` means that the provider has to be asked, after the commit.
pub(super) async fn apply(
    tx: &mut Tx,
    cipher: &Cipher,
    config: &Config,
    gateways: &GatewayTable,
    actor: Actor,
    notification: &Notification,
    refund_id: Option<i64>,
) -> Result<CallbackOutcome, SettleRefundError> {
    let Actor::Gateway(gateway) = actor else {
        return Ok(CallbackOutcome::of(CallbackState::Ignored, None, None));
    };
    if notification.notice == Notice::Nothing {
        return Ok(CallbackOutcome::of(CallbackState::Ignored, None, None));
    }
    let matched = match &notification.subject {
        Some(subject) => find_attempt(tx, gateway, subject).await?,
        None => Vec::new(),
    };
    let matched = match matched.as_slice() {
        [matched] => *matched,
        [] => {
            let reason = "it names no payment that was begun here";
            return Ok(CallbackOutcome::of(CallbackState::Unmatched, None, Some(reason)));
        }
        [..] => {
            // Each of its names is known, and they belong to different payments.
            let reason = "it names two payments at once";
            return Ok(CallbackOutcome::of(CallbackState::Flagged, None, Some(reason)));
        }
    };
    if let Some(gateway_attempt_id) =
        notification.subject.as_ref().and_then(|subject| subject.gateway_attempt_id.as_deref())
    {
        tx.run(queries::KEEP_GATEWAY_ATTEMPT_ID).bind(matched.id).bind(gateway_attempt_id).execute().await?;
    }
    match &notification.notice {
        Notice::Attempt(report) => Ok(match apply_report(tx, matched.order_id, matched.id, report, actor).await? {
            Settled::Flagged(reason) => CallbackOutcome::of(CallbackState::Flagged, Some(matched), Some(reason)),
            Settled::Recorded | Settled::Moved | Settled::Nothing => {
                CallbackOutcome::of(CallbackState::Processed, Some(matched), None)
            }
        }),
        Notice::Ask if matched.status.is_open() => Ok(CallbackOutcome::of(CallbackState::Pending, Some(matched), None)),
        // Asking takes the money of whoever has agreed, and of an attempt that is over none shall be taken.
        Notice::Ask => Ok(CallbackOutcome::of(CallbackState::Processed, Some(matched), Some("the attempt is over"))),
        Notice::MethodSaved { method } => {
            if let Some(method) = method {
                keep_told_method(tx, cipher, gateways, matched.order_id, gateway, method).await?;
            }
            Ok(CallbackOutcome::of(CallbackState::Processed, Some(matched), None))
        }
        Notice::Review(reason) => {
            flag_order(tx, matched.order_id, &format!("{gateway}: {reason}"), actor).await?;
            Ok(CallbackOutcome::of(CallbackState::Flagged, Some(matched), Some(reason)))
        }
        Notice::Refund { report, .. } => {
            let Some(refund_id) = refund_id else {
                let reason = format!("{gateway}: a refund that was not made here is {}", report.status.as_str());
                flag_order(tx, matched.order_id, &reason, actor).await?;
                return Ok(CallbackOutcome::of(CallbackState::Flagged, Some(matched), Some(&reason)));
            };
            Ok(match apply_refund_report(tx, config, refund_id, report, actor).await? {
                RefundSettled::Flagged(reason) => {
                    CallbackOutcome::of(CallbackState::Flagged, Some(matched), Some(reason))
                }
                RefundSettled::Succeeded | RefundSettled::Failed | RefundSettled::Pending | RefundSettled::Nothing => {
                    CallbackOutcome::of(CallbackState::Processed, Some(matched), None)
                }
            })
        }
        Notice::Nothing => Ok(CallbackOutcome::of(CallbackState::Ignored, Some(matched), None)),
    }
}

async fn find_attempt(tx: &mut Tx, gateway: &str, subject: &NoticeSubject) -> Result<Vec<MatchedAttempt>, DbError> {
    let find = tx.run(queries::MATCH_ATTEMPT).bind(gateway).bind(subject.reference);
    find.bind(subject.gateway_attempt_id.as_deref()).bind(subject.payment_id.as_deref()).all().await
}
