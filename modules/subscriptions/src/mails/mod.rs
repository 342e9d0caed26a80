//! What customers are told about renewals. All of it is about the order of the renewal, so it says the number, the amount and
//! how to pay.

mod reminding;

use std::fmt::Display;

use chrono::{DateTime, Utc};
use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, Mailer};
use stoa_core::mail_texts;
use stoa_core::prelude::*;

pub(crate) use reminding::remind;

use crate::model::{OpenPeriod, Subscription};

/// A mail about a renewal, whose texts may name these besides the product and the number of the subscription.
macro_rules! renewal_mail {
    ($name:literal, $path:literal, [$($more:literal),*]) => {
        MailTemplate {
            name: $name,
            about: MailAbout::Order,
            placeholders: &["product", "number", $($more),*],
            texts: mail_texts!($path),
        }
    };
}

/// A renewal is not paid, and its period is about to begin.
const RENEWAL_DUE: MailTemplate =
    renewal_mail!("subscriptions_renewal_due", "templates/subscriptions_renewal_due", ["due_date"]);

/// A trial is about to end.
const TRIAL_ENDING: MailTemplate = renewal_mail!(
    "subscriptions_trial_ending",
    "templates/subscriptions_trial_ending",
    ["trial_end", "charge_date", "due_date"]
);

/// What is saved could not be charged, and is tried no more.
const CHARGE_FAILED: MailTemplate =
    renewal_mail!("subscriptions_charge_failed", "templates/subscriptions_charge_failed", ["due_date"]);

/// The unit is withheld because its renewal is not paid.
const SUSPENDED: MailTemplate =
    renewal_mail!("subscriptions_suspended", "templates/subscriptions_suspended", ["due_date", "end_date"]);

/// The subscription is over because its renewal was not paid.
const ENDED: MailTemplate = renewal_mail!("subscriptions_ended", "templates/subscriptions_ended", ["due_date"]);

/// All of them.
pub(crate) const ALL: [MailTemplate; 5] = [RENEWAL_DUE, TRIAL_ENDING, CHARGE_FAILED, SUSPENDED, ENDED];

fn notice<'a>(
    template: &'a MailTemplate,
    subscription: &Subscription,
    open: &OpenPeriod,
    key: impl Display,
) -> MailNotice<'a> {
    let notice = MailNotice::new(template, open.order_id, key);
    notice.line("product", &subscription.product_name).line("number", &subscription.number().to_string())
}

/// Tells that the customer has to pay a renewal that was to be charged.
pub(crate) async fn tell_charge_failed(
    tx: &mut Tx,
    mailer: &Mailer,
    subscription: &Subscription,
    open: &OpenPeriod,
) -> Result<(), DbError> {
    let notice = notice(&CHARGE_FAILED, subscription, open, open.id).date("due_date", open.due_at());
    mailer.notice(tx, &notice).await.map(drop)
}

/// Tells that the unit is withheld until its renewal is paid, and when it ends.
pub(crate) async fn tell_suspended(
    tx: &mut Tx,
    mailer: &Mailer,
    subscription: &Subscription,
    open: &OpenPeriod,
    end_at: DateTime<Utc>,
) -> Result<(), DbError> {
    let notice = notice(&SUSPENDED, subscription, open, open.id);
    let notice = notice.date("due_date", open.due_at()).date("end_date", end_at);
    mailer.notice(tx, &notice).await.map(drop)
}

/// Tells that a subscription is over because its renewal was not paid.
pub(crate) async fn tell_ended(
    tx: &mut Tx,
    mailer: &Mailer,
    subscription: &Subscription,
    open: &OpenPeriod,
) -> Result<(), DbError> {
    let notice = notice(&ENDED, subscription, open, open.id).date("due_date", open.due_at());
    mailer.notice(tx, &notice).await.map(drop)
}
