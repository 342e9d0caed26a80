//! Methods that customers have let be saved, and charging them without the customer.
//!
//! Whoever sells something that is paid again and again marks the first order with [`save_method_of`]; the gateway then asks
//! the customer while they pay. Once that order is paid, [`keep_method`] remembers what the provider calls the method, and
//! [`charge_saved`] pays later orders with it. Where nothing is saved, an order waits for the customer like every other.

use std::sync::Arc;

use stoa_customers::customers::CustomerAnonymizing;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::{Cipher, SealContext};
use stoa_kernel::events::{InTransaction, ListenerError};
use stoa_kernel::gateways::{AttemptStatus, ErasedGateway, GatewayError, GatewayTable};
use stoa_kernel::secret::Secret;

use super::gateway_calls::{self, GatewayCallError};
use super::pay::insert;
use super::queries;
use super::record::set_unpaid_status;
use super::records::{Attempt, PaymentToMake, find_attempt, find_payment, find_to_pay};
use super::rules::PayRequest;
use super::status::PaymentStatus;
use crate::orders::{LockedOrder, OrderStatus, lock_order};
use crate::payments::Payments;

/// What charging a saved method came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charged {
    /// The order is paid.
    Paid,
    /// The money is on its way; the provider will tell.
    Processing,
    /// The provider said no, in its own words: another try may succeed.
    Refused(String),
    /// Nobody knows yet whether it was charged; the provider is asked again by and by.
    Unknown(String),
    /// Nothing is saved that the order could be paid with.
    NothingSaved,
    /// The customer is paying in another way at this moment.
    InUse,
    /// The order is cancelled, or costs nothing.
    NotPayable,
}

/// Why a method could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepMethodError {
    /// The provider refused, or gave no answer that could be understood.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Has the customer asked, while they pay this order, whether the method may be saved. In the transaction that places it.
pub async fn save_method_of(tx: &mut Tx, order_id: i64) -> Result<(), DbError> {
    tx.run(queries::SAVE_METHOD_OF).bind(order_id).execute().await?;
    Ok(())
}

/// Remembers the method that a paid order has saved at its provider; false if it has saved none. May be called again.
pub async fn keep_method(
    db: &Db,
    cipher: &Cipher,
    gateways: &GatewayTable,
    order_id: i64,
) -> Result<bool, KeepMethodError> {
    let paid = find_payment(db, order_id).await?.and_then(|payment| payment.attempt_id);
    let Some(attempt_id) = paid else { return Ok(false) };
    let Some(attempt) = find_attempt(db, attempt_id).await? else { return Ok(false) };
    let gateway = gateways.find_enabled(&attempt.gateway).filter(|gateway| gateway.saves_methods());
    let (Some(gateway), Some(gateway_attempt_id)) = (gateway, &attempt.gateway_attempt_id) else { return Ok(false) };
    let method = match gateway.saved_method(gateway_attempt_id).await {
        Ok(Some(method)) => Secret::new(method),
        Ok(None) => return Ok(false),
        Err(error) => {
            // The provider may have told by itself what it has no answer to yet.
            let told = db.read(queries::COUNT_SAVED_SINCE).bind(order_id).bind(attempt.gateway.as_str());
            let is_told = told.bind(attempt.created_at).scalar::<i64>().await? > 0;
            return if is_told { Ok(true) } else { Err(error.into()) };
        }
    };
    let keep = async |tx: &mut Tx| store_method(tx, cipher, order_id, &attempt.gateway, &method).await;
    Ok(db.write(keep).await?)
}

/// Remembers a method of which the provider tells by itself, if the customer of the order was asked for it. In the
/// transaction that takes the message in, so that it is never kept readable.
pub(super) async fn keep_told_method(
    tx: &mut Tx,
    cipher: &Cipher,
    gateways: &GatewayTable,
    order_id: i64,
    gateway: &str,
    method: &Secret,
) -> Result<(), DbError> {
    let is_wanted = tx.run(queries::COUNT_SAVING).bind(order_id).scalar::<i64>().await? > 0;
    let can_save = gateways.find_enabled(gateway).is_some_and(|gateway| gateway.saves_methods());
    if is_wanted && can_save {
        store_method(tx, cipher, order_id, gateway, method).await?;
    }
    Ok(())
}

/// Writes a method down, sealed; false for a customer who is not there any more.
async fn store_method(
    tx: &mut Tx,
    cipher: &Cipher,
    order_id: i64,
    gateway: &str,
    method: &Secret,
) -> Result<bool, DbError> {
    let now = tx.now();
    let keep = tx.run(queries::KEEP_METHOD).bind(order_id).bind(gateway).bind(Vec::<u8>::new()).bind(now);
    let Some(id) = keep.optional_scalar::<i64>().await? else { return Ok(false) };
    let sealed = cipher.seal(seal_context(id), method.expose().as_bytes());
    tx.run(queries::SEAL_METHOD).bind(id).bind(sealed).execute().await?;
    Ok(true)
}

