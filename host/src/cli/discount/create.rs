//! `stoa discount create`.

use chrono::{DateTime, Utc};
use clap::{ArgGroup, Args, value_parser};
use stoa_core::config::BasisPoints;
use stoa_core::discounts::{
    CreateDiscountError, DiscountCode, DiscountTimesError, NewDiscount, create_discount, read_percent,
};
use stoa_core::pricing::DiscountRule;

use super::Context;
use super::list::print;
use crate::cli::amount::TypedAmount;
use crate::cli::jobs::{end, time};
use crate::failure::Failure;

/// Create a discount code, which can be used at once unless it has a beginning.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("rule").args(["percent", "amount"]).required(true),
    after_help = "Amounts are typed with a point, as in 5.00; a whole number counts the smallest unit, so 500 is five euros as well. A
discount does not touch shipping.

Examples:
  stoa discount create SUMMER-10 --percent 10 --from 2027-06-01 --until 2027-08-31
  stoa discount create WELCOME --amount 5.00 --minimum 25.00 --max-uses-per-customer 1
  stoa discount create FIRST-100 --percent 12.5 --max-uses 100 --json"
)]
pub(super) struct Create {
    /// The code that customers type; it has no blanks, and case does not matter.
    #[arg(value_parser = code)]
    code: DiscountCode,
    /// The share of the subtotal to take off, with up to two decimals.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, value_parser = read_percent)]
    percent: Option<BasisPoints>,
    /// The amount to take off, at most the subtotal, such as 5.00; a whole number counts the smallest unit.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    amount: Option<TypedAmount>,
    /// The least subtotal, before any discount, of an order that may use it. Default: any.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    minimum: Option<TypedAmount>,
    /// How many orders may use it. Default: any number.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(1..))]
    max_uses: Option<i64>,
    /// How many orders of one customer may use it. Default: any number.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = value_parser!(i64).range(1..))]
    max_uses_per_customer: Option<i64>,
    /// When it begins: RFC 3339, or a day, which begins at midnight UTC. Default: now.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<DateTime<Utc>>,
    /// When it ends: RFC 3339, or its last day, which ends at midnight UTC. Default: never.
    #[arg(long, value_name = "TIME", value_parser = end)]
    until: Option<DateTime<Utc>>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Create {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let money = &installation.program.money;
        let rule = match (self.percent, &self.amount) {
            (Some(percent), None) => DiscountRule::Percent(percent),
            (None, Some(amount)) => DiscountRule::Amount(amount.read_positive("--amount", money)?),
            (Some(_), Some(_)) | (None, None) => {
                return Err(Failure::usage("either --percent or --amount is expected"));
            }
        };
        let minimum = self.minimum.as_ref().map(|minimum| minimum.read_positive("--minimum", money)).transpose()?;
        let db = installation.open_current().await?;
        installation.settle_currency(&db).await?;
        let now = db.now();
        let new = NewDiscount {
            code: self.code.clone(),
            rule,
            minimum_amount: minimum,
            max_uses: self.max_uses,
            max_uses_per_customer: self.max_uses_per_customer,
            valid_from: self.from,
            valid_until: self.until,
            customer_id: None,
        };
        new.check_times(now).map_err(wrong_times)?;
        let created = db.write(async |tx| create_discount(tx, &new).await).await.map_err(|error| match error {
            CreateDiscountError::Taken => Failure::operation(format!(
                "there is a discount `{}` already, and case does not matter; `stoa discount show` shows it",
                self.code.as_str()
            )),
            CreateDiscountError::UnknownCustomer | CreateDiscountError::Db(_) => error.into(),
        })?;
        print(&created, now, installation.program.currency, self.json)
    }
}

fn wrong_times(error: DiscountTimesError) -> Failure {
    Failure::usage(match error {
        DiscountTimesError::EndsTooEarly { from, until } => {
            format!("--until: a time after --from, {from}, is expected, and it is {until}")
        }
        DiscountTimesError::Past(until) => {
            format!("--until: a time in the future is expected, and {until} is past")
        }
    })
}

fn code(text: &str) -> Result<DiscountCode, String> {
    DiscountCode::parse(text).map_err(|error| error.to_string())
}
