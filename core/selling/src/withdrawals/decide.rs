//! What the shop says about a withdrawal: accepted or refused, and completed. Each change is one conditional write.

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Reader, Sql, Tx};
use stoa_kernel::mail::{MailNotice, Mailer};

use super::delivery::deliver_again;
use super::mails::REFUSED;
use super::model::WithdrawalRecord;
use super::number::WithdrawalNumber;
use super::queries;
use super::read::find_withdrawal;
use super::status::WithdrawalStatus;
use crate::entitlements::EntitlementEnded;
use crate::orders::{
    Actor, CancelOrderError, CancelReason, LockedOrder, OrderStatus, cancel_order, lock_order, record,
};
use crate::payments::Payments;
use crate::refunds::{RefundOrderError, ReserveRefundError, SendRefundError};

/// Most characters of the reason of a refusal.
pub const MAX_REFUSAL: usize = 1000;

/// Why a withdrawal was not changed.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawalChangeError {
    /// There is none.
    #[error("there is no withdrawal {0}")]
    Unknown(WithdrawalNumber),
    /// It was decided otherwise before.
    #[error("withdrawal {number} is {}", .status.as_str())]
    State {
        /// The withdrawal.
        number: WithdrawalNumber,
        /// How far it has come.
        status: WithdrawalStatus,
    },
    /// Its order is not paid, and a part of it stays: an unpaid order is cancelled as a whole or not at all.
    #[error("order {0} is not paid, and the withdrawal leaves a part of it")]
    PartOfUnpaid(stoa_kernel::record_number::OrderNumber),
    /// Its order is not paid, and could not be cancelled.
    #[error("order {order}, which is not paid, cannot be cancelled: {error}")]
    Cancel {
        /// The order.
        order: stoa_kernel::record_number::OrderNumber,
        /// Why.
        error: CancelOrderError,
    },
    /// The money of what it is about has gone back, or is on its way.
    #[error("the money for withdrawal {0} has gone back before, or is on its way")]
    AlreadyRefunded(WithdrawalNumber),
    /// Money that came for it has not gone back.
    #[error("the money for withdrawal {0} has not gone back")]
    NotRefunded(WithdrawalNumber),
    /// The refund was not begun.
    #[error(transparent)]
    Reserve(#[from] ReserveRefundError),
    /// The refund was begun, and what became of it is not known.
    #[error(transparent)]
    Send(#[from] SendRefundError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<RefundOrderError> for WithdrawalChangeError {
    fn from(error: RefundOrderError) -> Self {
        match error {
            RefundOrderError::Reserve(error) => error.into(),
            RefundOrderError::Send(error) => error.into(),
        }
    }
}

/// Accepts a declared withdrawal. An order that is not paid is cancelled; money that came goes back with
/// [`refund_withdrawal`](super::refund_withdrawal), and what it was for ends with it. What cost nothing ends at once. Accepting again changes
/// nothing.
pub async fn accept_withdrawal(
    payments: &Payments,
    number: WithdrawalNumber,
) -> Result<WithdrawalRecord, WithdrawalChangeError> {
    let db = &payments.db;
    let record = found(&mut Reader::from(db), number).await?;
    match record.withdrawal.status {
        WithdrawalStatus::Accepted => return Ok(record),
        WithdrawalStatus::Declared => {}
        status @ (WithdrawalStatus::Refused | WithdrawalStatus::Completed) => {
            return Err(WithdrawalChangeError::State { number, status });
        }
    }
    cancel_unpaid(payments, &record).await?;
    db.write(async |tx| -> Result<(), WithdrawalChangeError> {
        let order = locked_order(tx, number).await?;
        let now = tx.now();
        let changed = tx.run(queries::ACCEPT).bind(number.id()).bind(now).execute().await?;
        change(tx, &order, number, changed, [WithdrawalStatus::Declared, WithdrawalStatus::Accepted]).await?;
        Ok(end_units(tx, &order, number, queries::WORTHLESS_UNITS).await?)
    })
    .await?;
    found(&mut Reader::from(db), number).await
}

/// Refuses a declared withdrawal, and writes the customer so, with the reason if one is given: 1 to [`MAX_REFUSAL`] characters. What it was
/// about may be withdrawn again, and digital goods that were held because of it are delivered.
pub async fn refuse_withdrawal(
    db: &Db,
    mailer: &Mailer,
    number: WithdrawalNumber,
    reason: Option<&str>,
) -> Result<WithdrawalRecord, WithdrawalChangeError> {
    db.write(async |tx| -> Result<(), WithdrawalChangeError> {
        let order = locked_order(tx, number).await?;
        let now = tx.now();
        let changed = tx.run(queries::REFUSE).bind(number.id()).bind(now).bind(reason).execute().await?;
        change(tx, &order, number, changed, [WithdrawalStatus::Declared, WithdrawalStatus::Refused]).await?;
        tx.run(queries::RELEASE_UNITS).bind(number.id()).execute().await?;
        let refused = found(&mut Reader::from(&mut *tx), number).await?.withdrawal;
        let lines = refused.lines.iter().map(|line| format!("{} × {}", line.quantity, line.label));
        let told = MailNotice::new(&REFUSED, order.id, number.id())
            .line("withdrawal_number", &refused.number)
            .lines("withdrawal_lines", &lines.collect::<Vec<_>>().join("\n"))
            .lines("refusal_reason", reason.unwrap_or_default());
        mailer.notice(tx, &told).await?;
        Ok(deliver_again(tx, &order).await?)
    })
    .await?;
    found(&mut Reader::from(db), number).await
}

/// Whether a withdrawal is completed only when its money has gone back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompleteWhen {
    /// The money for every unit has gone back, or is on its way.
    Refunded,
    /// Whatever has gone back, because the operator says so: by an amount, or in another way.
    Anyhow,
}

