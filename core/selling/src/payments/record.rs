//! What a provider's report means for an attempt, its payment and its order: the one place where that is decided.
//!
//! Reports come from the answer to a start, from a look at the provider, from a callback, or from the operator, several
//! at once and in any order. The order's row is locked first, so they come one after the other; statuses only move
//! forward, so a late failure never lowers what is paid, and repeating a report changes nothing.

use serde_json::json;

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::gateways::{AttemptReport, AttemptStatus};
use stoa_kernel::money::Money;
use stoa_notices::webhooks::{self, WebhookEvent};

use super::events::PaymentRecorded;
use super::queries;
use super::reconcile::ask_no_more;
use super::records::{Attempt, Payment};
use super::status::PaymentStatus;
use crate::orders::{
    Actor, LockedOrder, OrderStatus, emit_paid, flag_order, lock_order, mark_paid, record, record_two,
};

/// What a report has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Settled {
    /// The money is recorded, and the order paid unless it was cancelled before.
    Recorded,
    /// The attempt has moved, the payment has not been made.
    Moved,
    /// Nothing that was not known.
    Nothing,
    /// It does not fit what we asked for; the operator was told.
    Flagged(&'static str),
}

/// Where money came through.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) gateway: &'a str,
    pub(crate) attempt_id: Option<i64>,
    pub(crate) actor: Actor,
}

/// The reasons for which an order is flagged, as `review_reason` shows them.
pub(crate) mod review {
    /// Money came after the order was cancelled.
    pub(crate) const PAID_AFTER_CANCELLATION: &str = "paid_after_cancellation";
    /// Money came twice.
    pub(crate) const PAID_TWICE: &str = "paid_twice";
    /// The provider reports another amount or currency than was asked for.
    pub(crate) const AMOUNT_MISMATCH: &str = "amount_mismatch";
}

/// How far a status is; reports never lead back.
fn rank(status: AttemptStatus) -> u8 {
    match status {
        AttemptStatus::Pending => 0,
        AttemptStatus::Processing => 1,
        AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => 2,
        AttemptStatus::Succeeded => 3,
    }
}

/// Applies what is reported of an attempt of an order.
pub(crate) async fn apply_report(
    tx: &mut Tx,
    order_id: i64,
    attempt_id: i64,
    report: &AttemptReport,
    actor: Actor,
) -> Result<Settled, DbError> {
    let Some(order) = lock_order(tx, order_id).await? else { return Ok(Settled::Nothing) };
    let mut attempt = tx.run(queries::FIND_ATTEMPT).bind(attempt_id).one::<Attempt>().await?;
    apply(tx, &order, &mut attempt, report, actor).await
}

/// The same for an attempt that was read after its order was locked; it is as it is stored afterwards.
pub(super) async fn apply(
    tx: &mut Tx,
    order: &LockedOrder,
    attempt: &mut Attempt,
    report: &AttemptReport,
    actor: Actor,
) -> Result<Settled, DbError> {
    if let Some(mismatch) = mismatch(attempt, report) {
        return refuse_amount(tx, attempt, mismatch, actor).await;
    }
    if !move_attempt(tx, attempt, report).await? {
        return Ok(Settled::Nothing);
    }
    match report.status {
        AttemptStatus::Succeeded => {
            let source = Source { gateway: &attempt.gateway, attempt_id: Some(attempt.id), actor };
            record_money(tx, order, source).await
        }
        AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => {
            let detail = format!("{} {}", attempt.gateway, report.status.as_str());
            record(tx, order.id, "payment_attempt_ended", actor, Some(&detail)).await?;
            if report.status == AttemptStatus::Failed && order.status == OrderStatus::Pending {
                set_unpaid_status(tx, attempt.payment_id, PaymentStatus::Failed).await?;
            }
            Ok(Settled::Moved)
        }
        AttemptStatus::Processing | AttemptStatus::Pending => Ok(Settled::Moved),
    }
}

