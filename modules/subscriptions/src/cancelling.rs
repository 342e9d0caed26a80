//! Cancelling a subscription and taking that back, by its customer as by the operator.

use serde_json::json;
use stoa_core::prelude::*;
use stoa_core::queue::Queue;

use crate::config::Config;
use crate::lifecycle;
use crate::model::{EndReason, Status, Subscription};
use crate::queries;
use crate::tasks::look_now;
use crate::withdrawing::{CancelRenewal, withdraw};

/// Why a subscription is neither cancelled nor resumed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CancellingError {
    /// There is none with this id.
    #[error("there is no such subscription")]
    Unknown,
    /// It goes with its order, which is not paid yet.
    #[error("it has not begun")]
    NotBegun(Box<Subscription>),
    /// It is cancelled or ended.
    #[error("it is over")]
    Over(Status),
    /// There is nothing to take back.
    #[error("it is not cancelled")]
    NotCancelled,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Cancels a subscription with the end of its period, or at once. Gives the order of the renewal that is cancelled with it, if there
/// is one. Once more changes nothing.
pub(crate) async fn cancel(
    tx: &mut Tx,
    config: &Config,
    id: i64,
    at_once: bool,
) -> Result<Option<i64>, CancellingError> {
    let found = lifecycle::lock_settled(tx, config, id).await?.ok_or(CancellingError::Unknown)?;
    match found.status {
        Status::Active | Status::PastDue => {}
        Status::Pending => return Err(CancellingError::NotBegun(Box::new(found))),
        Status::Cancelled | Status::Ended => return Err(CancellingError::Over(found.status)),
    }
    let now = tx.now();
    let subject = Subject::new("subscription", found.number());
    tx.audit_operator("subscriptions.cancel", subject, json!({"status": found.status}), json!({"at_once": at_once}))
        .await?;
    let open = lifecycle::find_open(tx, found.id).await?;
    if at_once {
        lifecycle::end(tx, &found, EndReason::CancelledNow).await?;
    } else if found.current_period_end.is_some_and(|ends_at| ends_at <= now) {
        lifecycle::end(tx, &found, EndReason::PeriodEnd).await?;
    } else {
        tx.run(queries::SET_CANCEL).bind(found.id).bind(true).bind(now).execute().await?;
        withdraw(tx, found.id).await?;
        look_now(tx, found.id).await?;
    }
    Ok(open.map(|open| open.order_id))
}

/// Cancels a subscription as operators do: with the order of its renewal, if one waits.
pub(crate) async fn cancel_now(
    db: &Db,
    queue: &Queue,
    config: &Config,
    id: i64,
    at_once: bool,
) -> Result<(), CancellingError> {
    if let Some(order) = db.write(async |tx| cancel(tx, config, id, at_once).await).await? {
        queue.do_now::<CancelRenewal>(order).await?;
    }
    Ok(())
}

/// Takes a cancellation back that has not come into effect. What was withdrawn is billed anew.
pub(crate) async fn resume(tx: &mut Tx, config: &Config, id: i64) -> Result<(), CancellingError> {
    let found = lifecycle::lock_settled(tx, config, id).await?.ok_or(CancellingError::Unknown)?;
    if !found.status.is_live() {
        return Err(CancellingError::Over(found.status));
    }
    if !found.cancel_at_period_end {
        return Err(CancellingError::NotCancelled);
    }
    let now = tx.now();
    let subject = Subject::new("subscription", found.number());
    let (before, after) = (json!({"cancel_at_period_end": true}), json!({"cancel_at_period_end": false}));
    tx.audit_operator("subscriptions.resume", subject, before, after).await?;
    tx.run(queries::SET_CANCEL).bind(found.id).bind(false).bind(now).execute().await?;
    Ok(look_now(tx, found.id).await?)
}

impl From<CancellingError> for ApiError {
    fn from(error: CancellingError) -> Self {
        match error {
            CancellingError::Unknown => Self::not_found(),
            CancellingError::NotBegun(_) => Self::conflict(text!("subscriptions-not-begun"), "not_begun"),
            CancellingError::Over(_) => Self::conflict(text!("subscriptions-over"), "over"),
            CancellingError::NotCancelled => Self::conflict(text!("subscriptions-not-cancelled"), "not_cancelled"),
            CancellingError::Db(error) => error.into(),
        }
    }
}
