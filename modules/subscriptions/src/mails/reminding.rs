//! What is told before the period of a renewal begins: that it is to be paid, and that a trial ends.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::gateways::GatewayTable;
use stoa_core::mail::{Mailer, Queued};
use stoa_core::payments::can_charge_saved;
use stoa_core::prelude::*;

use super::{RENEWAL_DUE, TRIAL_ENDING, notice};
use crate::config::Config;
use crate::model::{OpenPeriod, Subscription};

/// Tells what is due, one mail at most, and returns when there is something to tell next.
///
/// Of reminders that are due only the last is sent: whoever was to be reminded four times while the shop was down is reminded
/// once. Nothing is told while money is on its way.
pub(crate) async fn remind(
    tx: &mut Tx,
    gateways: &GatewayTable,
    mailer: &Mailer,
    config: &Config,
    subscription: &Subscription,
    open: &OpenPeriod,
) -> Result<Option<DateTime<Utc>>, DbError> {
    let now = tx.now();
    let charge_at = match open.next_charge_at {
        Some(at) if can_charge_saved(tx, gateways, open.order_id).await? => Some(at),
        Some(_) | None => None,
    };
    let moments = Moments::of(config, subscription, open, charge_at);
    if !open.is_paying() && !moments.tell_trial(tx, mailer, subscription, open, charge_at).await? {
        moments.tell_unpaid(tx, mailer, subscription, open).await?;
    }
    Ok(moments.after(now))
}

/// When something is told about a renewal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Moments {
    trial: Option<DateTime<Utc>>,
    /// With the days before the period.
    reminders: Vec<(u32, DateTime<Utc>)>,
}

impl Moments {
    fn of(config: &Config, subscription: &Subscription, open: &OpenPeriod, charge_at: Option<DateTime<Utc>>) -> Self {
        let before = |time: DateTime<Utc>, days: u32| time - TimeDelta::days(i64::from(days));
        let is_told = config.trial_reminder_days > 0 && subscription.trial_days > 0 && open.number == 2;
        let trial = before(charge_at.unwrap_or(open.starts_at), config.trial_reminder_days);
        // Without the order there is nothing to be paid yet.
        let trial = is_told.then(|| trial.max(open.created_at));
        // The mail about the order tells how to pay, and so do those about the trial and about a charge that failed.
        let told_at = trial.unwrap_or(open.created_at);
        let told_at = open.charged_at.map_or(told_at, |charged_at| charged_at.max(told_at));
        let reminders = config.reminder_days.iter().map(|days| (*days, before(open.starts_at, *days)));
        let reminders = reminders.filter(|(_, at)| *at > told_at && charge_at.is_none()).collect();
        Self { trial, reminders }
    }

    /// The first moment after this one.
    fn after(&self, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let reminders = self.reminders.iter().map(|(_, at)| *at);
        reminders.chain(self.trial).filter(|at| *at > now).min()
    }

    /// Tells that the trial ends, if it is time; says whether that was told just now.
    async fn tell_trial(
        &self,
        tx: &mut Tx,
        mailer: &Mailer,
        subscription: &Subscription,
        open: &OpenPeriod,
        charge_at: Option<DateTime<Utc>>,
    ) -> Result<bool, DbError> {
        let now = tx.now();
        if self.trial.is_none_or(|at| at > now) {
            return Ok(false);
        }
        let notice = notice(&TRIAL_ENDING, subscription, open, open.id).date("trial_end", open.starts_at);
        let notice = match charge_at {
            Some(at) => notice.date("charge_date", at),
            None => notice.date("due_date", open.starts_at),
        };
        Ok(mailer.notice(tx, &notice).await? == Queued::Now)
    }

    /// Reminds of the payment, if it is time.
    async fn tell_unpaid(
        &self,
        tx: &mut Tx,
        mailer: &Mailer,
        subscription: &Subscription,
        open: &OpenPeriod,
    ) -> Result<(), DbError> {
        let now = tx.now();
        let due = self.reminders.iter().filter(|(_, at)| *at <= now).max_by_key(|(_, at)| *at);
        let Some((days, _)) = due else { return Ok(()) };
        let notice = notice(&RENEWAL_DUE, subscription, open, format_args!("{}:{days}", open.id));
        mailer.notice(tx, &notice.date("due_date", open.starts_at)).await.map(drop)
    }
}
