//! Setting aside what is about to go back, so that no other refund takes the same money or the same units.

use uuid::Uuid;

use serde_json::json;
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::money::{Currency, Money};

use super::queries;
use super::scope::{NewRefund, RefundLine, RefundScope};
use super::task::resume_at;
use super::units::{ChosenUnit, TouchedUnits, UnitError, take_units};
use crate::orders::{Actor, lock_order, record};
use crate::payments::{PaymentStatus, next_check};
use crate::pricing::{RefundError, RefundUnits, RefundablePart, RefundedPart, refund_amount, refund_units};

/// Why a refund was not begun.
#[derive(Debug, thiserror::Error)]
pub enum ReserveRefundError {
    /// There is no such order.
    #[error("there is no such order")]
    NotFound,
    /// Nothing was paid, so nothing can go back.
    #[error("nothing was paid for the order")]
    NotPaid,
    /// Everything went back or is on its way back.
    #[error("everything that was paid has gone back or is on its way back")]
    NothingLeft,
    /// The order has no such item.
    #[error("the order has no item {0}")]
    UnknownItem(i64),
    /// An item was named twice.
    #[error("item {0} is named twice")]
    RepeatedItem(i64),
    /// The order has no such shipping costs left.
    #[error("no shipping costs are left to refund")]
    NoShipping,
    /// What was asked for an item cannot be.
    #[error("item {item_id}: {error}")]
    Item {
        /// The item.
        item_id: i64,
        /// Why.
        error: RefundError,
    },
    /// The units that were named for an item cannot be those.
    #[error("item {item_id}: {error}")]
    Units {
        /// The item.
        item_id: i64,
        /// Why.
        error: UnitError,
    },
    /// What was asked for cannot be.
    #[error(transparent)]
    Amount(#[from] RefundError),
    /// The lines that were asked for are worth nothing any more.
    #[error("nothing is left to refund for these lines")]
    Worthless,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

#[derive(sqlx::FromRow)]
struct PaymentRow {
    id: i64,
    #[sqlx(try_from = "String")]
    status: PaymentStatus,
    amount: i64,
    currency: String,
    refunded_amount: i64,
    refunding_amount: i64,
    gateway: Option<String>,
}

#[derive(sqlx::FromRow)]
struct LineRow {
    id: i64,
    quantity: i64,
    refunded_quantity: i64,
    refunded_amount: i64,
    refunded_tax_amount: i64,
    tax_amount: i64,
    total_amount: i64,
}

#[derive(sqlx::FromRow)]
#[expect(clippy::struct_field_names, reason = "they are named like the columns")]
struct ShippingRow {
    total_amount: i64,
    tax_amount: i64,
    refunded_amount: i64,
    refunded_tax_amount: i64,
}

/// The share of an item in a refund.
struct LineShare {
    item_id: i64,
    units: Vec<ChosenUnit>,
    part: RefundedPart,
}

impl LineShare {
    fn quantity(&self) -> i64 {
        // A line has at most a few dozen units.
        i64::try_from(self.units.len()).unwrap_or(i64::MAX)
    }
}

/// What a refund is made of.
struct Shares {
    items: Vec<LineShare>,
    shipping: RefundedPart,
}

impl Shares {
    fn amount(&self) -> i64 {
        // Each is a part of what was paid, which fits.
        self.items.iter().map(|share| share.part.amount).sum::<i64>() + self.shipping.amount
    }
}

/// Writes a pending refund, behind the lock of its order, and takes its amount and units aside.
pub(crate) async fn reserve(tx: &mut Tx, new: &NewRefund, reference: Uuid) -> Result<i64, ReserveRefundError> {
    let order = lock_order(tx, new.order_id).await?.ok_or(ReserveRefundError::NotFound)?;
    let payment = tx.run(queries::PAYMENT_OF_ORDER).bind(order.id).optional::<PaymentRow>().await?;
    let payment = payment.ok_or(ReserveRefundError::NotPaid)?;
    let gateway = match (payment.status, &payment.gateway) {
        (PaymentStatus::Paid | PaymentStatus::PartiallyRefunded, Some(gateway)) => gateway.clone(),
        (PaymentStatus::Refunded, _) => return Err(ReserveRefundError::NothingLeft),
        _ => return Err(ReserveRefundError::NotPaid),
    };
    let remaining_amount = payment.amount - payment.refunded_amount - payment.refunding_amount;
    if remaining_amount == 0 {
        return Err(ReserveRefundError::NothingLeft);
    }
    tx.run(queries::LOCK_ITEMS).bind(order.id).scalars::<i64>().await?;
    let items = tx.run(queries::ITEMS).bind(order.id).all::<LineRow>().await?;
    let shipping = tx.run(queries::SHIPPING).bind(order.id).one::<ShippingRow>().await?;
    let shares = match &new.scope {
        RefundScope::Amount(amount) => by_amount(&items, &shipping, *amount)?,
        RefundScope::Lines { lines, shipping: wanted } => {
            let touched = TouchedUnits::load(tx, order.id).await?;
            let mut shares = Shares { items: Vec::new(), shipping: RefundedPart::default() };
            for line in lines {
                shares.items.push(units_of(&items, &touched, &shares.items, line)?);
            }
            if *wanted {
                shares.shipping = rest_of(&shipping)?;
            }
            shares
        }
    };
    let amount = shares.amount();
    if amount == 0 {
        return Err(ReserveRefundError::Worthless);
    }
    let now = tx.now();
    if tx.run(queries::RESERVE).bind(payment.id).bind(amount).bind(now).execute().await? == 0 {
        return Err(RefundError::TooMuch { remaining_amount }.into());
    }
    let insert = tx.run(queries::INSERT).bind(payment.id).bind(order.id).bind(amount);
    let insert = insert.bind(shares.shipping.amount).bind(shares.shipping.tax_amount).bind(payment.currency.as_str());
    let insert = insert.bind(new.reason.as_str()).bind(gateway.as_str()).bind(reference);
    let refund_id = insert.bind(now).scalar::<i64>().await?;
    // Should the program stop before it knows what became of it.
    resume_at(tx, refund_id, &gateway, next_check(now, 0)).await?;
    for share in shares.items.iter().filter(|share| share.quantity() > 0 || share.part.amount > 0) {
        take_aside(tx, refund_id, share).await?;
    }
    let detail = described(amount, &payment.currency);
    record(tx, order.id, "refund_requested", Actor::Operator, Some(&detail)).await?;
    let items = shares.items.iter().filter(|share| share.quantity() > 0);
    let items = items.map(|share| json!({"item": share.item_id, "quantity": share.quantity()})).collect::<Vec<_>>();
    let before = json!({"refunded": payment.refunded_amount});
    // What was refunded grows when the money has arrived.
    let after = json!({"refunded": payment.refunded_amount, "refund": refund_id, "amount": amount, "currency": payment.currency,
        "items": items, "reason": new.reason});
    tx.audit("orders.refund", Subject::order(order.id), before, after).await?;
    Ok(refund_id)
}

async fn take_aside(tx: &mut Tx, refund_id: i64, share: &LineShare) -> Result<(), ReserveRefundError> {
    let (item_id, quantity) = (share.item_id, share.quantity());
    let RefundedPart { amount, tax_amount } = share.part;
    let taken = tx.run(queries::RESERVE_ITEM).bind(item_id).bind(quantity).bind(amount).bind(tax_amount);
    if taken.execute().await? == 0 {
        return Err(ReserveRefundError::Item { item_id, error: RefundError::TooManyUnits { remaining_units: 0 } });
    }
    let insert = tx.run(queries::INSERT_ITEM).bind(refund_id).bind(item_id).bind(quantity).bind(amount);
    insert.bind(tax_amount).execute().await?;
    Ok(take_units(tx, refund_id, item_id, &share.units).await?)
}

fn by_amount(items: &[LineRow], shipping: &ShippingRow, amount: i64) -> Result<Shares, ReserveRefundError> {
    let mut parts = items.iter().map(LineRow::part).collect::<Result<Vec<_>, _>>()?;
    parts.push(shipping.part()?);
    let mut refunded = refund_amount(&parts, amount)?;
    let shipping = refunded.pop().unwrap_or_default();
    let items = items.iter().zip(refunded).map(|(item, part)| LineShare { item_id: item.id, units: Vec::new(), part });
    Ok(Shares { items: items.collect(), shipping })
}

fn units_of(
    items: &[LineRow],
    touched: &TouchedUnits,
    taken: &[LineShare],
    line: &RefundLine,
) -> Result<LineShare, ReserveRefundError> {
    let (item_id, units) = (line.item_id, line.quantity);
    let item = items.iter().find(|item| item.id == item_id).ok_or(ReserveRefundError::UnknownItem(item_id))?;
    if taken.iter().any(|share| share.item_id == item_id) {
        return Err(ReserveRefundError::RepeatedItem(item_id));
    }
    let asked = RefundUnits { quantity: item.quantity, refunded_quantity: item.refunded_quantity, units };
    let part = item.part().and_then(|part| refund_units(part, asked));
    let part = part.map_err(|error| ReserveRefundError::Item { item_id, error })?;
    let chosen = touched.choose(item_id, item.quantity, units, &line.units);
    let units = chosen.map_err(|error| ReserveRefundError::Units { item_id, error })?;
    Ok(LineShare { item_id, units, part })
}

fn rest_of(shipping: &ShippingRow) -> Result<RefundedPart, ReserveRefundError> {
    let part = shipping.part()?;
    if part.remaining_amount() == 0 {
        return Err(ReserveRefundError::NoShipping);
    }
    Ok(refund_amount(&[part], part.remaining_amount())?[0])
}

impl LineRow {
    fn part(&self) -> Result<RefundablePart, RefundError> {
        RefundablePart::new(self.total_amount, self.tax_amount, self.refunded_amount, self.refunded_tax_amount)
    }
}

impl ShippingRow {
    fn part(&self) -> Result<RefundablePart, RefundError> {
        RefundablePart::new(self.total_amount, self.tax_amount, self.refunded_amount, self.refunded_tax_amount)
    }
}

/// An amount for an order's history.
pub(super) fn described(amount: i64, currency: &str) -> String {
    match Currency::from_code(currency) {
        Ok(currency) => Money::new(amount, currency).to_string(),
        Err(_) => format!("{amount} {currency}"),
    }
}