/// Pays an order with the method that its customer has saved at the gateway that the order names. The customer need not be
/// there. Of two who charge at once, one does.
pub async fn charge_saved(payments: &Payments, order_id: i64) -> Result<Charged, DbError> {
    let reference = payments.random.uuid();
    let begun = payments
        .db
        .write(async |tx| begin(tx, &payments.base_url, &payments.gateways, order_id, reference).await)
        .await?;
    let attempt = match begun {
        Ok(attempt) => attempt,
        Err(charged) => return Ok(charged),
    };
    match gateway_calls::start(payments, &attempt).await {
        Ok(attempt) => Ok(outcome(attempt)),
        Err(GatewayCallError::Gateway(GatewayError::Refused(words))) => Ok(Charged::Refused(words)),
        Err(GatewayCallError::Db(error)) => Err(error),
        Err(error) => Ok(Charged::Unknown(error.to_string())),
    }
}

fn outcome(attempt: Attempt) -> Charged {
    match attempt.status {
        AttemptStatus::Succeeded => Charged::Paid,
        AttemptStatus::Processing | AttemptStatus::Pending => Charged::Processing,
        AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => {
            Charged::Refused(attempt.last_error.unwrap_or_else(|| String::from("the provider refused")))
        }
    }
}

/// Writes the attempt, or says why there is nothing to be charged.
async fn begin(
    tx: &mut Tx,
    base_url: &str,
    gateways: &GatewayTable,
    order_id: i64,
    reference: uuid::Uuid,
) -> Result<Result<Attempt, Charged>, DbError> {
    let Some(order) = lock_order(tx, order_id).await? else { return Ok(Err(Charged::NotPayable)) };
    let PaymentToMake { payment, has_open_attempt } = match payable(tx, &order).await? {
        Ok(found) => found,
        Err(charged) => return Ok(Err(charged)),
    };
    let Some((gateway, way)) = chargeable(tx, gateways, &order.payment_method, order.customer_id).await? else {
        return Ok(Err(Charged::NothingSaved));
    };
    if has_open_attempt {
        return Ok(Err(Charged::InUse));
    }
    let request = PayRequest {
        gateway: gateway.id().to_owned(),
        return_url: base_url.to_string(),
        cancel_url: base_url.to_string(),
        idempotency_key: None,
    };
    let mut attempt = insert(tx, &payment, &request, reference).await?;
    match way {
        Way::SavedMethod => {
            tx.run(queries::MARK_OFF_SESSION).bind(attempt.id).execute().await?;
            attempt.off_session = true;
        }
        Way::AtOnce => {}
    }
    if payment.status == PaymentStatus::Failed {
        set_unpaid_status(tx, payment.id, PaymentStatus::Pending).await?;
    }
    Ok(Ok(attempt))
}

/// How a gateway is charged without the customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// With what the customer has let be saved.
    SavedMethod,
    /// As it is: it needs no customer.
    AtOnce,
}

/// The gateway that an order names, if it can be charged without the customer.
async fn chargeable<'a>(
    tx: &mut Tx,
    gateways: &'a GatewayTable,
    gateway: &str,
    customer_id: i64,
) -> Result<Option<(&'a Arc<dyn ErasedGateway>, Way)>, DbError> {
    let Some(gateway) = gateways.find_enabled(gateway) else { return Ok(None) };
    let saved = tx.run(queries::COUNT_SAVED).bind(customer_id).bind(gateway.id()).scalar::<i64>().await?;
    Ok(if gateway.saves_methods() && saved > 0 {
        Some((gateway, Way::SavedMethod))
    } else if gateway.settles_at_once() {
        Some((gateway, Way::AtOnce))
    } else {
        None
    })
}

/// Whether [`charge_saved`] has something to charge for an unpaid order, so that nobody need ask its customer to pay.
pub async fn can_charge_saved(tx: &mut Tx, gateways: &GatewayTable, order_id: i64) -> Result<bool, DbError> {
    let unpaid = tx.run(queries::FIND_UNPAID).bind(order_id).optional::<(String, i64)>().await?;
    match unpaid {
        Some((gateway, customer_id)) => Ok(chargeable(tx, gateways, &gateway, customer_id).await?.is_some()),
        None => Ok(false),
    }
}

async fn payable(tx: &mut Tx, order: &LockedOrder) -> Result<Result<PaymentToMake, Charged>, DbError> {
    Ok(match (order.status, find_to_pay(tx, order.id).await?) {
        (OrderStatus::Pending, Some(payment)) => Ok(payment),
        (OrderStatus::Paid, Some(_)) => Err(Charged::Paid),
        (OrderStatus::Pending | OrderStatus::Paid | OrderStatus::Cancelled, _) => Err(Charged::NotPayable),
    })
}

/// What the customer of this order has saved at this gateway.
pub(super) async fn saved_method(
    db: &Db,
    cipher: &Cipher,
    order_id: i64,
    gateway: &str,
) -> Result<Option<String>, GatewayCallError> {
    let found = db.read(queries::FIND_SAVED).bind(order_id).bind(gateway);
    let Some((id, sealed)) = found.optional::<(i64, Vec<u8>)>().await? else { return Ok(None) };
    let unreadable = || GatewayError::Refused(String::from("the saved payment method cannot be read any more"));
    let opened = cipher.open(seal_context(id), &sealed).map_err(|_| unreadable())?;
    Ok(Some(String::from_utf8(opened).map_err(|_| unreadable())?))
}

const fn seal_context(row: i64) -> SealContext {
    SealContext { table: "saved_payment_methods", column: "method", row }
}

/// Forgets the methods of whoever is anonymized.
pub(super) struct ForgetMethods;

impl InTransaction<CustomerAnonymizing> for ForgetMethods {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::FORGET_METHODS).bind(event.customer_id).execute().await?;
        Ok(())
    }
}
