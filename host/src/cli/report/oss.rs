//! `stoa report oss`.

use clap::Args;
use stoa_core::commands::Progress;
use stoa_core::reports::{OssError, Quarter, oss_report};

use super::Context;
use super::rows::Format;
use crate::cli::order::open;
use crate::failure::Failure;

/// Report what consumers in other member states of the European Union have bought (One-Stop-Shop).
#[derive(Debug, Args)]
#[command(
    long_about = "Report what consumers in other member states of the European Union have bought (One-Stop-Shop).

By country and rate, without what business customers owe the tax of themselves. What is credited of an invoice of an earlier
quarter is a correction of that quarter, as the return has it. The shop's own member state is that of `seller.tax_id`.",
    after_help = "Examples:
  stoa report oss --quarter 2026Q4
  stoa report oss --quarter 2026Q4 --csv > oss-2026Q4.csv
  stoa report oss --quarter 2026Q4 --json"
)]
pub(super) struct Oss {
    /// The quarter.
    #[arg(long, value_name = "QUARTER")]
    quarter: Quarter,
    #[command(flatten)]
    format: Format,
}

impl Oss {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let own = parts.config.seller.member_state();
        let progress = Progress::begin("adding up");
        let rows = oss_report(&parts.db, own, self.quarter).await.map_err(|error| match error {
            OssError::NoMemberState => Failure::operation(
                "the report needs your member state, which your VAT ID tells: set `seller.tax_id` in the configuration, such as \
                 \"NL004495445B01\"",
            ),
            OssError::Db(error) => error.into(),
        })?;
        drop(progress);
        self.format.print(&rows, &parts.money)
    }
}
