//! What happens to a subscription: the one place where its status changes, except that a pending one goes with its order.
//!
//! Whoever changes a subscription locks it first, and its periods afterwards.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::prelude::*;

use crate::calendar::{Period, Schedule};
use crate::config::{Config, LatePayment};
use crate::model::{EndReason, OpenPeriod, Subscription};
use crate::queries;
use crate::tasks::{look_at, look_no_more};
use crate::withdrawing::withdraw;

/// Makes the event of this type about the unit that a subscription bills.
macro_rules! unit_event {
    ($event:ident, $subscription:expr) => {
        $event {
            order_id: $subscription.order_id,
            order_line_id: $subscription.order_line_id,
            unit: $subscription.unit,
            customer_id: $subscription.customer_id,
        }
    };
}

/// Locks a subscription: nobody else works on it until the transaction ends.
pub(crate) async fn lock(tx: &mut Tx, id: i64) -> Result<Option<Subscription>, DbError> {
    let now = tx.now();
    tx.run(queries::LOCK).bind(id).bind(now).optional().await
}

/// The renewal of a locked subscription that waits to be paid.
pub(crate) async fn find_open(tx: &mut Tx, id: i64) -> Result<Option<OpenPeriod>, DbError> {
    tx.run(queries::FIND_OPEN).bind(id).optional().await
}

/// Begins a pending subscription with the payment of its order.
pub(crate) async fn start(
    tx: &mut Tx,
    config: &Config,
    subscription: &Subscription,
    paid_at: DateTime<Utc>,
) -> Result<(), ListenerError> {
    let beyond = || ListenerError::Failed(format!("{} would end after the calendar", subscription.number()));
    let trial_ends = TimeDelta::try_days(subscription.trial_days).and_then(|days| paid_at.checked_add_signed(days));
    let has_trial = subscription.trial_days > 0;
    let schedule = Schedule {
        anchor_at: trial_ends.ok_or_else(beyond)?,
        anchor_period: if has_trial { 2 } else { 1 },
        interval: subscription.interval,
        interval_count: subscription.interval_count,
    };
    let first = if has_trial {
        Period { number: 1, starts_at: paid_at, ends_at: schedule.anchor_at }
    } else {
        schedule.period(1).ok_or_else(beyond)?
    };
    let now = tx.now();
    let start = tx.run(queries::START).bind(subscription.id).bind(first.starts_at).bind(first.ends_at);
    let start = start.bind(schedule.anchor_at).bind(schedule.anchor_period);
    if start.bind(now).execute().await? == 0 {
        return Ok(());
    }
    look_at(tx, subscription.id, first.ahead(config.renew_ahead_days)).await?;
    let insert = tx.run(queries::INSERT_PERIOD).bind(subscription.id).bind(first.number).bind(first.starts_at);
    let insert = insert.bind(first.ends_at).bind("paid").bind(subscription.order_id).bind(subscription.order_line_id);
    insert.bind(None::<DateTime<Utc>>).bind(now).bind(Some(paid_at)).execute().await?;
    Ok(())
}

/// Goes on with a period that was paid; a subscription that is over stays so.
pub(crate) async fn extend(
    tx: &mut Tx,
    config: &Config,
    subscription: &Subscription,
    open: &OpenPeriod,
    paid_at: DateTime<Utc>,
) -> Result<(), DbError> {
    let Some(before) = subscription.schedule().filter(|_| subscription.status.is_live()) else { return Ok(()) };
    let was_suspended = subscription.suspended_at.is_some();
    let restarts = match config.late_payment {
        LatePayment::DueDate => false,
        LatePayment::Payment => was_suspended && paid_at > open.starts_at,
    };
    let anew = Schedule { anchor_at: paid_at, anchor_period: open.number, ..before };
    let on_time = Period { number: open.number, starts_at: open.starts_at, ends_at: open.ends_at };
    let (schedule, period, restarted) = match anew.period(open.number).filter(|_| restarts) {
        Some(period) => (anew, period, true),
        None => (before, on_time, false),
    };
    let pay = tx.run(queries::PAY_PERIOD).bind(open.id).bind(paid_at).bind(period.starts_at).bind(period.ends_at);
    if pay.bind(restarted).execute().await? == 0 {
        return Ok(());
    }
    let now = tx.now();
    let extend = tx.run(queries::EXTEND).bind(subscription.id).bind(period.number).bind(period.starts_at);
    let extend = extend.bind(period.ends_at).bind(schedule.anchor_at).bind(schedule.anchor_period);
    extend.bind(now).execute().await?;
    if was_suspended {
        tx.emit(&unit_event!(EntitlementResumed, subscription)).await?;
    }
    Ok(())
}

/// Notes that a period has begun that is not paid.
pub(crate) async fn fall_due(tx: &mut Tx, subscription: &Subscription, since: DateTime<Utc>) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::PAST_DUE).bind(subscription.id).bind(since).bind(now).execute().await?;
    Ok(())
}

/// Has the unit withheld while a renewal is overdue.
pub(crate) async fn suspend(tx: &mut Tx, subscription: &Subscription) -> Result<(), DbError> {
    let now = tx.now();
    if tx.run(queries::SUSPEND).bind(subscription.id).bind(now).execute().await? == 1 {
        tx.emit(&unit_event!(EntitlementSuspended, subscription)).await?;
    }
    Ok(())
}

/// Ends a subscription that is not over, and withdraws its open renewal.
pub(crate) async fn end(tx: &mut Tx, subscription: &Subscription, reason: EndReason) -> Result<(), DbError> {
    let now = tx.now();
    let end = tx.run(queries::END).bind(subscription.id).bind(reason.status().as_str()).bind(reason.as_str());
    if end.bind(now).execute().await? == 0 {
        return Ok(());
    }
    if subscription.status.is_live() {
        tx.emit(&unit_event!(EntitlementEnded, subscription)).await?;
    }
    look_no_more(tx, subscription.id).await?;
    withdraw(tx, subscription.id).await
}

/// Locks a subscription and takes notice of a renewal that was paid in between, so that nothing is decided without it.
pub(crate) async fn lock_settled(tx: &mut Tx, config: &Config, id: i64) -> Result<Option<Subscription>, DbError> {
    let Some(subscription) = lock(tx, id).await? else { return Ok(None) };
    let open = if subscription.status.is_live() { find_open(tx, id).await? } else { None };
    match open.as_ref().and_then(|open| open.order_paid_at.map(|paid_at| (open, paid_at))) {
        Some((open, paid_at)) => {
            extend(tx, config, &subscription, open, paid_at).await?;
            lock(tx, id).await
        }
        None => Ok(Some(subscription)),
    }
}
