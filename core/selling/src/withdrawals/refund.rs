//! Money that goes back for a withdrawal, once.

use stoa_kernel::db::{DbError, Reader, Tx};
use stoa_kernel::i18n::Language;
use stoa_kernel::text;

use super::decide::{Declared, WithdrawalChangeError, found, kept_units, locked_order};
use super::number::WithdrawalNumber;
use super::queries;
use super::status::WithdrawalStatus;
use crate::refunds::{
    NewRefund, RefundLine, RefundPreview, RefundRecord, RefundScope, Refunds, ReserveRefundError, SendRefundError,
    begun, find_refund, reserve_in, resume_refund,
};

/// Sends back what was paid for the units of an accepted withdrawal; with it what is left of the shipping costs when nothing that was sent
/// stays, and what modules have charged for beside the products when nothing stays at all.
///
/// The refund is written down together with the withdrawal that it is for, so that there is one, whatever happens to the program.
pub async fn refund_withdrawal(
    refunds: &Refunds,
    number: WithdrawalNumber,
) -> Result<RefundRecord, WithdrawalChangeError> {
    let reference = refunds.random.uuid();
    let refund_id = refunds
        .db
        .write(async |tx| -> Result<i64, WithdrawalChangeError> {
            let order = locked_order(tx, number).await?;
            let status = found(&mut Reader::from(&mut *tx), number).await?.withdrawal.status;
            if status != WithdrawalStatus::Accepted {
                return Err(WithdrawalChangeError::State { number, status });
            }
            let scope = scope(tx, order.id, number).await?;
            let scope = scope.ok_or(WithdrawalChangeError::AlreadyRefunded(number))?;
            let reason = refund_reason(tx, order.id, number).await?;
            let new = NewRefund { order_id: order.id, scope, reason };
            let refund_id = reserve_in(tx, &new, reference).await?;
            let kept = tx.run(queries::KEEP_REFUND).bind(number.id()).bind(refund_id).execute().await?;
            if kept == 1 { Ok(refund_id) } else { Err(WithdrawalChangeError::AlreadyRefunded(number)) }
        })
        .await?;
    resume_refund(refunds, refund_id).await?;
    let record = find_refund(&refunds.db, &refunds.money, refund_id).await?;
    Ok(record.ok_or(SendRefundError::NotFound)?)
}

/// What [`refund_withdrawal`] would send back once the withdrawal is accepted; an error that says why nothing would.
pub async fn preview_withdrawal(
    refunds: &Refunds,
    number: WithdrawalNumber,
) -> Result<RefundPreview, WithdrawalChangeError> {
    let reference = refunds.random.uuid();
    let undone = refunds.db.write(async |tx| -> Result<(), Undone> {
        let order = locked_order(tx, number).await?;
        let now = tx.now();
        tx.run(queries::ACCEPT).bind(number.id()).bind(now).execute().await?;
        let scope = scope(tx, order.id, number).await?;
        let scope = scope.ok_or(WithdrawalChangeError::AlreadyRefunded(number))?;
        let new = NewRefund { order_id: order.id, scope, reason: number.to_string() };
        Err(Undone::Seen(begun(tx, &new, reference).await.map_err(WithdrawalChangeError::from)?))
    });
    match undone.await {
        Err(Undone::Seen(preview)) => Ok(preview),
        Err(Undone::Refused(error)) => Err(error),
        Ok(()) => Err(ReserveRefundError::Worthless.into()),
    }
}

/// Ends the transaction of a preview without leaving anything behind.
enum Undone {
    Seen(RefundPreview),
    Refused(WithdrawalChangeError),
}

impl<E: Into<WithdrawalChangeError>> From<E> for Undone {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// What the customer reads on the credit note, in the language of the order.
async fn refund_reason(tx: &mut Tx, order_id: i64, number: WithdrawalNumber) -> Result<String, DbError> {
    let language = tx.run(queries::LANGUAGE_OF_ORDER).bind(order_id).scalar::<String>().await?;
    let reason = text!("withdrawal-refund-reason", number = number.to_string());
    Ok(tx.texts().say(&reason, Language::of_locale(&language)))
}

/// What of an order goes back for a withdrawal; none when nothing is left of it.
async fn scope(
    tx: &mut Tx,
    order_id: i64,
    number: WithdrawalNumber,
) -> Result<Option<RefundScope>, WithdrawalChangeError> {
    if tx.run(queries::IS_PAID_FOR).bind(order_id).scalar::<i64>().await? == 0 {
        return Err(ReserveRefundError::NotPaid.into());
    }
    let units = tx.run(queries::UNITS_TO_REFUND).bind(number.id()).all::<(i64, i64)>().await?;
    if units.is_empty() {
        return Ok(None);
    }
    let mut lines = Vec::<RefundLine>::new();
    for (item_id, unit) in units {
        match lines.iter_mut().find(|line| line.item_id == item_id) {
            Some(line) => {
                line.quantity += 1;
                line.units.push(unit);
            }
            None => lines.push(RefundLine { item_id, quantity: 1, units: vec![unit] }),
        }
    }
    let kept = kept_units(tx, order_id, Declared::Kept).await?;
    if kept.products == 0 {
        let fees = tx.run(queries::FEES).bind(order_id).scalars::<i64>().await?;
        lines.extend(fees.into_iter().map(|item_id| RefundLine::any(item_id, 1)));
    }
    let is_all_back = kept.goods == 0 && kept.items_of_goods > 0;
    let shipping = is_all_back && shipping_left(tx, order_id).await? > 0;
    Ok(Some(RefundScope::Lines { lines, shipping }))
}

async fn shipping_left(tx: &mut Tx, order_id: i64) -> Result<i64, DbError> {
    tx.run(queries::SHIPPING_LEFT).bind(order_id).scalar().await
}
