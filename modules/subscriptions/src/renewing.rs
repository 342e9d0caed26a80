//! What the clock does to a subscription: each step is one transaction that looks at everything anew, so that it does not
//! matter who takes it, how often, and what happened in between.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::checkout::{Checkout, FollowUpError, FollowUpLine, FollowUpOrder, place_follow_up};
use stoa_core::clock::horizon;
use stoa_core::from_shop;
use stoa_core::gateways::GatewayTable;
use stoa_core::mail::Mailer;
use stoa_core::orders::OrderNumber;
use stoa_core::payments::save_method_of;
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::{EndReason, OpenPeriod, Status, Subscription};
use crate::withdrawing::withdraw;
use crate::{lifecycle, mails, queries};

from_shop! {
    /// What renewing works with.
    pub(crate) struct Renewing {
        /// What places and pays the orders of further periods.
        pub(crate) checkout: Checkout,
        /// What tells customers about them.
        pub(crate) mailer: Mailer,
    }
}

/// How long is waited for what comes of a charge, and for money that is on its way, before it is looked again.
pub(crate) const PATIENCE: TimeDelta = TimeDelta::hours(1);

/// What is to be done after a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RenewalStep {
    /// Nothing until this time, or never.
    Rest(Option<DateTime<Utc>>),
    /// Nothing in this run, which has billed as much as it may.
    Exhausted,
    /// The next step at once.
    Again,
    /// A renewal was placed; the next step at once.
    Renewed,
    /// A saved payment method is to be charged for this order, and the period told what came of it.
    Charge { period_id: i64, order_id: i64 },
}

/// Whether a step may place another renewal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Billing {
    /// It may.
    Allowed,
    /// This run has billed as many periods as it may; the next one goes on.
    Exhausted,
}

/// Takes the next step of a subscription.
pub(crate) async fn step(
    tx: &mut Tx,
    uses: &Renewing,
    config: &Config,
    id: i64,
    billing: Billing,
) -> Result<RenewalStep, FollowUpError> {
    let now = tx.now();
    let Some(subscription) = lifecycle::lock(tx, id).await? else { return Ok(RenewalStep::Rest(None)) };
    let Some(current) = subscription.current_period().filter(|_| subscription.status.is_live()) else {
        return Ok(RenewalStep::Rest(None));
    };
    let open = lifecycle::find_open(tx, id).await?;
    if let Some((open, paid_at)) = open.as_ref().and_then(|open| Some((open, open.order_paid_at?))) {
        // By itself: should the next renewal fail, this payment is not forgotten.
        lifecycle::extend(tx, config, &subscription, open, paid_at).await?;
        return Ok(RenewalStep::Again);
    }
    if subscription.cancel_at_period_end {
        return Ok(leave(tx, &subscription, current.ends_at).await?);
    }
    let Some(open) = open else {
        let bill_at = current.ahead(config.renew_ahead_days);
        if now < bill_at {
            return Ok(RenewalStep::Rest(Some(bill_at)));
        }
        if billing == Billing::Exhausted {
            return Ok(RenewalStep::Exhausted);
        }
        renew(tx, &uses.checkout, config, &subscription).await?;
        return Ok(RenewalStep::Renewed);
    };
    // Nothing but the period can put a charge off for so long; a time beyond it was written while the clock was ahead.
    let last_charge = horizon(now, config.longest_wait()).max(current.ends_at);
    if open.next_charge_at.is_some_and(|due| due <= now || due > last_charge) {
        tx.run(queries::BEGIN_CHARGE).bind(open.id).bind(now + PATIENCE).bind(now).execute().await?;
        return Ok(RenewalStep::Charge { period_id: open.id, order_id: open.order_id });
    }
    Ok(dun(tx, &uses.checkout.payments.gateways, &uses.mailer, config, &subscription, &open).await?)
}

/// Ends a cancelled subscription with its period; until then nothing is billed.
async fn leave(tx: &mut Tx, subscription: &Subscription, ends_at: DateTime<Utc>) -> Result<RenewalStep, DbError> {
    if tx.now() >= ends_at {
        lifecycle::end(tx, subscription, EndReason::PeriodEnd).await?;
        return Ok(RenewalStep::Rest(None));
    }
    withdraw(tx, subscription.id).await?;
    Ok(RenewalStep::Rest(Some(ends_at)))
}

