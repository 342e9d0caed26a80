//! `stoa report sales`.

use clap::{Args, ValueEnum};
use stoa_core::commands::Progress;
use stoa_core::reports::{SalesBy, product_sales_report, sales_report};

use super::rows::Format;
use super::{Context, Days};
use crate::cli::order::open;
use crate::failure::Failure;

/// Report sales by time, product or country.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  stoa report sales --from 2026-11-01 --to 2026-11-30 --by day
  stoa report sales --from 2026-01-01 --to 2026-12-31 --by product --csv > products.csv
  stoa report sales --from 2026-01-01 --to 2026-12-31 --by country --json")]
pub(super) struct Sales {
    #[command(flatten)]
    days: Days,
    /// What sales are added up by, beside country and rate.
    #[arg(long, value_enum, default_value_t = By::Month)]
    by: By,
    #[command(flatten)]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    Day,
    Month,
    Year,
    Product,
    Country,
}

impl Sales {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let period = self.days.period()?;
        let parts = open(context).await?;
        let progress = Progress::begin("adding up");
        let by = match self.by {
            By::Day => SalesBy::Day,
            By::Month => SalesBy::Month,
            By::Year => SalesBy::Year,
            By::Country => SalesBy::Country,
            By::Product => {
                let rows = product_sales_report(&parts.db, period).await?;
                drop(progress);
                return self.format.print(&rows, &parts.money);
            }
        };
        let rows = sales_report(&parts.db, period, by).await?;
        drop(progress);
        self.format.print(&rows, &parts.money)
    }
}
