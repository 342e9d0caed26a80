//! `stoa subscriptions list`.

use clap::Args;
use stoa_core::commands::{CommandContext, Failure, shown_time};

use crate::config::Config;
use crate::model::{ListedSubscription, Status};
use crate::queries;
use crate::resource::detailed;

/// Subscriptions that are listed unless more are asked for.
const LIMIT: i64 = 100;

/// List subscriptions, the newest first.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa subscriptions list
  stoa subscriptions list --status past_due --json
  stoa subscriptions list --customer ada@example.com")]
pub(super) struct List {
    /// Only those of this status.
    #[arg(long, value_parser = status)]
    status: Option<Status>,
    /// Only those of the customer with this e-mail address.
    #[arg(long, value_name = "EMAIL")]
    customer: Option<String>,
    /// At most so many.
    #[arg(long, value_name = "COUNT", default_value_t = LIMIT, value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn status(word: &str) -> Result<Status, String> {
    Status::try_from(word.to_owned()).map_err(|_| {
        let words = Status::ALL.map(Status::as_str).join(", ");
        format!("one of {words} is expected")
    })
}

impl List {
    pub(super) async fn run(&self, config: &Config, cx: &CommandContext) -> Result<(), Failure> {
        let email = self.customer.as_ref().map(|email| email.trim().to_lowercase());
        let list = cx.parts.db.read(queries::LIST).bind(self.status.map(Status::as_str)).bind(email.as_deref());
        let found = list.bind(self.limit).bind(None::<i64>).all::<ListedSubscription>().await?;
        if self.json {
            let found = found.into_iter().map(|listed| listed.subscription).collect();
            return cx.output.json_list(&detailed(found, config, &cx.parts.db, &cx.parts.money).await?);
        }
        let rows = found.iter().map(|ListedSubscription { subscription: own, customer_name, customer_email }| {
            let ends = own.current_period_end.map(shown_time).unwrap_or_default();
            let then = if own.cancel_at_period_end { "ends" } else { "" };
            let price = cx.parts.money.format_in(own.price_amount, &own.currency);
            let plan = format!("{price} / {} {}", own.interval_count, own.interval.as_str());
            let customer = customer_email.as_ref().unwrap_or(customer_name).clone();
            let status = own.status.as_str().to_owned();
            vec![own.number().to_string(), status, customer, own.product_name.clone(), plan, ends, then.to_owned()]
        });
        cx.output.list(
            &["NUMBER", "STATUS", "CUSTOMER", "PRODUCT", "PLAN", "PAID UNTIL", "THEN"],
            rows,
            "they begin with the order of a product that has a plan",
        )
    }
}
