//! `stoa subscriptions show`.

use clap::Args;
use serde::Serialize;
use stoa_core::commands::{CommandContext, Failure, shown_time};
use stoa_core::orders::OrderNumber;

use super::find;
use crate::config::Config;
use crate::model::PeriodRecord;
use crate::number::SubscriptionNumber;
use crate::resource::{SubscriptionDetails, detailed, periods_of};

/// Show a subscription with its periods.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions show S-000042
  stoa subscriptions show 42 --json")]
pub(super) struct Show {
    /// The subscription's number or id.
    number: SubscriptionNumber,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    details: SubscriptionDetails,
    periods: Vec<PeriodRecord>,
}

impl Show {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let found = find(self.number, &cx.parts.db).await?;
        let periods = periods_of(&cx.parts.db, found.id).await?;
        if self.json {
            return show_json(found, periods, config, cx).await;
        }
        let time = |time: Option<_>| time.map_or_else(|| String::from("-"), shown_time);
        let then = if found.cancel_at_period_end { "it ends" } else { "it is renewed" };
        cx.output.members([
            ("number", found.number().to_string()),
            ("status", found.status.as_str().to_owned()),
            ("customer", found.customer_id.to_string()),
            ("product", found.product_name.clone()),
            ("price", cx.parts.money.format_in(found.price_amount, &found.currency)),
            ("interval", format!("{} {}", found.interval_count, found.interval.as_str())),
            ("paid until", time(found.current_period_end)),
            ("then", if found.status.is_live() { then.to_owned() } else { String::from("-") }),
            ("overdue since", time(found.past_due_at)),
            ("suspended since", time(found.suspended_at)),
            ("over since", time(found.ended_at)),
            ("why", found.end_reason.clone().unwrap_or_else(|| String::from("-"))),
            ("last error", found.last_error.clone().unwrap_or_else(|| String::from("-"))),
        ])?;
        let rows = periods.into_iter().map(|period| {
            let order = OrderNumber::of(period.order_id).to_string();
            let (starts_at, ends_at) = (shown_time(period.starts_at), shown_time(period.ends_at));
            let error = period.last_error.unwrap_or_default();
            vec![period.number.to_string(), starts_at, ends_at, period.state, order, error]
        });
        let head = ["PERIOD", "FROM", "TO", "STATE", "ORDER", "LAST ERROR"];
        cx.output.list(&head, rows, "the first period begins when its order is paid")
    }
}

/// Prints a subscription with its periods.
async fn show_json(
    found: crate::model::Subscription,
    periods: Vec<PeriodRecord>,
    config: &Config,
    cx: &CommandContext,
) -> Result<(), Failure> {
    let number = found.number();
    let details = detailed(vec![found], config, &cx.parts.db, &cx.parts.money).await?.pop();
    let details = details.ok_or_else(|| super::unknown(number))?;
    cx.output.json(&Shown { details, periods })
}

/// Shows what has become of a subscription after a change.
pub(super) async fn report(
    number: SubscriptionNumber,
    json: bool,
    config: &Config,
    cx: &CommandContext,
) -> Result<(), Failure> {
    let found = find(number, &cx.parts.db).await?;
    if json {
        let periods = periods_of(&cx.parts.db, found.id).await?;
        return show_json(found, periods, config, cx).await;
    }
    let ends = found.current_period_end.map(shown_time).unwrap_or_default();
    if !found.status.is_live() {
        cx.output.line(&format!("{number} is {}", found.status.as_str()))
    } else if found.cancel_at_period_end {
        cx.output
            .line(&format!("{number} ends with its period, {ends}; `stoa subscriptions resume {number}` takes it back"))
    } else {
        cx.output.line(&format!("{number} goes on; it is paid until {ends}"))
    }
}
