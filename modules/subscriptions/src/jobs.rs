//! `subscriptions.renew`: bills, charges, dunns and ends what is due (contract 3).

use std::time::Duration;

use stoa_core::checkout::FollowUpError;
use stoa_core::clock::horizon;
use stoa_core::error_chain;
use stoa_core::prelude::*;

use crate::charging::charge;
use crate::config::Config;
use crate::queries;
use crate::renewing::{Billing, LEASE, Renewing, Step, step};
use crate::withdrawing::{cancel_all_withdrawn, cancel_withdrawn};

/// Subscriptions looked at together.
const BATCH: i64 = 100;

/// Steps that a period may take at most in one run: placed, charged, paid, overdue, suspended, ended, and some more.
const STEPS_PER_PERIOD: u32 = 10;

/// The job.
pub(crate) struct Renew {
    pub(crate) config: Config,
}

impl Job for Renew {
    type Uses = Renewing;

    const NAME: &'static str = "subscriptions.renew";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "bills, charges and ends subscriptions";

    /// One subscription that cannot be renewed keeps no other from it; it is tried again later.
    async fn run(&self, uses: &Renewing) -> Result<(), String> {
        let failed = |error: DbError| format!("the database failed: {}", error_chain(&error));
        cancel_all_withdrawn(&uses.checkout.payments).await.map_err(failed)?;
        let now = uses.checkout.payments.db.now();
        let last_check = horizon(now, self.config.longest_wait());
        let (mut after, mut problems) = (0_i64, Vec::new());
        loop {
            let page =
                uses.checkout.payments.db.read(queries::LIST_DUE).bind(now).bind(after).bind(BATCH).bind(last_check);
            let due = page.scalars::<i64>().await.map_err(failed)?;
            let Some(last) = due.last() else { break };
            after = *last;
            for id in due {
                if let Err(error) = self.work_on(uses, id).await {
                    let text = error_chain(&error);
                    tracing::warn!(subscription.id = id, error = text, "a subscription could not be renewed");
                    note_failure(&uses.checkout.payments.db, id, &text).await.map_err(failed)?;
                    problems.push(format!("subscription {id}: {text}"));
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
    }
}

impl Renew {
    /// Takes steps until nothing is to be done before later, the oldest period first. What one run may not bill, the next
    /// one does.
    async fn work_on(&self, uses: &Renewing, id: i64) -> Result<(), FollowUpError> {
        let mut renewed = 0;
        for _ in 0..self.config.catch_up_periods.saturating_mul(STEPS_PER_PERIOD) {
            let exhausted = renewed >= self.config.catch_up_periods;
            let billing = if exhausted { Billing::Exhausted } else { Billing::Allowed };
            let taken =
                uses.checkout.payments.db.write(async |tx| step(tx, uses, &self.config, id, billing).await).await?;
            match taken {
                Step::Rest => return Ok(()),
                Step::Again => {}
                Step::Renewed => renewed += 1,
                Step::Charge { period_id, order_id } => {
                    charge(&uses.checkout.payments, &self.config, period_id, order_id).await?;
                }
                Step::Cancel(order_id) => cancel_withdrawn(&uses.checkout.payments, [order_id]).await,
            }
        }
        Ok(())
    }
}

/// Writes down why a renewal could not be placed; what was wrong may be mended in an hour.
async fn note_failure(db: &Db, id: i64, error: &str) -> Result<(), DbError> {
    db.write(async |tx| {
        let now = tx.now();
        tx.run(queries::NOTE_FAILURE).bind(id).bind(now + LEASE).bind(error).bind(now).execute().await?;
        Ok(())
    })
    .await
}