/// Places the order of the next period, at the price that was agreed on.
async fn renew(
    tx: &mut Tx,
    checkout: &Checkout,
    config: &Config,
    subscription: &Subscription,
) -> Result<(), FollowUpError> {
    let now = tx.now();
    let beyond = || FollowUpError::Refused(String::from("the next period would end after the calendar"));
    let next = subscription.next_period().ok_or_else(beyond)?;
    let order = FollowUpOrder {
        order_id: subscription.order_id,
        lines: vec![FollowUpLine {
            order_line_id: subscription.order_line_id,
            quantity: 1,
            unit_amount: subscription.price_amount,
            capabilities: config.renewed_capabilities.clone(),
        }],
        payment_method: last_saved(tx, subscription).await?,
    };
    // When it will be charged, at the earliest now.
    let charge_at = subscription.current_period().map(|current| current.ahead(config.charge_ahead_days));
    let placed = place_follow_up(tx, checkout, &order).await?;
    let item_id = placed.item_ids.first().copied().ok_or(FollowUpError::NotFound)?;
    let insert = tx.run(queries::INSERT_PERIOD).bind(subscription.id).bind(next.number).bind(next.starts_at);
    let insert = insert.bind(next.ends_at).bind("open").bind(placed.order_id).bind(item_id);
    insert.bind(charge_at.map(|at| at.max(now))).bind(now).bind(None::<DateTime<Utc>>).execute().await?;
    save_method_of(tx, placed.order_id).await?;
    tx.run(queries::NOTE_FAILURE).bind(subscription.id).bind(None::<&str>).bind(now).execute().await?;
    tracing::info!(
        subscription.id = subscription.id,
        order.number = %OrderNumber::of(placed.order_id),
        period = next.number,
        "a subscription was renewed"
    );
    Ok(())
}

/// The gateway that the customer has paid through last, if it has saved what they paid with; else the renewal is paid as the
/// first order was.
async fn last_saved(tx: &mut Tx, subscription: &Subscription) -> Result<Option<String>, DbError> {
    tx.run(queries::LAST_SAVED).bind(subscription.id).bind(subscription.customer_id).optional_scalar().await
}

/// What becomes of a renewal that is not paid: overdue with the end of the period, then suspended, then ended. The customer is
/// told with each step.
async fn dun(
    tx: &mut Tx,
    gateways: &GatewayTable,
    mailer: &Mailer,
    config: &Config,
    subscription: &Subscription,
    open: &OpenPeriod,
) -> Result<RenewalStep, DbError> {
    let now = tx.now();
    let due_at = open.due_at();
    let suspend_at = due_at + TimeDelta::days(i64::from(config.suspend_after_days));
    let end_at = due_at + TimeDelta::days(i64::from(config.end_after_days));
    // What a provider says of a charge is seen by looking.
    let look_at = open.is_charging.then(|| now + PATIENCE);
    let waits_until = |time: DateTime<Utc>| {
        let sooner = [open.next_charge_at, look_at].into_iter().flatten();
        Some(sooner.fold(time, Ord::min))
    };
    if now >= open.starts_at && open.is_processing {
        // The customer has done their part.
        return Ok(RenewalStep::Rest(Some(now + PATIENCE)));
    }
    if open.is_charged_in_vain() && now < end_at {
        mails::tell_charge_failed(tx, mailer, subscription, open).await?;
    }
    match subscription.status {
        Status::Active if now < open.starts_at => {
            let next = mails::remind(tx, gateways, mailer, config, subscription, open).await?;
            let next = next.map_or(open.starts_at, |next| next.min(open.starts_at));
            Ok(RenewalStep::Rest(waits_until(next)))
        }
        Status::Active => {
            lifecycle::fall_due(tx, subscription, due_at).await?;
            Ok(RenewalStep::Again)
        }
        Status::PastDue if now >= end_at => {
            mails::tell_ended(tx, mailer, subscription, open).await?;
            lifecycle::end(tx, subscription, EndReason::Unpaid).await?;
            Ok(RenewalStep::Rest(None))
        }
        Status::PastDue if now >= suspend_at && subscription.suspended_at.is_none() => {
            lifecycle::suspend(tx, subscription).await?;
            mails::tell_suspended(tx, mailer, subscription, open, end_at).await?;
            Ok(RenewalStep::Again)
        }
        Status::PastDue => {
            let next = if subscription.suspended_at.is_none() { suspend_at } else { end_at };
            Ok(RenewalStep::Rest(waits_until(next)))
        }
        Status::Pending | Status::Cancelled | Status::Ended => Ok(RenewalStep::Rest(None)),
    }
}
