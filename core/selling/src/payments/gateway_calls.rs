//! Talking with a gateway about an attempt, outside any transaction, and writing down what came of it.
//!
//! What nobody knows for certain stays open and is asked again later, at growing intervals; it is never guessed.

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, ErasedGateway, GatewayError, GatewayTable, StartedAttempt,
};
use stoa_kernel::i18n::Language;

use super::queries;
use super::reconcile::ask_at;
use super::record::review::AMOUNT_MISMATCH;
use super::record::{Settled, apply, apply_report, mismatch};
use super::records::{Attempt, find_attempt, find_open_attempt};
use super::saved::saved_method;
use crate::orders::{Actor, OrderNumber, lock_order};
use crate::payments::Payments;

/// Minutes after which an attempt without an outcome is asked for, and then asked for again; the last is repeated.
const CHECK_AFTER_MINUTES: [i64; 7] = [5, 15, 60, 180, 360, 720, 1440];

/// Why an attempt could not be brought further.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GatewayCallError {
    /// The provider refused, or gave no answer that could be understood.
    #[error(transparent)]
    Gateway(#[from] GatewayError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
    /// The attempt belongs to a gateway that this program does not contain.
    #[error("this program does not contain the gateway `{0}`")]
    NoGateway(String),
}

/// What has become of the attempt of an order that was open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OpenAttempt {
    /// There is none that could still bring money.
    Clear,
    /// It has brought the money.
    Paid,
    /// The money is on its way, and can be stopped no more.
    Processing,
}

/// When an attempt is looked at again that was asked for this often.
pub(crate) fn next_check(now: DateTime<Utc>, checks: i64) -> DateTime<Utc> {
    let index = usize::try_from(checks).unwrap_or(0).min(CHECK_AFTER_MINUTES.len() - 1);
    now + TimeDelta::minutes(CHECK_AFTER_MINUTES[index])
}

/// Who reports about attempts of this gateway.
fn reporter(gateway: &dyn ErasedGateway) -> Actor {
    Actor::Gateway(gateway.id())
}

/// Begins an attempt at its provider, or begins it again after nobody knew whether it had been begun.
pub(crate) async fn start(payments: &Payments, attempt: &Attempt) -> Result<Attempt, GatewayCallError> {
    let gateway = gateway_of(&payments.gateways, attempt)?;
    let request = request(&payments.db, &payments.base_url, attempt).await?;
    let started = if attempt.off_session {
        charge(&payments.db, &payments.cipher, attempt, gateway, &request).await?
    } else {
        gateway.start(&request).await
    };
    match started {
        Ok(started) => {
            let actor = reporter(gateway);
            let attempt = payments.db.write(async |tx| keep_started(tx, attempt, &started, actor).await).await?;
            match &attempt.gateway_attempt_id {
                // Given up while it was being begun. What was begun is ended, by whoever gave it up as well.
                Some(id) if is_given_up(&attempt) && started.report.status.is_open() => {
                    expire_attempt(&payments.db, gateway, &attempt, id).await
                }
                Some(_) | None => Ok(attempt),
            }
        }
        Err(error) => Err(note_failure(&payments.db, attempt, error, reporter(gateway)).await?),
    }
}

/// Charges what the customer has saved; nothing to charge is a refusal like any other.
async fn charge(
    db: &Db,
    cipher: &Cipher,
    attempt: &Attempt,
    gateway: &dyn ErasedGateway,
    request: &AttemptRequest,
) -> Result<Result<StartedAttempt, GatewayError>, GatewayCallError> {
    match saved_method(db, cipher, attempt.order_id, &attempt.gateway).await {
        Ok(Some(method)) => Ok(gateway.charge_saved(request, &method).await),
        Ok(None) => Ok(Err(GatewayError::Refused(String::from("no payment method is saved any more")))),
        Err(GatewayCallError::Gateway(error)) => Ok(Err(error)),
        Err(error) => Err(error),
    }
}

