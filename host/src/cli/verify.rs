//! `stoa verify`: whether money and goods add up.

use clap::Args;
use stoa_core::verification::verify;

use super::Context;
use crate::failure::Failure;
use crate::output::{print_json_list, print_line};

/// Check that orders, payments, refunds, documents and goods add up.
#[derive(Debug, Args)]
#[command(
    after_help = "Reads the whole database and changes nothing; the shop may run. Exits with 1 and a list when something is wrong.

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
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let installation = context.working()?;
        let db = installation.open_current().await?;
        let breaches = verify(&db, &installation.program.registry.invariants).await?;
        if self.json {
            print_json_list(&breaches)?;
            return if breaches.is_empty() { Ok(()) } else { Err(Failure::Said) };
        }
        if breaches.is_empty() {
            return print_line("everything adds up");
        }
        let list = breaches.iter().map(|breach| format!("\n  {breach}")).collect::<Vec<_>>().concat();
        let many =
            if breaches.len() == 1 { String::from("1 thing does") } else { format!("{} things do", breaches.len()) };
        Err(Failure::operation(format!("{many} not add up:{list}")))
    }
}
