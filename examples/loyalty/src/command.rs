//! `stoa loyalty`: commands for the operator.

use clap::{Args, Subcommand};
use stoa_core::prelude::*;

use crate::model::ListedAccount;
use crate::points::{MAX_REASON, MOST, correct};
use crate::queries;

/// Look after the loyalty points of customers.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  stoa loyalty list\n  stoa loyalty correct 12 --points=-50 --reason \"counted twice\""
)]
pub(crate) struct LoyaltyCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List customers with points, the newest first.
    #[command(after_help = "Examples:\n  stoa loyalty list\n  stoa loyalty list --limit 10 --json")]
    List {
        /// At most so many.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=1000))]
        limit: i64,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Add points to a customer, or take some.
    #[command(after_help = "Examples:\n  stoa loyalty correct 12 --points 100 --reason \"for the long wait\"")]
    Correct {
        /// The customer's number.
        #[arg(value_parser = clap::value_parser!(i64).range(1..))]
        customer: i64,
        /// How many; below zero takes some.
        #[arg(long, allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-MOST..=MOST))]
        points: i64,
        /// Why, which the customer sees.
        #[arg(long, value_parser = reason)]
        reason: String,
    },
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    let is_right = (1..=MAX_REASON).contains(&text.chars().count());
    is_right.then(|| text.to_owned()).ok_or_else(|| format!("a reason has 1 to {MAX_REASON} characters"))
}

impl ModuleCommand for LoyaltyCommand {
    const NAME: &'static str = "loyalty";
    type State = ();

    async fn run(self, (): &(), cx: &CommandContext) -> Result<(), Failure> {
        let db = &cx.parts.db;
        match self.action {
            Action::List { limit, json } => {
                let accounts = db.read(queries::LIST_ACCOUNTS).bind(limit).bind(None::<i64>);
                let accounts = accounts.all::<ListedAccount>().await?;
                if json {
                    return cx.output.json_list(&accounts);
                }
                let rows =
                    accounts.into_iter().map(|one| vec![one.customer_id.to_string(), one.name, one.points.to_string()]);
                cx.output.list(&["CUSTOMER", "NAME", "POINTS"], rows, "paid orders bring points")
            }
            Action::Correct { points: 0, .. } => Err(Failure::usage("`--points` must not be 0")),
            Action::Correct { customer, points, reason } => match correct(db, customer, points, &reason).await? {
                Some(points) => cx.output.line(&format!("customer {customer} has {points} points")),
                None => {
                    Err(Failure::operation(format!("there is no customer {customer}; `stoa customer list` shows all")))
                }
            },
        }
    }
}
