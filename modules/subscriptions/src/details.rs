//! What customers are told of a plan before they subscribe to it.

use std::sync::Arc;

use stoa_core::money::MoneyFormatter;
use stoa_core::prelude::*;

use crate::calendar::Interval;
use crate::plan::Plan;
use crate::{CAPABILITY, MODULE};

/// How a product is billed again and again.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SubscriptionDetails")]
pub(crate) struct PlanDetails {
    /// The unit of time of a period.
    interval: Interval,
    /// How many of them a period has.
    interval_count: i64,
    /// Days of the first period, which costs nothing then; 0 when the first period costs what every other does.
    trial_days: i64,
    /// What each period after a trial costs, in minor units, before tax where prices do not include it.
    renewal_amount: i64,
    /// The same for people, as the shop's locale writes it; never calculate with it.
    renewal_formatted: String,
}

/// Tells the plans of products.
pub(crate) struct TellPlan;

impl TellDetails for TellPlan {
    type Uses = Arc<MoneyFormatter>;
    type Details = PlanDetails;

    async fn details(
        &self,
        products: &[ShownProduct<'_>],
        money: &Arc<MoneyFormatter>,
    ) -> Result<Vec<Option<PlanDetails>>, DbError> {
        let details = |product: &ShownProduct<'_>| {
            let settings = product.settings(MODULE).filter(|_| product.has(CAPABILITY))?;
            let Plan { interval, interval_count, trial_days } = Plan::of(settings)?;
            let renewal_amount = product.price_amount;
            let renewal_formatted = money.format(renewal_amount);
            Some(PlanDetails { interval, interval_count, trial_days, renewal_amount, renewal_formatted })
        };
        Ok(products.iter().map(details).collect())
    }
}
