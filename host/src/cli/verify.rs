//! `stoa verify`: whether money and goods add up.

use clap::Args;
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::verification::verify;

use super::Context;
use super::commands::{Commands, Group};
use crate::failure::Failure;
use crate::output::{print_json, print_line, print_remark};

pub(super) fn register(commands: &mut Commands) {
    commands.add("verify", Group::RunTheShop, Verify::run);
}

/// Check that orders, payments, refunds, documents and goods add up.
#[derive(Debug, Args)]
#[command(
    after_help = "Reads the whole database and changes nothing; the shop may run. Exits with 1 and a list when something is wrong.
What modules keep is looked at while they are on, and those that are not are named; so are no files looked at, which
`stoa doctor` and `stoa downloads check` do.

Examples:
  stoa verify
  stoa verify --json"
)]
pub(super) struct Verify {
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Verify {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let progress = Progress::begin("checking that everything adds up");
        let breaches = verify(&db, &installation.program.registry.invariants).await?;
        drop(progress);
        // Nobody knows what must hold of the tables of these: they are off, or not in this program at all.
        let unchecked = db.sets_besides(&installation.program.registry.migrations).await?;
        if self.json {
            print_json(&json!({"data": breaches, "not_checked": unchecked}))?;
            return if breaches.is_empty() { Ok(()) } else { Err(Failure::Said) };
        }
        let left_out = match unchecked.as_slice() {
            [] => String::new(),
            modules => format!("not checked: what these modules keep, which are off here: {}", modules.join(", ")),
        };
        if breaches.is_empty() {
            let checked = if unchecked.is_empty() { "everything" } else { "everything that was checked" };
            print_line(&format!("{checked} adds up"))?;
            return if left_out.is_empty() { Ok(()) } else { print_line(&left_out) };
        }
        if !left_out.is_empty() {
            print_remark(&format!("stoa: {left_out}"));
        }
        let list = breaches.iter().map(|breach| format!("\n  {breach}")).collect::<Vec<_>>().concat();
        let many =
            if breaches.len() == 1 { String::from("1 thing does") } else { format!("{} things do", breaches.len()) };
        Err(Failure::operation(format!("{many} not add up:{list}")))
    }
}
