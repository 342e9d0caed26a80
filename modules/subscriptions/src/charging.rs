//! Charging a saved payment method for a renewal, and trying again at growing distances.

use chrono::{DateTime, TimeDelta, Utc};
use stoa_core::payments::{Charged, Payments, charge_saved};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::queries;
use crate::renewing::PATIENCE;

/// Charges for an order, and notes with its period what came of it and when it is tried again.
pub(crate) async fn charge(payments: &Payments, config: &Config, period_id: i64, order_id: i64) -> Result<(), DbError> {
    let charged = charge_saved(payments, order_id).await?;
    payments
        .db
        .write(async |tx| {
            let now = tx.now();
            let period = tx.run(queries::FIND_CHARGES).bind(period_id);
            let Some((charges, charged_at)) = period.optional::<(i64, Option<DateTime<Utc>>)>().await? else {
                return Ok(());
            };
            // A first charge that lies ahead was noted by a clock that was.
            let first = charged_at.map_or(now, |first| first.min(now));
            let (next, failed, error) = match charged {
                Charged::Paid | Charged::NothingSaved | Charged::NotPayable => (None, 0, None),
                // Banks refuse a debit days later; one that has come by then is tried no more.
                Charged::Processing => (next_try(config, first, charges, now), 1, None),
                // The customer is at it; what they have begun is over after a day.
                Charged::InUse => (Some(now + TimeDelta::days(1)), 0, None),
                Charged::Unknown(words) => (Some(now + PATIENCE), 0, Some(words)),
                Charged::Refused(words) => {
                    let next = next_try(config, first, charges, now);
                    tracing::warn!(order.id = order_id, error = words, "a renewal could not be charged");
                    (next, 1, Some(words))
                }
            };
            let note = tx.run(queries::NOTE_CHARGE).bind(period_id).bind(next).bind(failed).bind(error.as_deref());
            note.execute().await.map(drop)
        })
        .await
}

/// When it is tried again after so many failures; none when it has been tried often enough.
fn next_try(config: &Config, first: DateTime<Utc>, failures_before: i64, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let done = usize::try_from(failures_before).unwrap_or(usize::MAX);
    let days = config.retry_days.iter().skip(done);
    days.map(|days| first + TimeDelta::days(i64::from(*days))).find(|at| *at > now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_tried_again_on_the_days_of_the_ladder_and_then_no_more() {
        let config = Config::default();
        let first = DateTime::from_timestamp(1_768_478_400, 0).expect("a time");
        let day = |day: i64| first + TimeDelta::days(day);
        for (failures, now, expected) in [
            (0, 0, Some(1)),
            (1, 1, Some(3)),
            (2, 3, Some(5)),
            (3, 5, Some(7)),
            (4, 7, None),
            (0, 4, Some(5)),
            (1, 9, None),
        ] {
            assert_eq!(next_try(&config, first, failures, day(now)), expected.map(day), "{failures} on day {now}");
        }
    }
}