/// Asks the provider what became of an attempt. One that is over is ended there once more instead: a look could take money
/// that the customer has agreed to after the attempt was given up.
pub(crate) async fn ask_gateway(payments: &Payments, attempt: &Attempt) -> Result<Attempt, GatewayCallError> {
    let attempt = &reload(&payments.db, attempt).await?;
    let Some(gateway_attempt_id) = &attempt.gateway_attempt_id else {
        return if attempt.status.is_open() { Box::pin(start(payments, attempt)).await } else { Ok(attempt.clone()) };
    };
    let gateway = gateway_of(&payments.gateways, attempt)?;
    let answer = if is_given_up(attempt) {
        gateway.cancel(gateway_attempt_id).await
    } else {
        gateway.look_up(gateway_attempt_id).await
    };
    match answer {
        Ok(report) => {
            let actor = reporter(gateway);
            payments
                .db
                .write(async |tx| -> Result<Settled, DbError> {
                    let settled = apply_report(tx, attempt.order_id, attempt.id, &report, actor).await?;
                    let mismatch = mismatch(attempt, &report).filter(|_| settled == Settled::Flagged(AMOUNT_MISMATCH));
                    // Still open: it is asked for again, later each time.
                    postpone(tx, attempt, mismatch.as_deref()).await?;
                    Ok(settled)
                })
                .await?;
            Ok(reload(&payments.db, attempt).await?)
        }
        Err(error) => {
            payments.db.write(async |tx| postpone(tx, attempt, Some(&error.to_string())).await).await?;
            Err(error.into())
        }
    }
}

/// Makes sure that no attempt of an order can be paid any more, or finds out that one was.
pub(crate) async fn close_open_attempt(payments: &Payments, order_id: i64) -> Result<OpenAttempt, GatewayCallError> {
    let Some(mut attempt) = find_open_attempt(&payments.db, order_id).await? else { return Ok(OpenAttempt::Clear) };
    if attempt.gateway_attempt_id.is_none() {
        match start(payments, &attempt).await {
            Ok(started) => attempt = started,
            Err(GatewayCallError::Gateway(GatewayError::Refused(_))) => return Ok(OpenAttempt::Clear),
            Err(error) => return Err(error),
        }
    }
    if attempt.status.is_open()
        && let Some(gateway_attempt_id) = &attempt.gateway_attempt_id
    {
        attempt = expire_attempt(&payments.db, gateway_of(&payments.gateways, &attempt)?, &attempt, gateway_attempt_id)
            .await?;
    }
    match attempt.status {
        AttemptStatus::Succeeded => Ok(OpenAttempt::Paid),
        AttemptStatus::Processing => Ok(OpenAttempt::Processing),
        AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => Ok(OpenAttempt::Clear),
        AttemptStatus::Pending => {
            Err(GatewayError::Unknown(String::from("the attempt is still open after it was cancelled")).into())
        }
    }
}

/// Ends an attempt at its provider, and writes down what it came to.
async fn expire_attempt(
    db: &Db,
    gateway: &dyn ErasedGateway,
    attempt: &Attempt,
    gateway_attempt_id: &str,
) -> Result<Attempt, GatewayCallError> {
    let report = gateway.cancel(gateway_attempt_id).await?;
    let actor = reporter(gateway);
    db.write(async |tx| apply_report(tx, attempt.order_id, attempt.id, &report, actor).await).await?;
    Ok(reload(db, attempt).await?)
}

/// Whether an attempt is over without having brought the money.
fn is_given_up(attempt: &Attempt) -> bool {
    !attempt.status.is_open() && attempt.status != AttemptStatus::Succeeded
}

fn gateway_of<'a>(gateways: &'a GatewayTable, attempt: &Attempt) -> Result<&'a dyn ErasedGateway, GatewayCallError> {
    let gateway = gateways.find(&attempt.gateway);
    gateway.map(AsRef::as_ref).ok_or_else(|| GatewayCallError::NoGateway(attempt.gateway.clone()))
}

