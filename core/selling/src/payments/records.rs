//! What is stored about payments and attempts.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::gateways::AttemptStatus;
use stoa_kernel::money::{Currency, Money};

use super::queries;
use super::status::PaymentStatus;

/// The payment of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct Payment {
    /// The payment's id.
    pub id: i64,
    /// The order.
    pub order_id: i64,
    /// What has become of it.
    #[sqlx(try_from = "String")]
    pub status: PaymentStatus,
    /// What is or was to be paid, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// What went back, in minor units.
    pub refunded_amount: i64,
    /// What is on its way back, in minor units.
    pub refunding_amount: i64,
    /// The gateway that the money came through.
    pub gateway: Option<String>,
    /// The attempt that brought it; none when the operator took it.
    pub attempt_id: Option<i64>,
    /// When it came.
    pub paid_at: Option<DateTime<Utc>>,
}

impl Payment {
    /// What is or was to be paid; the currency was one when it was written.
    pub fn money(&self) -> Option<Money> {
        Some(Money::new(self.amount, Currency::from_code(&self.currency).ok()?))
    }
}

/// A payment that is about to be made.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct PaymentToMake {
    #[sqlx(flatten)]
    pub(super) payment: Payment,
    /// Whether an attempt may still bring the money.
    pub(super) has_open_attempt: bool,
}

/// An attempt to pay an order.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Attempt {
    /// The attempt's id.
    pub id: i64,
    /// The payment it is for.
    pub payment_id: i64,
    /// The order it is for.
    pub order_id: i64,
    /// The gateway's id.
    pub gateway: String,
    /// How far it has come.
    #[sqlx(try_from = "String")]
    pub status: AttemptStatus,
    /// What we call it towards the provider.
    pub reference: Uuid,
    /// What the provider calls it; none until it has answered.
    pub gateway_attempt_id: Option<String>,
    /// What the provider calls the money.
    pub gateway_payment_id: Option<String>,
    /// What is asked for, in minor units.
    pub amount: i64,
    /// ISO 4217 code.
    pub currency: String,
    /// Where the customer comes back to.
    pub return_url: String,
    /// Where the customer comes back to without having paid.
    pub cancel_url: String,
    /// Where the customer pays.
    pub redirect_url: Option<String>,
    /// When the provider gives it up.
    pub expires_at: Option<DateTime<Utc>>,
    /// How often it was asked without an answer.
    pub checks: i64,
    /// What went wrong last.
    pub last_error: Option<String>,
    /// Whether a saved method is charged, without the customer.
    pub off_session: bool,
    /// When it was begun.
    pub created_at: DateTime<Utc>,
}

impl Attempt {
    /// What is asked for; the currency was one when it was written.
    pub fn money(&self) -> Option<Money> {
        Some(Money::new(self.amount, Currency::from_code(&self.currency).ok()?))
    }
}

/// Writes the payment of a new order: what is owed.
pub(crate) async fn insert_payment(tx: &mut Tx, order_id: i64, amount: Money) -> Result<Payment, DbError> {
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(order_id).bind(amount.amount).bind(amount.currency.code());
    insert.bind(now).one().await
}

/// The payment of an order; none when nothing is to be paid.
pub async fn find_payment(db: &Db, order_id: i64) -> Result<Option<Payment>, DbError> {
    db.read(queries::FIND_BY_ORDER).bind(order_id).optional().await
}

/// The payment of an order that this transaction has locked, so that nobody begins an attempt meanwhile; none when nothing is to be
/// paid.
pub(super) async fn find_to_pay(tx: &mut Tx, order_id: i64) -> Result<Option<PaymentToMake>, DbError> {
    tx.run(queries::FIND_TO_PAY).bind(order_id).optional().await
}

/// An attempt.
pub async fn find_attempt(db: &Db, attempt_id: i64) -> Result<Option<Attempt>, DbError> {
    db.read(queries::FIND_ATTEMPT).bind(attempt_id).optional().await
}

/// Whether an attempt of an order may still bring money.
pub(crate) async fn has_open_attempt(tx: &mut Tx, order_id: i64) -> Result<bool, DbError> {
    let open = tx.run(queries::FIND_OPEN_ATTEMPT).bind(order_id).optional::<Attempt>().await?;
    Ok(open.is_some())
}

/// The attempt of an order that may still bring money.
pub(crate) async fn find_open_attempt(db: &Db, order_id: i64) -> Result<Option<Attempt>, DbError> {
    db.read(queries::FIND_OPEN_ATTEMPT).bind(order_id).optional().await
}
