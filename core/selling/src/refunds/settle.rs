//! What a provider's report means for a refund: the one place where that is decided.
//!
//! Reports come from the answer to the request, from asking again, or from a callback, several at once and in any order. The
//! order's row is locked first, so they come one after the other; only a pending refund changes, and it changes once.

use stoa_kernel::config::Config;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::gateways::{RefundReport, RefundStatus};
use stoa_notices::webhooks::{self, WebhookEvent};

use super::events::{RefundRecorded, RefundedUnits};
use super::model::{Refund, RefundLineResource};
use super::notes::credit_note;
use super::queries;
use super::reserve::described;
use super::task::{resume_at, resume_no_more};
use super::units::{take_missing, take_rest};
use crate::credit_notes::{self, IssueCreditNoteError, IssuedCreditNote};
use crate::orders::{Actor, LockedOrder, OrderStatus, flag_order, lock_order, record, refresh_fulfillment};
use crate::payments::{PaymentStatus, next_check};
use crate::pricing::AmountOverflow;

/// What a report has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundSettled {
    /// The money is on its way back; everybody was told.
    Succeeded,
    /// The money stays here, and can be refunded again.
    Failed,
    /// The provider has it and is not done yet.
    Pending,
    /// Nothing that was not known.
    Nothing,
    /// It contradicts what was known; the operator was told.
    Flagged(&'static str),
}

