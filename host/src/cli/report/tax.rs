//! `stoa report tax`.

use clap::Args;
use stoa_core::commands::Progress;
use stoa_core::reports::tax_report;

use super::rows::Format;
use super::{Context, Days};
use crate::cli::order::open;
use crate::failure::Failure;

/// Report tax by country and rate.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa report tax --from 2026-10-01 --to 2026-12-31
  stoa report tax --from 2026-10-01 --to 2026-12-31 --csv > tax.csv
  stoa report tax --from 2026-10-01 --to 2026-10-31 --json")]
pub(super) struct Tax {
    #[command(flatten)]
    days: Days,
    #[command(flatten)]
    format: Format,
}

impl Tax {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let period = self.days.period()?;
        let parts = open(context).await?;
        let progress = Progress::begin("adding up");
        let rows = tax_report(&parts.db, period).await?;
        drop(progress);
        self.format.print(&rows, &parts.money)
    }
}
