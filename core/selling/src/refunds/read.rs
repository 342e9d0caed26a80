//! Reading refunds.

use uuid::Uuid;

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::money::MoneyFormatter;

use super::model::{Refund, RefundLineResource, RefundRecord};
use super::queries;
use crate::credit_notes::find_credit_note_of_refund;

/// A refund with what belongs to it.
pub async fn find_refund(db: &Db, money: &MoneyFormatter, refund_id: i64) -> Result<Option<RefundRecord>, DbError> {
    let Some(refund) = load(db, refund_id).await? else { return Ok(None) };
    let mut items = db.read(queries::LIST_ITEMS).bind(refund_id).all::<RefundLineResource>().await?;
    for (item_id, unit, used) in db.read(queries::LIST_UNITS).bind(refund_id).all::<(i64, i64, bool)>().await? {
        let Some(item) = items.iter_mut().find(|item| item.order_line_id == item_id) else { continue };
        item.units.push(unit);
        item.used_units.extend(used.then_some(unit));
    }
    let credit_note = find_credit_note_of_refund(db, money, refund_id).await?;
    Ok(Some(RefundRecord { refund, items, credit_note }))
}

/// The refund that a provider calls so.
pub async fn find_refund_by_gateway_refund_id(
    db: &Db,
    gateway: &str,
    gateway_refund_id: &str,
) -> Result<Option<i64>, DbError> {
    db.read(queries::FIND_BY_GATEWAY_REFUND_ID).bind(gateway).bind(gateway_refund_id).optional_scalar().await
}

/// The refund that we call so towards a provider.
pub async fn find_refund_by_reference(db: &Db, gateway: &str, reference: Uuid) -> Result<Option<i64>, DbError> {
    db.read(queries::FIND_BY_REFERENCE).bind(gateway).bind(reference).optional_scalar().await
}

pub(super) async fn load(db: &Db, refund_id: i64) -> Result<Option<Refund>, DbError> {
    db.read(queries::FIND).bind(refund_id).optional().await
}
