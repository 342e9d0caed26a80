//! `stoa subscriptions preview`.

use chrono::{DateTime, Utc};
use clap::Args;
use serde::Serialize;
use stoa_core::commands::{CommandContext, Failure, shown_time};

use super::find;
use crate::config::Config;
use crate::number::SubscriptionNumber;

/// Show when the next periods of a subscription will be billed, and at which price.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions preview S-000042
  stoa subscriptions preview S-000042 --periods 24 --json")]
pub(super) struct Preview {
    /// The subscription's number or id.
    number: SubscriptionNumber,
    /// So many periods.
    #[arg(long, value_name = "COUNT", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    periods: u16,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A period to come, as long as every bill is paid.
#[derive(Debug, Serialize)]
struct Coming {
    number: i64,
    bill_at: DateTime<Utc>,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    price_amount: i64,
    currency: String,
}

impl Preview {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let found = find(self.number, &cx.parts.db).await?;
        let is_renewed = found.status.is_live() && !found.cancel_at_period_end;
        let mut coming = Vec::new();
        let mut before = found.current_period();
        let numbers = (1..=i64::from(self.periods)).map(|after| found.period.saturating_add(after));
        for number in numbers.take_while(|_| is_renewed) {
            let (Some(schedule), Some(last)) = (found.schedule(), before) else { break };
            let Some(period) = schedule.period(number) else { break };
            coming.push(Coming {
                number,
                bill_at: last.ahead(config.renew_ahead_days),
                starts_at: period.starts_at,
                ends_at: period.ends_at,
                price_amount: found.price_amount,
                currency: found.currency.clone(),
            });
            before = Some(period);
        }
        if self.json {
            return cx.output.json_list(&coming);
        }
        if !is_renewed {
            return cx.output.line(&format!("{} will not be renewed", found.number()));
        }
        let rows = coming.iter().map(|period| {
            let price = cx.parts.money.format_in(period.price_amount, &period.currency);
            let (starts_at, ends_at) = (shown_time(period.starts_at), shown_time(period.ends_at));
            vec![period.number.to_string(), shown_time(period.bill_at), starts_at, ends_at, price]
        });
        cx.output.table(&["PERIOD", "BILLED", "FROM", "TO", "PRICE"], rows)
    }
}
