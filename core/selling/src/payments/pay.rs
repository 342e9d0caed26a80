//! Beginning to pay an order (contract 2.3): at most one attempt can be paid at any time.

use uuid::Uuid;

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::gateways::{AttemptStatus, GatewayTable};

use super::error::PayError;
use super::gateway_calls::{self, OpenAttempt, next_check};
use super::queries;
use super::reconcile::ask_at;
use super::record::set_unpaid_status;
use super::records::{Attempt, Payment, PaymentToMake, find_attempt, find_open_attempt, find_to_pay};
use super::rules::PayRequest;
use super::status::PaymentStatus;
use crate::idempotency::{self, IdempotencyKey, KeyResult};
use crate::orders::{LockedOrder, OrderStatus, give_time, lock_order};
use crate::payments::Payments;

/// The route's name, which idempotency keys are kept under.
pub(super) const ROUTE: &str = "orders.pay";

/// How often a customer who pays in several ways at once is let begin one before being asked to try again. Whoever ends an
/// attempt tries to begin another afterwards, and so the last round ends none: of many at once one stays that can be paid.
const ROUNDS: usize = 3;

/// What the transaction has found.
enum PayStep {
    /// A new attempt is written and has to be begun at the provider.
    Start(Box<Attempt>),
    /// The key has begun this attempt before.
    Again(i64),
    /// Another attempt is open and has to be dealt with first.
    Open,
}

/// Begins to pay an order of this customer, or goes on with what was begun.
pub(super) async fn pay(
    payments: &Payments,
    customer_id: i64,
    order_id: i64,
    request: &PayRequest,
    key: Option<&IdempotencyKey>,
) -> Result<Attempt, PayError> {
    for round in 1..=ROUNDS {
        let reference = payments.random.uuid();
        let step = payments
            .db
            .write(async |tx| begin(tx, &payments.gateways, customer_id, order_id, request, key, reference).await)
            .await?;
        match step {
            PayStep::Start(attempt) => return still_wanted(gateway_calls::start(payments, &attempt).await?),
            PayStep::Again(attempt_id) => {
                let attempt = find_attempt(&payments.db, attempt_id).await?.ok_or(PayError::NotFound)?;
                return resume(payments, attempt).await;
            }
            PayStep::Open => {
                if let Some(attempt) = go_on(payments, order_id, request).await? {
                    return remember(&payments.db, customer_id, key, attempt).await;
                }
                if round < ROUNDS {
                    make_room(payments, order_id).await?;
                }
            }
        }
    }
    Err(PayError::InUse)
}

/// Writes the attempt to pay a new order, in the transaction that has placed it, if its gateway needs no customer.
pub(crate) async fn insert_at_once(
    tx: &mut Tx,
    payments: &Payments,
    payment: &Payment,
    gateway: &str,
) -> Result<Option<Attempt>, DbError> {
    let found = payments.gateways.find_enabled(gateway).filter(|gateway| gateway.settles_at_once());
    let Some(found) = found.filter(|gateway| payment.money().is_some_and(|amount| gateway.accepts(amount))) else {
        return Ok(None);
    };
    let request = PayRequest {
        gateway: found.id().to_owned(),
        return_url: payments.base_url.to_string(),
        cancel_url: payments.base_url.to_string(),
        idempotency_key: None,
    };
    let reference = tx.uuid();
    insert(tx, payment, &request, reference).await.map(Some)
}

/// Begins the attempt that was written with a new order. When it does not work, the order waits like every other.
pub(crate) async fn pay_at_once(payments: &Payments, attempt: &Attempt) {
    if let Err(error) = gateway_calls::start(payments, attempt).await {
        let (order_id, gateway) = (attempt.order_id, attempt.gateway.as_str());
        tracing::warn!(order.id = order_id, gateway, ?error, "a new order could not be paid at once");
    }
}

