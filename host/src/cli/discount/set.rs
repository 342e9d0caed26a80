//! `stoa discount set`.

use chrono::{DateTime, Utc};
use clap::{ArgGroup, Args};
use stoa_core::config::BasisPoints;
use stoa_core::discounts::{
    ChangeDiscountError, Discount, DiscountTimesError, change_discount, read_percent, written_percent,
};
use stoa_core::money::MoneyFormatter;
use stoa_core::pricing::DiscountRule;

use super::list::print;
use super::{Context, find};
use crate::cli::amount::{TypedAmount, changed, tell_changes};
use crate::cli::jobs::{end, time};
use crate::failure::Failure;

/// Change what a discount code takes off, when and how often. Orders that have used it keep what they got.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("change")
        .args(["percent", "amount", "minimum", "max_uses", "max_uses_per_customer", "from", "until"])
        .required(true)
        .multiple(true),
    after_help = "What is not said stays. `none` takes a limit away.

Examples:
  stoa discount set SUMMER-10 --percent 15
  stoa discount set SUMMER-10 --until 2027-09-30 --max-uses 500
  stoa discount set WELCOME --minimum none --max-uses-per-customer none --json"
)]
pub(super) struct Set {
    /// The code; case does not matter.
    code: String,
    /// The share of the subtotal to take off, with up to two decimals.
    #[arg(long, value_name = "PERCENT", allow_negative_numbers = true, conflicts_with = "amount",
          value_parser = read_percent)]
    percent: Option<BasisPoints>,
    /// The amount to take off, at most the subtotal, such as 5.00; a whole number counts the smallest unit.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true)]
    amount: Option<TypedAmount>,
    /// The least subtotal of an order that may use it, or `none`.
    #[arg(long, value_name = "AMOUNT", allow_negative_numbers = true, value_parser = limit::<TypedAmount>)]
    minimum: Option<Limit<TypedAmount>>,
    /// How many orders may use it, or `none`.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    max_uses: Option<Limit<i64>>,
    /// How many orders of one customer may use it, or `none`.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = number)]
    max_uses_per_customer: Option<Limit<i64>>,
    /// When it begins: RFC 3339, or a day, which begins at midnight UTC; or `none`.
    #[arg(long, value_name = "TIME", value_parser = beginning)]
    from: Option<Limit<DateTime<Utc>>>,
    /// When it ends: RFC 3339, or its last day, which ends at midnight UTC; or `none`.
    #[arg(long, value_name = "TIME", value_parser = ending)]
    until: Option<Limit<DateTime<Utc>>>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// A limit, or none.
#[derive(Debug, Clone)]
struct Limit<T>(Option<T>);

impl<T: Clone> Limit<T> {
    /// What holds from now on: this, if it was said.
    fn or(said: Option<&Self>, before: Option<T>) -> Option<T> {
        said.map_or(before, |said| said.0.clone())
    }
}

fn limited<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Limit<T>, String> {
    if text == "none" { Ok(Limit(None)) } else { read(text).map(|read| Limit(Some(read))) }
}

fn limit<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<Limit<T>, String> {
    limited(text, |text| text.parse::<T>().map_err(|error| error.to_string()))
}

fn number(text: &str) -> Result<Limit<i64>, String> {
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| *number > 0);
    limited(text, |text| number(text).ok_or_else(|| String::from("a whole number above zero, or `none`, is expected")))
}

fn beginning(text: &str) -> Result<Limit<DateTime<Utc>>, String> {
    limited(text, time)
}

fn ending(text: &str) -> Result<Limit<DateTime<Utc>>, String> {
    limited(text, end)
}

impl Set {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let money = &installation.program.money;
        let db = installation.open_current().await?;
        installation.settle_currency(&db).await?;
        let discount = find(&db, &self.code).await?;
        let mut terms = discount.terms();
        terms.rule = self.rule(terms.rule, money)?;
        if let Some(Limit(minimum)) = &self.minimum {
            terms.minimum_amount =
                minimum.as_ref().map(|minimum| minimum.read_positive("--minimum", money)).transpose()?;
        }
        terms.max_uses = Limit::or(self.max_uses.as_ref(), terms.max_uses);
        terms.max_uses_per_customer = Limit::or(self.max_uses_per_customer.as_ref(), terms.max_uses_per_customer);
        terms.valid_from = Limit::or(self.from.as_ref(), terms.valid_from);
        terms.valid_until = Limit::or(self.until.as_ref(), terms.valid_until);
        let after =
            change_discount(&db, discount.id, &discount.terms(), &terms).await.map_err(|error| match error {
                ChangeDiscountError::Times(DiscountTimesError::EndsTooEarly { from, until }) => Failure::usage(
                    format!("--until: a time after the beginning, {from}, is expected, and it is {until}"),
                ),
                other => other.into(),
            })?;
        tell_changes(&self.changes(&discount, &after, money), self.json)?;
        print(&after, db.now(), installation.program.currency, self.json)
    }

    /// What was asked to take off, or to be spent at least: before, and from now on.
    fn changes(&self, before: &Discount, now: &Discount, money: &MoneyFormatter) -> Vec<String> {
        let takes_off = |discount: &Discount| {
            Some(match discount.rule() {
                DiscountRule::Percent(percent) => format!("{} %", written_percent(percent)),
                DiscountRule::Amount(amount) => money.format(amount),
            })
        };
        let least = |discount: &Discount| discount.minimum_amount.map(|amount| money.format(amount));
        let code = &now.code;
        let rule = (self.percent.is_some() || self.amount.is_some())
            .then(|| changed(&format!("what {code} takes off"), takes_off(before), takes_off(now)));
        let minimum =
            self.minimum.is_some().then(|| changed(&format!("the minimum of {code}"), least(before), least(now)));
        rule.into_iter().chain(minimum).collect()
    }

    fn rule(&self, before: DiscountRule, money: &MoneyFormatter) -> Result<DiscountRule, Failure> {
        Ok(match (self.percent, &self.amount) {
            (Some(percent), _) => DiscountRule::Percent(percent),
            (None, Some(amount)) => DiscountRule::Amount(amount.read_positive("--amount", money)?),
            (None, None) => before,
        })
    }
}
