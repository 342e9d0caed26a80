//! `stoa discount list` and `stoa discount show`.

use chrono::{DateTime, Utc};
use clap::Args;
use stoa_core::discounts::{Discount, DiscountState, list_discounts, written_percent};
use stoa_core::money::{Currency, Money};
use stoa_core::pricing::DiscountRule;

use super::{Context, describe, find};
use crate::failure::Failure;
use crate::output::{print_json, print_json_list, print_list, print_members, shown_time};

/// List discount codes, by code.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount list
  stoa discount list --json")]
pub(super) struct List {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let (discounts, now) = (list_discounts(&db).await?, db.now());
        if self.json {
            return print_json_list(&discounts.iter().map(|discount| describe(discount, now)).collect::<Vec<_>>());
        }
        let currency = installation.currency(&db).await?;
        let head = ["CODE", "DISCOUNT", "MINIMUM", "USES", "PER CUSTOMER", "FROM", "UNTIL", "STATE"];
        print_list(
            &head,
            discounts.iter().map(|discount| cells(discount, now, currency)),
            "`stoa discount create` makes a code",
        )
    }
}

/// Show one discount code.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount show SUMMER-10
  stoa discount show summer-10 --json")]
pub(super) struct Show {
    /// The code; case does not matter.
    code: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let discount = find(&db, &self.code).await?;
        print(&discount, db.now(), installation.currency(&db).await?, self.json)
    }
}

/// Prints one discount.
pub(super) fn print(discount: &Discount, now: DateTime<Utc>, currency: Currency, json: bool) -> Result<(), Failure> {
    if json {
        return print_json(&describe(discount, now));
    }
    let names = ["code", "discount", "minimum", "uses", "per customer", "from", "until", "state"];
    print_members(names.into_iter().zip(cells(discount, now, currency)))
}

fn cells(discount: &Discount, now: DateTime<Utc>, currency: Currency) -> Vec<String> {
    let money = |amount: i64| Money::new(amount, currency).to_string();
    let rule = match discount.rule() {
        DiscountRule::Percent(percent) => format!("{} %", written_percent(percent)),
        DiscountRule::Amount(amount) => money(amount),
    };
    let state = match discount.state(now) {
        DiscountState::Active => "active",
        DiscountState::Disabled => "disabled",
        DiscountState::NotYet => "not yet",
        DiscountState::Over => "over",
        DiscountState::UsedUp => "used up",
    };
    let uses = match discount.max_uses {
        Some(max) => format!("{} of {max}", discount.uses),
        None => discount.uses.to_string(),
    };
    vec![
        discount.code.clone(),
        rule,
        discount.minimum_amount.map_or_else(|| String::from("none"), money),
        uses,
        discount.max_uses_per_customer.map_or_else(|| String::from("any"), |max| max.to_string()),
        discount.valid_from.map_or_else(|| String::from("the start"), shown_time),
        discount.valid_until.map_or_else(|| String::from("open end"), shown_time),
        state.to_owned(),
    ]
}
