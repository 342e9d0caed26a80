//! `stoa discount`: codes that customers get something off with.

mod change;
mod create;
mod list;
mod set;
mod share;

use chrono::{DateTime, Utc};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::db::Db;
use stoa_core::discounts::{Discount, list_discounts, look_up_discount};
use stoa_core::pricing::DiscountRule;
use stoa_core::suggestion::meant_or;

use super::Context;
use super::commands::{Commands, Group, actions};
use crate::failure::Failure;

pub(super) fn register(commands: &mut Commands) {
    commands.add("discount", Group::Selling, DiscountCommand::run);
}

/// Manage discount codes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount create SUMMER-10 --percent 10 --until 2027-08-31
  stoa discount create WELCOME --amount 5.00 --minimum 25.00 --max-uses-per-customer 1
  stoa discount list
  stoa discount disable SUMMER-10")]
pub(super) struct DiscountCommand {
    #[command(subcommand)]
    action: Action,
}

actions! {
    DiscountCommand:
    Create(create::Create),
    Set(Box<set::Set>),
    List(list::List),
    Show(list::Show),
    Enable(change::Enable),
    Disable(change::Disable),
    Remove(change::Remove),
}

/// A discount as `--json` shows it.
fn describe(discount: &Discount, now: DateTime<Utc>) -> Value {
    let (percent, amount) = match discount.rule() {
        DiscountRule::Percent(percent) => (Some(share::number(percent)), None),
        DiscountRule::Amount(amount) => (None, Some(amount)),
    };
    json!({
        "id": discount.id,
        "code": discount.code,
        "percent": percent,
        "amount": amount,
        "minimum_amount": discount.minimum_amount,
        "max_uses": discount.max_uses,
        "max_uses_per_customer": discount.max_uses_per_customer,
        "uses": discount.uses,
        "valid_from": discount.valid_from,
        "valid_until": discount.valid_until,
        "active": discount.active,
        "state": discount.state(now).as_str(),
        "created_at": discount.created_at,
        "customer_id": discount.customer_id,
    })
}

/// The discount of a code, which must be there.
async fn find(db: &Db, code: &str) -> Result<Discount, Failure> {
    match look_up_discount(db, code).await? {
        Some(discount) => Ok(discount),
        None => Err(unknown(db, code).await),
    }
}

async fn unknown(db: &Db, code: &str) -> Failure {
    list_discounts(db).await.map_or_else(Failure::from, |known| {
        let known = known.iter().map(|discount| discount.code.as_str());
        let instead = meant_or(code, known, "`stoa discount list` shows all");
        Failure::operation(format!("there is no discount `{code}`{instead}"))
    })
}
