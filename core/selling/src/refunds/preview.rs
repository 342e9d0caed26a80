//! What a refund would be, without beginning it.

use uuid::Uuid;

use stoa_kernel::db::{DbError, Tx};

use super::model::{Refund, RefundLineResource};
use super::queries;
use super::reserve::{ReserveRefundError, reserve};
use super::scope::NewRefund;
use super::uses::Refunds;

/// What a refund would send back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPreview {
    /// How much, in minor units.
    pub amount: i64,
    /// How much of it is for shipping.
    pub shipping_amount: i64,
    /// What of it is for which item, with the units that it would take.
    pub lines: Vec<RefundLineResource>,
}

/// Ends the transaction without leaving anything behind.
enum Undone {
    Seen(RefundPreview),
    Refused(ReserveRefundError),
}

impl<E: Into<ReserveRefundError>> From<E> for Undone {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

/// Begins a refund and says what it is. Whoever does not want it rolls back.
pub(crate) async fn begun(tx: &mut Tx, new: &NewRefund, reference: Uuid) -> Result<RefundPreview, ReserveRefundError> {
    let refund_id = reserve(tx, new, reference).await?;
    Ok(look(tx, refund_id).await?)
}

/// What [`refund_order`](super::refund_order) would do now: it is begun like that, looked at and undone.
pub async fn preview_refund(refunds: &Refunds, new: &NewRefund) -> Result<RefundPreview, ReserveRefundError> {
    let reference = refunds.random.uuid();
    let undone =
        refunds.db.write(async |tx| -> Result<(), Undone> { Err(Undone::Seen(begun(tx, new, reference).await?)) });
    match undone.await {
        Err(Undone::Seen(preview)) => Ok(preview),
        Err(Undone::Refused(error)) => Err(error),
        Ok(()) => Err(ReserveRefundError::Worthless),
    }
}

async fn look(tx: &mut Tx, refund_id: i64) -> Result<RefundPreview, DbError> {
    let refund = tx.run(queries::FIND).bind(refund_id).one::<Refund>().await?;
    let mut lines = tx.run(queries::LIST_ITEMS).bind(refund_id).all::<RefundLineResource>().await?;
    for (item_id, unit, used) in tx.run(queries::LIST_UNITS).bind(refund_id).all::<(i64, i64, bool)>().await? {
        let Some(line) = lines.iter_mut().find(|line| line.order_line_id == item_id) else { continue };
        line.units.push(unit);
        line.used_units.extend(used.then_some(unit));
    }
    Ok(RefundPreview { amount: refund.amount, shipping_amount: refund.shipping_amount, lines })
}
