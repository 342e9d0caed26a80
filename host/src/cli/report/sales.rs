//! `stoa report sales`.

use clap::{Args, ValueEnum};
use stoa_core::reports::{ProductSalesRow, SalesBy, SalesRow, SoldKind, product_sales_report, sales_report};

use super::rows::{Format, Row, rate};
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
        let by = match self.by {
            By::Day => SalesBy::Day,
            By::Month => SalesBy::Month,
            By::Year => SalesBy::Year,
            By::Country => SalesBy::Country,
            By::Product => {
                let rows = product_sales_report(&parts.db, period).await?;
                return self.format.print(&rows, &parts.money);
            }
        };
        let rows = sales_report(&parts.db, period, by).await?;
        self.format.print(&rows, &parts.money)
    }
}

impl Row for SalesRow {
    const MEMBERS: &'static [&'static str] = &[
        "period",
        "country",
        "rate_basis_points",
        "currency",
        "invoices",
        "base_amount",
        "tax_amount",
        "total_amount",
    ];
    const HEAD: &'static [&'static str] = &["PERIOD", "COUNTRY", "RATE", "INVOICES"];

    fn cells(&self) -> Vec<String> {
        let period = self.period.clone().unwrap_or_else(|| String::from("all"));
        vec![period, self.country.clone(), rate(self.rate_basis_points), self.invoices.to_string()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

impl Row for ProductSalesRow {
    const MEMBERS: &'static [&'static str] = &[
        "kind",
        "product",
        "label",
        "country",
        "rate_basis_points",
        "currency",
        "units",
        "base_amount",
        "tax_amount",
        "total_amount",
    ];
    const HEAD: &'static [&'static str] = &["PRODUCT", "LABEL", "COUNTRY", "RATE", "UNITS"];

    fn cells(&self) -> Vec<String> {
        let label = match (&self.label, self.kind) {
            (Some(label), _) => label.clone(),
            (None, SoldKind::Shipping) => String::from("shipping"),
            (None, SoldKind::Product | SoldKind::Fee) => String::new(),
        };
        let product = self.product.clone().unwrap_or_else(|| String::from("-"));
        vec![product, label, self.country.clone(), rate(self.rate_basis_points), self.units.to_string()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}
