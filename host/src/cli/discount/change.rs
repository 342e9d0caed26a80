//! `stoa discount enable`, `disable` and `remove`.

use clap::Args;
use stoa_core::discounts::{Removal, Switch, remove_discount, switch_discount};

use super::list::print;
use super::{Context, describe, find, unknown};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// A discount by its code.
#[derive(Debug, Args)]
struct DiscountArgument {
    /// The code; case does not matter.
    code: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl DiscountArgument {
    async fn switch(&self, context: &Context, switch: Switch) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let Some(discount) = switch_discount(&db, &self.code, switch).await? else {
            return Err(unknown(&db, &self.code).await);
        };
        print(&discount, db.now(), installation.currency(&db).await?, self.json)
    }
}

/// Let customers use a discount code again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount enable SUMMER-10
  stoa discount enable SUMMER-10 --json")]
pub(super) struct Enable {
    #[command(flatten)]
    chosen: DiscountArgument,
}

impl Enable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        self.chosen.switch(context, Switch::On).await
    }
}

/// Stop a discount code; orders that use it keep it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount disable SUMMER-10
  stoa discount disable SUMMER-10 --json")]
pub(super) struct Disable {
    #[command(flatten)]
    chosen: DiscountArgument,
}

impl Disable {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        self.chosen.switch(context, Switch::Off).await
    }
}

/// Remove a discount code that no order has ever used.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa discount remove SUMMER-10
  stoa discount remove SUMMER-10 --json")]
pub(super) struct Remove {
    /// The code; case does not matter.
    code: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Remove {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let db = context.working()?.open_current().await?;
        let discount = find(&db, &self.code).await?;
        match remove_discount(&db, &self.code).await? {
            Removal::Removed if self.json => print_json(&describe(&discount, db.now())),
            Removal::Removed => print_line(&format!("{} is removed", discount.code)),
            Removal::Unknown => Err(unknown(&db, &self.code).await),
            Removal::Used => Err(Failure::operation(format!(
                "orders have used `{code}`, which must stay known; `stoa discount disable {code}` stops it",
                code = self.code
            ))),
        }
    }
}
