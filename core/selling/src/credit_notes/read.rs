//! Reading credit notes.

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::Buyer;

use super::model::{CreditNoteRecord, CreditNoteResource, CreditNoteRow};
use super::queries;
use crate::invoices::DocumentReference;

/// Which credit notes to list.
#[derive(Debug, Clone, Default)]
pub struct CreditNoteFilter {
    /// Only those of this customer.
    pub customer_id: Option<i64>,
    /// At most this many; all of them if none is said.
    pub limit: Option<u32>,
}

/// The credit note of this id or number.
pub async fn find_credit_note(
    db: &Db,
    money: &MoneyFormatter,
    reference: &DocumentReference,
) -> Result<Option<CreditNoteRecord>, DbError> {
    let query = match reference {
        DocumentReference::Id(id) => db.read(queries::FIND).bind(*id),
        DocumentReference::Number(number) => db.read(queries::FIND_BY_NUMBER).bind(number.as_str()),
    };
    Ok(query.optional::<CreditNoteRow>().await?.map(|row| row.shown(money)))
}

/// The credit note of a refund; none while it has not succeeded, and where none was needed.
pub async fn find_credit_note_of_refund(
    db: &Db,
    money: &MoneyFormatter,
    refund_id: i64,
) -> Result<Option<CreditNoteRecord>, DbError> {
    let row = db.read(queries::FIND_OF_REFUND).bind(refund_id).optional::<CreditNoteRow>().await?;
    Ok(row.map(|row| row.shown(money)))
}

/// Credit notes of all customers, the newest first.
pub async fn list_credit_notes(
    db: &Db,
    money: &MoneyFormatter,
    filter: &CreditNoteFilter,
) -> Result<Vec<CreditNoteRecord>, DbError> {
    let list = db.read(queries::LIST).bind(filter.customer_id).bind(filter.limit.map_or(i64::MAX, i64::from));
    Ok(list.all::<CreditNoteRow>().await?.into_iter().map(|row| row.shown(money)).collect())
}

/// A page of a customer's credit notes, the newest first, and how many there are in all.
pub(super) async fn page_of_credit_notes(
    db: &Db,
    money: &MoneyFormatter,
    customer_id: i64,
    limit: i64,
    offset: i64,
) -> Result<(Vec<CreditNoteResource>, i64), DbError> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer_id).scalar::<i64>().await?;
    let page = db.read(queries::PAGE_OF_CUSTOMER).bind(customer_id).bind(limit).bind(offset);
    let page = page.all::<CreditNoteRow>().await?.into_iter().map(|row| row.shown(money).credit_note);
    Ok((page.collect(), total))
}

/// A credit note of this customer; that of another is none.
pub(super) async fn find_own_credit_note(
    db: &Db,
    money: &MoneyFormatter,
    buyer: Buyer,
    id: i64,
) -> Result<Option<CreditNoteRecord>, DbError> {
    let found = find_credit_note(db, money, &DocumentReference::Id(id)).await?;
    Ok(found.filter(|record| buyer.has_bought(record.customer_id, record.order_id)))
}