/// Completes an accepted withdrawal: nothing is left to be done, and what no refund has ended is over as well.
pub async fn complete_withdrawal(
    db: &Db,
    number: WithdrawalNumber,
    when: CompleteWhen,
) -> Result<WithdrawalRecord, WithdrawalChangeError> {
    db.write(async |tx| -> Result<(), WithdrawalChangeError> {
        let order = locked_order(tx, number).await?;
        let now = tx.now();
        let changed = tx.run(queries::COMPLETE).bind(number.id()).bind(now).execute().await?;
        change(tx, &order, number, changed, [WithdrawalStatus::Accepted, WithdrawalStatus::Completed]).await?;
        if when == CompleteWhen::Refunded
            && tx.run(queries::IS_PAID_FOR).bind(order.id).scalar::<i64>().await? > 0
            && !tx.run(queries::UNITS_TO_REFUND).bind(number.id()).all::<(i64, i64)>().await?.is_empty()
        {
            return Err(WithdrawalChangeError::NotRefunded(number));
        }
        Ok(end_units(tx, &order, number, queries::UNITS_TO_REFUND).await?)
    })
    .await?;
    found(&mut Reader::from(db), number).await
}

/// Ends what was granted for those units of a withdrawal that the statement finds, which no refund ends. An order that is not paid has
/// granted nothing.
async fn end_units(tx: &mut Tx, order: &LockedOrder, number: WithdrawalNumber, units: Sql) -> Result<(), DbError> {
    if order.status != OrderStatus::Paid {
        return Ok(());
    }
    for (order_line_id, unit) in tx.run(units).bind(number.id()).all::<(i64, i64)>().await? {
        let customer_id = order.customer_id;
        tx.emit(&EntitlementEnded { order_id: order.id, order_line_id, unit, customer_id }).await?;
    }
    Ok(())
}

/// Cancels the order of a withdrawal if it is not paid and nothing of it stays.
async fn cancel_unpaid(payments: &Payments, record: &WithdrawalRecord) -> Result<(), WithdrawalChangeError> {
    let order = record.order();
    let (status, kept) = payments
        .db
        .write(async |tx| -> Result<_, WithdrawalChangeError> {
            let locked = lock_order(tx, order.id()).await?.ok_or(ReserveRefundError::NotFound)?;
            Ok((locked.status, kept_units(tx, order.id(), Declared::Gone).await?))
        })
        .await?;
    if status != OrderStatus::Pending {
        return Ok(());
    }
    if kept.products > 0 {
        return Err(WithdrawalChangeError::PartOfUnpaid(order));
    }
    match cancel_order(payments, order.id(), CancelReason::Withdrawn).await {
        // Somebody was faster, or the money has just come and goes back as that of any paid order.
        Ok(()) | Err(CancelOrderError::Cancelled | CancelOrderError::Paid) => Ok(()),
        Err(error) => Err(WithdrawalChangeError::Cancel { order, error }),
    }
}

/// Units of an order that no withdrawal and no refund has taken.
#[derive(Debug, Clone, Copy, sqlx::FromRow)]
pub(super) struct KeptUnits {
    pub(super) products: i64,
    /// Those of products that are sent.
    pub(super) goods: i64,
    /// How many items are sent at all.
    pub(super) items_of_goods: i64,
}

/// What becomes of units whose withdrawal is declared and not decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    /// They may be refused, so they stay.
    Kept,
    Gone,
}

pub(super) async fn kept_units(tx: &mut Tx, order_id: i64, declared: Declared) -> Result<KeptUnits, DbError> {
    tx.run(queries::KEPT_UNITS).bind(order_id).bind(declared == Declared::Gone).one().await
}

pub(super) async fn found(
    reader: &mut Reader<'_>,
    number: WithdrawalNumber,
) -> Result<WithdrawalRecord, WithdrawalChangeError> {
    find_withdrawal(reader, number).await?.ok_or(WithdrawalChangeError::Unknown(number))
}

/// The order of a withdrawal, locked as whoever changes anything of an order does.
pub(super) async fn locked_order(tx: &mut Tx, number: WithdrawalNumber) -> Result<LockedOrder, WithdrawalChangeError> {
    let order_id = tx.run(queries::ORDER_OF).bind(number.id()).optional_scalar::<i64>().await?;
    let order_id = order_id.ok_or(WithdrawalChangeError::Unknown(number))?;
    Ok(lock_order(tx, order_id).await?.ok_or(ReserveRefundError::NotFound)?)
}

/// Writes the change into the order's history, or says why nothing has changed.
async fn change(
    tx: &mut Tx,
    order: &LockedOrder,
    number: WithdrawalNumber,
    changed: u64,
    [before, after]: [WithdrawalStatus; 2],
) -> Result<(), WithdrawalChangeError> {
    if changed == 0 {
        let status = found(&mut Reader::from(&mut *tx), number).await?.withdrawal.status;
        return Err(WithdrawalChangeError::State { number, status });
    }
    let done = after.as_str();
    record(tx, order.id, &format!("withdrawal_{done}"), Actor::Operator, Some(&number.to_string())).await?;
    let (before, after) = (json!({"status": before}), json!({"status": after, "order": order.id}));
    let subject = Subject::new("withdrawal", number.id());
    Ok(tx.audit_operator(&format!("withdrawals.{done}"), subject, before, after).await?)
}
