//! Sending money back: set aside in one transaction, asked for outside of any, and written down in another.
//!
//! A program that stops between them leaves a pending refund behind, which is asked for again under the same reference: the
//! provider sends the money once.

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::gateways::{ErasedGateway, GatewayError, GatewayTable, RefundReport, RefundRequest, RefundStatus};
use stoa_kernel::money::{Currency, Money};

use super::model::{Refund, RefundRecord};
use super::queries;
use super::read::{find_refund, load};
use super::reserve::{ReserveRefundError, reserve};
use super::scope::NewRefund;
use super::settle::{RefundSettled, SettleRefundError, apply_refund_report, postpone};
use super::uses::Refunds;
use crate::orders::{Actor, OrderNumber};

/// Why a refund did not come to an end.
#[derive(Debug, thiserror::Error)]
pub enum RefundOrderError {
    /// It was not begun.
    #[error(transparent)]
    Reserve(#[from] ReserveRefundError),
    /// It was begun, and what became of it is not known or not written down.
    #[error(transparent)]
    Send(#[from] SendRefundError),
}

impl From<DbError> for RefundOrderError {
    fn from(error: DbError) -> Self {
        Self::Reserve(error.into())
    }
}

/// Why it is not known what became of a refund. It stays pending and is asked for again.
#[derive(Debug, thiserror::Error)]
pub enum SendRefundError {
    /// There is no such refund.
    #[error("there is no such refund")]
    NotFound,
    /// The refund belongs to a gateway that this program does not contain.
    #[error("this program does not contain the gateway `{0}`")]
    NoGateway(String),
    /// The refund is in a currency that this program does not know.
    #[error("the currency {0} of the refund is unknown")]
    Currency(String),
    /// The provider gave no usable answer.
    #[error("{0}")]
    Unknown(String),
    /// The provider's answer could not be written down.
    #[error(transparent)]
    Settle(#[from] SettleRefundError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Sends money of an order back. Never more than was paid, and never more units than were sold, however many refunds are
/// begun at once. What the provider has said for certain is in the record that is returned: whether it succeeded, failed,
/// or is pending there.
pub async fn refund_order(refunds: &Refunds, new: &NewRefund) -> Result<RefundRecord, RefundOrderError> {
    let refund_id = reserve_refund(refunds, new).await?;
    resume_refund(refunds, refund_id).await?;
    let record = find_refund(&refunds.db, &refunds.money, refund_id).await?;
    Ok(record.ok_or(SendRefundError::NotFound)?)
}

/// The first half of [`refund_order`]: writes the refund and sets its money aside. [`resume_refund`] is the other.
pub async fn reserve_refund(refunds: &Refunds, new: &NewRefund) -> Result<i64, ReserveRefundError> {
    let reference = refunds.random.uuid();
    refunds.db.write(async |tx| reserve(tx, new, reference).await).await
}

/// Asks the provider for a refund that is pending, or what became of it, and writes down what it says. For one that is over,
/// nothing happens.
pub async fn resume_refund(refunds: &Refunds, refund_id: i64) -> Result<RefundSettled, SendRefundError> {
    let Refunds { db, config, gateways, .. } = refunds;
    let refund = load(db, refund_id).await?.ok_or(SendRefundError::NotFound)?;
    if refund.status != RefundStatus::Pending {
        return Ok(RefundSettled::Nothing);
    }
    match ask_gateway(db, gateways, &refund).await {
        Ok((report, actor)) => {
            let settled = db.write(async |tx| apply_refund_report(tx, config, refund.id, &report, actor).await);
            Ok(settled.await?)
        }
        Err(SendRefundError::Db(error)) => Err(error.into()),
        Err(error) => {
            let text = error.to_string();
            db.write(async |tx| postpone(tx, &refund, None, Some(&text)).await).await?;
            Err(error)
        }
    }
}

/// What the provider says; a refusal is a report too, because then it is certain that nothing has happened.
async fn ask_gateway(
    db: &Db,
    gateways: &GatewayTable,
    refund: &Refund,
) -> Result<(RefundReport, Actor), SendRefundError> {
    let gateway = gateways.find(&refund.gateway);
    let gateway: &dyn ErasedGateway =
        gateway.ok_or_else(|| SendRefundError::NoGateway(refund.gateway.clone()))?.as_ref();
    let request = request(db, refund).await?;
    let report = match gateway.refund(&request).await {
        Ok(report) => report,
        Err(GatewayError::Refused(reason)) => {
            RefundReport { status: RefundStatus::Failed, gateway_refund_id: None, detail: Some(reason) }
        }
        Err(error @ GatewayError::Unknown(_)) => return Err(SendRefundError::Unknown(error.to_string())),
    };
    Ok((report, Actor::Gateway(gateway.id())))
}

#[derive(sqlx::FromRow)]
struct Source {
    gateway_attempt_id: Option<String>,
    gateway_payment_id: Option<String>,
}

async fn request(db: &Db, refund: &Refund) -> Result<RefundRequest, SendRefundError> {
    let currency =
        Currency::from_code(&refund.currency).map_err(|_| SendRefundError::Currency(refund.currency.clone()))?;
    let source = db.read(queries::SOURCE).bind(refund.payment_id).optional::<Source>().await?;
    let (gateway_attempt_id, payment_id) =
        source.map_or((None, None), |row| (row.gateway_attempt_id, row.gateway_payment_id));
    let order_number = OrderNumber::of(refund.order_id).to_string();
    Ok(RefundRequest {
        reference: refund.reference,
        // Money that the operator took without a provider is known by the order.
        gateway_attempt_id: gateway_attempt_id.unwrap_or_else(|| order_number.clone()),
        order_number,
        payment_id,
        refund_id: refund.gateway_refund_id.clone(),
        amount: Money::new(refund.amount, currency),
        reason: refund.reason.clone(),
    })
}
