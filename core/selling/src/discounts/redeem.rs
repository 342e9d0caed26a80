//! Using a code for an order, and giving it back.

use stoa_kernel::db::{DbError, Reader, Tx};

use super::code::folded;
use super::model::Discount;
use super::queries;
use super::refusal::DiscountRefusal;
use crate::pricing::DiscountRule;

/// A code that an order uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Redemption {
    /// The discount's id.
    pub discount_id: i64,
    /// The order that uses it.
    pub order_id: i64,
    /// Whose order it is.
    pub customer_id: i64,
    /// What it takes off, in minor units.
    pub amount: i64,
}

/// Why a code was not redeemed.
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    /// It cannot be used any more, perhaps because others were faster.
    #[error("the code cannot be used: {0:?}")]
    Refused(DiscountRefusal),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// How many orders of a customer use a discount; those that were cancelled do not count.
pub async fn count_uses(tx: &mut Tx, discount_id: i64, customer_id: i64) -> Result<i64, DbError> {
    tx.run(queries::COUNT_USES).bind(discount_id).bind(customer_id).scalar().await
}

/// What a code takes off this subtotal, in minor units before any discount, of a customer or of a guest, or why it cannot be used.
/// A guest has used nothing yet.
pub(crate) async fn check_code(
    reader: &mut Reader<'_>,
    code: &str,
    customer_id: Option<i64>,
    subtotal: i64,
) -> Result<Result<(Discount, DiscountRule), DiscountRefusal>, DbError> {
    // What no code can have is not looked up.
    if code.chars().any(char::is_control) {
        return Ok(Err(DiscountRefusal::Unknown));
    }
    let found = reader.read(queries::FIND).bind(folded(code)).optional::<Discount>().await?;
    let Some(discount) = found.filter(|discount| discount.is_for(customer_id)) else {
        return Ok(Err(DiscountRefusal::Unknown));
    };
    let uses = match customer_id {
        Some(customer_id) => reader.read(queries::COUNT_USES).bind(discount.id).bind(customer_id).scalar().await?,
        None => 0,
    };
    Ok(discount.check(reader.now(), subtotal, uses).map(|rule| (discount, rule)))
}

/// Uses a code for an order that was placed in this transaction.
///
/// From here to the end of the transaction, everybody else who wants to use the code waits, so it is used no more often
/// than it can be, in total and by each customer; call it late. After a refusal nothing is written, and the caller rolls
/// back. An order uses one code, once: a second attempt is an error of the database.
pub async fn redeem(tx: &mut Tx, redemption: Redemption) -> Result<(), RedeemError> {
    let Redemption { discount_id, order_id, customer_id, amount } = redemption;
    let discount = tx.run(queries::LOCK).bind(discount_id).optional::<Discount>().await?;
    let discount = discount.filter(|discount| discount.is_for(Some(customer_id)));
    let discount = discount.ok_or(RedeemError::Refused(DiscountRefusal::Unknown))?;
    // Counted behind the lock, which every other redemption of this code holds until its commit.
    let uses_by_customer = count_uses(tx, discount_id, customer_id).await?;
    discount.check_uses(tx.now(), uses_by_customer).map_err(RedeemError::Refused)?;
    if tx.run(queries::RAISE_USES).bind(discount_id).execute().await? == 0 {
        return Err(RedeemError::Refused(DiscountRefusal::UsedUp));
    }
    let now = tx.now();
    let insert = tx.run(queries::INSERT_REDEMPTION).bind(discount_id).bind(order_id).bind(customer_id);
    insert.bind(amount).bind(now).execute().await?;
    Ok(())
}

/// Gives back what a cancelled order used, so that others can use it; again, and for an order without a code, nothing
/// happens.
pub async fn release(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    let released = tx.run(queries::RELEASE).bind(order_id).bind(now).optional_scalar::<i64>().await?;
    if let Some(discount_id) = released {
        tx.run(queries::LOWER_USES).bind(discount_id).execute().await?;
    }
    Ok(())
}