async fn reload(db: &Db, attempt: &Attempt) -> Result<Attempt, DbError> {
    Ok(find_attempt(db, attempt.id).await?.unwrap_or_else(|| attempt.clone()))
}

#[derive(sqlx::FromRow)]
struct Payer {
    email: Option<String>,
    language: String,
    expires_at: Option<DateTime<Utc>>,
    save_method: bool,
}

async fn request(db: &Db, base_url: &str, attempt: &Attempt) -> Result<AttemptRequest, GatewayCallError> {
    let payer = db.read(queries::PAYER).bind(attempt.order_id).one::<Payer>().await?;
    let amount = attempt
        .money()
        .ok_or_else(|| GatewayError::Refused(format!("the currency {} of the attempt is unknown", attempt.currency)))?;
    Ok(AttemptRequest {
        reference: attempt.reference,
        order_number: OrderNumber::of(attempt.order_id).to_string(),
        amount,
        return_url: attempt.return_url.clone(),
        cancel_url: attempt.cancel_url.clone(),
        callback_url: callback_url(base_url, &attempt.gateway),
        customer_email: payer.email,
        language: Language::of_locale(&payer.language),
        started_at: attempt.created_at,
        expires_at: payer.expires_at,
        save_method: payer.save_method,
    })
}

/// Where a provider calls back (S4.6).
pub(crate) fn callback_url(base_url: &str, gateway: &str) -> String {
    format!("{base_url}/webhooks/payments/{gateway}")
}

async fn keep_started(
    tx: &mut Tx,
    attempt: &Attempt,
    started: &StartedAttempt,
    actor: Actor,
) -> Result<Attempt, DbError> {
    let now = tx.now();
    let order = lock_order(tx, attempt.order_id).await?;
    let keep = tx.run(queries::STARTED).bind(attempt.id).bind(started.gateway_attempt_id.as_deref());
    let keep = keep.bind(started.redirect_url.as_deref()).bind(started.expires_at);
    let mut attempt = keep.bind(now).one::<Attempt>().await?;
    // One that is over already is not asked for again.
    if attempt.status.is_open() && started.report.status.is_open() {
        ask_at(tx, attempt.id, &attempt.gateway, next_check(now, 0)).await?;
    }
    if let Some(order) = order {
        apply(tx, &order, &mut attempt, &started.report, actor).await?;
    }
    Ok(attempt)
}

async fn postpone(tx: &mut Tx, attempt: &Attempt, error: Option<&str>) -> Result<(), DbError> {
    let now = tx.now();
    let count = tx.run(queries::COUNT_CHECK).bind(attempt.id).bind(error).bind(now);
    if count.execute().await? == 0 {
        return Ok(());
    }
    ask_at(tx, attempt.id, &attempt.gateway, next_check(now, attempt.checks + 1)).await
}

/// A refusal ends the attempt; after anything else it stays open, since nobody knows.
async fn note_failure(
    db: &Db,
    attempt: &Attempt,
    error: GatewayError,
    actor: Actor,
) -> Result<GatewayCallError, DbError> {
    tracing::warn!(
        order.id = attempt.order_id,
        attempt.id = attempt.id,
        gateway = attempt.gateway,
        error = &error as &dyn std::error::Error,
        "a payment could not be started"
    );
    let text = error.to_string();
    match &error {
        GatewayError::Refused(_) => {
            let report = AttemptReport { detail: Some(text), ..AttemptReport::of(AttemptStatus::Failed) };
            db.write(async |tx| apply_report(tx, attempt.order_id, attempt.id, &report, actor).await).await?;
        }
        GatewayError::Unknown(_) => {
            db.write(async |tx| postpone(tx, attempt, Some(&text)).await).await?;
        }
    }
    Ok(error.into())
}