/// Takes the money for an order that this transaction has locked: once, whoever reports it.
pub(crate) async fn record_money(tx: &mut Tx, order: &LockedOrder, source: Source<'_>) -> Result<Settled, DbError> {
    let now = tx.now();
    let take = tx.run(queries::RECORD).bind(order.id).bind(source.gateway).bind(source.attempt_id);
    let Some(payment) = take.bind(now).optional::<Payment>().await? else {
        let paid = tx.run(queries::FIND_BY_ORDER).bind(order.id).optional::<Payment>().await?;
        if source.attempt_id.is_some() && paid.is_some_and(|paid| paid.attempt_id == source.attempt_id) {
            return Ok(Settled::Nothing);
        }
        // It is paid, or nothing was owed, so what came must go back.
        flag_order(tx, order.id, review::PAID_TWICE, source.actor).await?;
        return Ok(Settled::Flagged(review::PAID_TWICE));
    };
    let is_paid = mark_paid(tx, order).await?;
    let gateway = Some(source.gateway);
    if is_paid {
        record_two(tx, order.id, source.actor, [("payment_recorded", gateway), ("paid", None)]).await?;
    } else {
        record(tx, order.id, "payment_recorded", source.actor, gateway).await?;
    }
    tx.emit(&PaymentRecorded {
        payment_id: payment.id,
        order_id: order.id,
        status: PaymentStatus::Paid,
        amount: payment.amount,
        currency: payment.currency.clone(),
        gateway: source.gateway.to_owned(),
    })
    .await?;
    let mut told = vec![WebhookEvent::PaymentRecorded {
        payment_id: payment.id,
        order_id: order.id,
        status: PaymentStatus::Paid.as_str(),
        amount: payment.amount,
        currency: payment.currency,
    }];
    if is_paid {
        told.push(emit_paid(tx, order, Some(PaymentStatus::Paid.as_str())).await?);
    }
    webhooks::queue_all(tx, &told).await?;
    if !is_paid {
        flag_order(tx, order.id, review::PAID_AFTER_CANCELLATION, source.actor).await?;
    }
    Ok(Settled::Recorded)
}

/// Says what has become of a payment that has not been made; one that was made stays as it is.
pub(crate) async fn set_unpaid_status(tx: &mut Tx, payment_id: i64, status: PaymentStatus) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::SET_UNPAID_STATUS).bind(payment_id).bind(status.as_str()).bind(now).execute().await?;
    Ok(())
}

/// Says that the payment of an order that is being cancelled will not be made any more; none when nothing was to be paid.
pub(crate) async fn end_payment(
    tx: &mut Tx,
    order_id: i64,
    status: PaymentStatus,
) -> Result<Option<PaymentStatus>, DbError> {
    let Some(payment) = tx.run(queries::FIND_BY_ORDER).bind(order_id).optional::<Payment>().await? else {
        return Ok(None);
    };
    set_unpaid_status(tx, payment.id, status).await?;
    Ok(Some(status))
}

/// How the money that a provider reports differs from what was asked for; none when it is as it should be.
pub(super) fn mismatch(attempt: &Attempt, report: &AttemptReport) -> Option<String> {
    if report.status != AttemptStatus::Succeeded || report.amount == attempt.money() {
        return None;
    }
    let written = |amount: Option<Money>| amount.map_or_else(|| String::from("no amount"), |amount| amount.to_string());
    Some(format!("the provider reports {} and not {}", written(report.amount), written(attempt.money())))
}

/// Tells the operator once, however often it is reported: the provider is asked again while the attempt is open.
async fn refuse_amount(tx: &mut Tx, attempt: &mut Attempt, mismatch: String, actor: Actor) -> Result<Settled, DbError> {
    let now = tx.now();
    let note = tx.run(queries::NOTE_MISMATCH).bind(attempt.id).bind(mismatch.as_str()).bind(now);
    if note.execute().await? == 1 {
        tracing::error!(
            order.id = attempt.order_id,
            attempt.id = attempt.id,
            gateway = attempt.gateway,
            "{mismatch}: the order is not paid"
        );
        flag_order(tx, attempt.order_id, review::AMOUNT_MISMATCH, actor).await?;
    }
    attempt.last_error = Some(mismatch);
    Ok(Settled::Flagged(review::AMOUNT_MISMATCH))
}

/// Moves an attempt forward; false when it is as far already. Nobody asks any more about one that is over.
async fn move_attempt(tx: &mut Tx, attempt: &mut Attempt, report: &AttemptReport) -> Result<bool, DbError> {
    let now = tx.now();
    let behind = AttemptStatus::ALL.iter().filter(|status| rank(**status) < rank(report.status));
    let behind = json!(behind.map(|status| json!({"status": status.as_str()})).collect::<Vec<_>>()).to_string();
    let change = tx.run(queries::MOVE_ATTEMPT).bind(attempt.id).bind(report.status.as_str());
    let change = change.bind(report.payment_id.as_deref()).bind(report.detail.as_deref()).bind(now);
    let Some(moved) = change.bind(behind).optional::<Attempt>().await? else { return Ok(false) };
    *attempt = moved;
    if !report.status.is_open() {
        ask_no_more(tx, attempt.id).await?;
    }
    Ok(true)
}