async fn begin(
    tx: &mut Tx,
    gateways: &GatewayTable,
    customer_id: i64,
    order_id: i64,
    request: &PayRequest,
    key: Option<&IdempotencyKey>,
    reference: Uuid,
) -> Result<PayStep, PayError> {
    let order = lock_order(tx, order_id).await?.filter(|order| order.customer_id == customer_id);
    let order = order.ok_or(PayError::NotFound)?;
    gateways.choose(&request.gateway).map_err(PayError::Gateway)?;
    if let Some(key) = key
        && let Some(made) = idempotency::find(tx, customer_id, ROUTE, key).await?
    {
        return made.attempt_id.map(PayStep::Again).ok_or(PayError::NotFound);
    }
    let PaymentToMake { payment, has_open_attempt } = payable(tx, &order).await?;
    if has_open_attempt {
        return Ok(PayStep::Open);
    }
    let amount = payment.money();
    let gateway = gateways.find_enabled(&request.gateway);
    if gateway.is_some_and(|gateway| !amount.is_some_and(|amount| gateway.accepts(amount))) {
        let amount = amount.map_or_else(|| payment.currency.clone(), |amount| amount.to_string());
        return Err(PayError::Refused(format!("{} does not take {amount}", request.gateway)));
    }
    if let Some(minutes) = gateway.and_then(|gateway| gateway.expiry_minutes()) {
        give_time(tx, &order, minutes).await?;
    }
    let attempt = insert(tx, &payment, request, reference).await?;
    if payment.status == PaymentStatus::Failed {
        set_unpaid_status(tx, payment.id, PaymentStatus::Pending).await?;
    }
    if let Some(key) = key {
        idempotency::claim(tx, customer_id, ROUTE, key).await?;
        let made = KeyResult { order_id: Some(order_id), attempt_id: Some(attempt.id), ..KeyResult::default() };
        idempotency::store_result(tx, customer_id, ROUTE, key, made).await?;
    }
    Ok(PayStep::Start(Box::new(attempt)))
}

/// The payment of an order that can still be paid.
async fn payable(tx: &mut Tx, order: &LockedOrder) -> Result<PaymentToMake, PayError> {
    match (order.status, find_to_pay(tx, order.id).await?) {
        (OrderStatus::Pending, Some(payment)) => Ok(payment),
        (OrderStatus::Cancelled, _) => Err(PayError::Cancelled),
        (OrderStatus::Paid | OrderStatus::Pending, _) => Err(PayError::AlreadyPaid),
    }
}

/// Writes a new attempt.
pub(super) async fn insert(
    tx: &mut Tx,
    payment: &Payment,
    request: &PayRequest,
    reference: Uuid,
) -> Result<Attempt, DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT_ATTEMPT).bind(payment.id).bind(payment.order_id).bind(request.gateway.as_str());
    let insert = insert.bind(reference).bind(payment.amount).bind(payment.currency.as_str());
    let insert = insert.bind(request.return_url.as_str()).bind(request.cancel_url.as_str());
    let attempt = insert.bind(now).one::<Attempt>().await?;
    ask_at(tx, attempt.id, &attempt.gateway, next_check(now, 0)).await?;
    Ok(attempt)
}

/// Goes on with the attempt that is open, if it is of the same gateway and still open at its provider.
async fn go_on(payments: &Payments, order_id: i64, request: &PayRequest) -> Result<Option<Attempt>, PayError> {
    let Some(open) = find_open_attempt(&payments.db, order_id).await? else { return Ok(None) };
    let is_same = open.gateway == request.gateway
        && open.return_url == request.return_url
        && open.cancel_url == request.cancel_url;
    if !is_same {
        return Ok(None);
    }
    let attempt = gateway_calls::ask_gateway(payments, &open).await?;
    Ok(attempt.status.is_open().then_some(attempt))
}

/// Makes room for a new attempt: the next round finds a free order, or one that is paid.
async fn make_room(payments: &Payments, order_id: i64) -> Result<(), PayError> {
    match gateway_calls::close_open_attempt(payments, order_id).await? {
        OpenAttempt::Clear | OpenAttempt::Paid => Ok(()),
        OpenAttempt::Processing => Err(PayError::InUse),
    }
}

/// An attempt that was just begun, unless the customer has meanwhile begun another, which has ended it.
fn still_wanted(attempt: Attempt) -> Result<Attempt, PayError> {
    if attempt.status == AttemptStatus::Cancelled { Err(PayError::InUse) } else { Ok(attempt) }
}

/// Goes on with what a key has begun: if nobody knows whether it was begun at the provider, it is begun again.
async fn resume(payments: &Payments, attempt: Attempt) -> Result<Attempt, PayError> {
    if attempt.status.is_open() && attempt.gateway_attempt_id.is_none() {
        return Ok(gateway_calls::start(payments, &attempt).await?);
    }
    if attempt.status == AttemptStatus::Failed {
        let detail = attempt.last_error.unwrap_or_else(|| String::from("the provider refused"));
        return Err(PayError::Refused(detail));
    }
    Ok(attempt)
}

/// Keeps with the key that it was answered with an attempt that another request had begun.
async fn remember(
    db: &Db,
    customer_id: i64,
    key: Option<&IdempotencyKey>,
    attempt: Attempt,
) -> Result<Attempt, PayError> {
    let Some(key) = key else { return Ok(attempt) };
    let made = KeyResult { order_id: Some(attempt.order_id), attempt_id: Some(attempt.id), ..KeyResult::default() };
    db.write(async |tx| -> Result<(), PayError> {
        if idempotency::claim(tx, customer_id, ROUTE, key).await?.is_none() {
            idempotency::store_result(tx, customer_id, ROUTE, key, made).await?;
        }
        Ok(())
    })
    .await?;
    Ok(attempt)
}