/// Why a report could not be applied.
#[derive(Debug, thiserror::Error)]
pub enum SettleRefundError {
    /// The amounts of the refund do not fit together.
    #[error("the amounts of a refund do not fit together")]
    Amounts(#[from] AmountOverflow),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<IssueCreditNoteError> for SettleRefundError {
    fn from(error: IssueCreditNoteError) -> Self {
        match error {
            IssueCreditNoteError::Amounts(error) => Self::Amounts(error),
            IssueCreditNoteError::Db(error) => Self::Db(error),
        }
    }
}

/// The reasons for which an order is flagged, as `review_reason` shows them.
pub mod review {
    /// A provider says that a refund failed which it had said was done.
    pub const FAILED_LATER: &str = "refund_failed_later";
    /// A provider says that a refund is done which it had refused.
    pub const SUCCEEDED_LATER: &str = "refund_succeeded_later";
    /// More went back than the invoice was about.
    pub const ABOVE_INVOICE: &str = "refund_above_invoice";
}

/// Applies what is reported of a refund. Repeating it changes nothing.
pub async fn apply_refund_report(
    tx: &mut Tx,
    config: &Config,
    refund_id: i64,
    report: &RefundReport,
    actor: Actor,
) -> Result<RefundSettled, SettleRefundError> {
    let Some(refund) = find(tx, refund_id).await? else { return Ok(RefundSettled::Nothing) };
    let Some(order) = lock_order(tx, refund.order_id).await? else { return Ok(RefundSettled::Nothing) };
    // Read again behind the lock: somebody may have been faster.
    let Some(refund) = find(tx, refund_id).await? else { return Ok(RefundSettled::Nothing) };
    match (refund.status, report.status) {
        (RefundStatus::Pending, RefundStatus::Succeeded) => succeed(tx, config, &order, &refund, report, actor).await,
        (RefundStatus::Pending, RefundStatus::Failed) => Ok(fail(tx, &refund, report, actor).await?),
        (RefundStatus::Pending, RefundStatus::Pending) => {
            postpone(tx, &refund, report.gateway_refund_id.as_deref(), None).await?;
            Ok(RefundSettled::Pending)
        }
        (RefundStatus::Succeeded, RefundStatus::Failed) => Ok(flag(tx, &refund, review::FAILED_LATER, actor).await?),
        (RefundStatus::Failed, RefundStatus::Succeeded) => Ok(flag(tx, &refund, review::SUCCEEDED_LATER, actor).await?),
        (RefundStatus::Succeeded, RefundStatus::Succeeded | RefundStatus::Pending)
        | (RefundStatus::Failed, RefundStatus::Failed | RefundStatus::Pending) => Ok(RefundSettled::Nothing),
    }
}

/// Has a pending refund asked for again, later each time.
pub(super) async fn postpone(
    tx: &mut Tx,
    refund: &Refund,
    gateway_refund_id: Option<&str>,
    error: Option<&str>,
) -> Result<(), DbError> {
    let now = tx.now();
    let count = tx.run(queries::COUNT_CHECK).bind(refund.id).bind(gateway_refund_id).bind(error).bind(now);
    if count.execute().await? == 0 {
        return Ok(());
    }
    resume_at(tx, refund.id, &refund.gateway, next_check(now, refund.checks)).await
}

async fn find(tx: &mut Tx, refund_id: i64) -> Result<Option<Refund>, DbError> {
    tx.run(queries::FIND).bind(refund_id).optional().await
}

async fn finish_refund(tx: &mut Tx, refund: &Refund, report: &RefundReport) -> Result<(), DbError> {
    let now = tx.now();
    let end =
        tx.run(queries::END).bind(refund.id).bind(report.status.as_str()).bind(report.gateway_refund_id.as_deref());
    end.bind(report.detail.as_deref()).bind(now).execute().await?;
    resume_no_more(tx, refund.id).await
}

async fn flag(tx: &mut Tx, refund: &Refund, reason: &'static str, actor: Actor) -> Result<RefundSettled, DbError> {
    tracing::error!(
        order.id = refund.order_id,
        refund.id = refund.id,
        gateway = refund.gateway,
        reason,
        "a provider contradicts what it said of a refund: look at its account"
    );
    flag_order(tx, refund.order_id, reason, actor).await?;
    Ok(RefundSettled::Flagged(reason))
}

async fn fail(tx: &mut Tx, refund: &Refund, report: &RefundReport, actor: Actor) -> Result<RefundSettled, DbError> {
    finish_refund(tx, refund, report).await?;
    let now = tx.now();
    tx.run(queries::RELEASE_PAYMENT).bind(refund.payment_id).bind(refund.amount).bind(now).execute().await?;
    for item in tx.run(queries::LIST_ITEMS).bind(refund.id).all::<RefundLineResource>().await? {
        let release = tx.run(queries::RELEASE_ITEM).bind(item.order_line_id).bind(item.quantity);
        release.bind(item.amount).bind(item.tax_amount).execute().await?;
    }
    tx.run(queries::RELEASE_UNITS).bind(refund.id).execute().await?;
    refresh_fulfillment(tx, refund.order_id).await?;
    let amount = described(refund.amount, &refund.currency);
    let detail = report.detail.as_ref().map_or_else(|| amount.clone(), |detail| format!("{amount}: {detail}"));
    record(tx, refund.order_id, "refund_failed", actor, Some(&detail)).await?;
    Ok(RefundSettled::Failed)
}

async fn succeed(
    tx: &mut Tx,
    config: &Config,
    order: &LockedOrder,
    refund: &Refund,
    report: &RefundReport,
    actor: Actor,
) -> Result<RefundSettled, SettleRefundError> {
    finish_refund(tx, refund, report).await?;
    let now = tx.now();
    let settle = tx.run(queries::SETTLE_PAYMENT).bind(refund.payment_id).bind(refund.amount).bind(now);
    let is_full = settle.scalar::<String>().await? == PaymentStatus::Refunded.as_str();
    let units = revoke(tx, order, refund, is_full).await?;
    let detail = described(refund.amount, &refund.currency);
    record(tx, order.id, "refunded", actor, Some(&detail)).await?;
    tx.emit(&RefundRecorded {
        refund_id: refund.id,
        order_id: order.id,
        payment_id: refund.payment_id,
        customer_id: order.customer_id,
        amount: refund.amount,
        currency: refund.currency.clone(),
        is_full,
        units,
    })
    .await?;
    let told = WebhookEvent::RefundRecorded {
        refund_id: refund.id,
        order_id: order.id,
        amount: refund.amount,
        currency: refund.currency.clone(),
        status: RefundStatus::Succeeded.as_str(),
    };
    webhooks::queue(tx, &told).await?;
    let note = credit_note(tx, refund).await?;
    // The very last, because everybody who refunds waits for the number.
    match credit_notes::issue(tx, config, note).await? {
        IssuedCreditNote::Issued | IssuedCreditNote::NotNeeded => Ok(RefundSettled::Succeeded),
        IssuedCreditNote::TooMuch => {
            flag(tx, refund, review::ABOVE_INVOICE, actor).await?;
            Ok(RefundSettled::Succeeded)
        }
    }
}

#[derive(sqlx::FromRow)]
struct RevokedUnit {
    order_line_id: i64,
    unit: i64,
    used: bool,
}

/// Has the goods of units taken back: those that the refund has taken, and all that are left once everything went back. An
/// order that was cancelled has granted nothing.
async fn revoke(
    tx: &mut Tx,
    order: &LockedOrder,
    refund: &Refund,
    is_full: bool,
) -> Result<Vec<RefundedUnits>, DbError> {
    if order.status != OrderStatus::Paid {
        return Ok(Vec::new());
    }
    tx.run(queries::LOCK_ITEMS).bind(order.id).scalars::<i64>().await?;
    take_missing(tx, order.id, refund.id).await?;
    if is_full {
        take_rest(tx, order.id, refund.id).await?;
    }
    let now = tx.now();
    let mut units = tx.run(queries::REVOKE_UNITS).bind(refund.id).bind(now).all::<RevokedUnit>().await?;
    // The highest first, whatever the order of the rows.
    units.sort_unstable_by_key(|own| std::cmp::Reverse(own.unit));
    let items = tx.run(queries::QUANTITIES).bind(order.id).all::<(i64, i64)>().await?;
    let mut revoked = Vec::with_capacity(items.len());
    for (order_line_id, _) in items {
        let own = units.iter().filter(|own| own.order_line_id == order_line_id);
        let ordinals = own.clone().map(|own| own.unit).collect::<Vec<_>>();
        let used_ordinals = own.filter(|own| own.used).map(|own| own.unit).collect();
        if ordinals.is_empty() {
            continue;
        }
        let quantity = i64::try_from(ordinals.len()).unwrap_or(i64::MAX);
        let count = tx.run(queries::COUNT_REVOKED).bind(order_line_id).bind(quantity);
        if let Some(product_id) = count.scalar::<Option<i64>>().await? {
            revoked.push(RefundedUnits { order_line_id, product_id, quantity, ordinals, used_ordinals });
        }
    }
    refresh_fulfillment(tx, order.id).await?;
    Ok(revoked)
}
