//! What the mail about a paid order says of subscriptions: how they go on, and how they end.

use stoa_core::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_core::orders::delivered_lines;
use stoa_core::prelude::*;

use crate::plan::Plan;
use crate::{CAPABILITY, MODULE};

/// Says how subscriptions go on.
pub(crate) struct SaySubscriptions;

impl WriteMailPart for SaySubscriptions {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let lines = delivered_lines(db, order.order_id, CAPABILITY).await?;
        let parts = lines.iter().filter_map(|line| {
            let plan = Plan::of(line.settings(MODULE)?)?;
            let (count, interval) = (plan.interval_count, plan.interval.as_str());
            let said = text!("subscriptions-mail", count = count, number = count.to_string(), interval = interval);
            let part = MailPart::new(&format!("{} × {}", line.quantity, line.label));
            // A renewal has no trial: it is paid.
            let part = if plan.trial_days > 0 && line.unit_amount == 0 {
                part.say(&texts.say(&text!("subscriptions-mail-trial", days = plan.trial_days), order.language))
            } else {
                part
            };
            Some(part.say(&texts.say(&said, order.language)))
        });
        Ok(parts.collect())
    }
}
