//! Printing reports for people, for programs and for spreadsheets.

use clap::Args;
use stoa_core::money::MoneyFormatter;
use stoa_core::reports::{ReportRow, report_csv};

use crate::failure::Failure;
use crate::output::{print_bytes, print_json_list, print_list};

// No doc comment: clap would take it for the description of every command that this is flattened into.
#[derive(Debug, Args)]
pub(super) struct Format {
    /// Print CSV, for spreadsheets.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Format {
    /// Prints the rows; a table has what they come to at its end, for each currency.
    pub(super) fn print<R: ReportRow>(&self, rows: &[R], money: &MoneyFormatter) -> Result<(), Failure> {
        if self.json {
            return print_json_list(rows);
        }
        if self.csv {
            return print_bytes(&report_csv(rows).map_err(|error| Failure::operation(error.to_string()))?);
        }
        let head = R::HEAD.iter().copied().chain(["NET", "TAX", "TOTAL"]).collect::<Vec<_>>();
        let amounts = |currency: &str, base: i64, tax: i64| {
            [base, tax, base + tax].map(|amount| money.format_in(amount, currency))
        };
        let shown = rows.iter().map(|row| {
            let (currency, base, tax) = row.amounts();
            row.cells().into_iter().chain(amounts(currency, base, tax)).collect::<Vec<_>>()
        });
        let mut sums = Vec::<(&str, i64, i64)>::new();
        for (currency, base, tax) in rows.iter().map(ReportRow::amounts) {
            match sums.iter_mut().find(|sum| sum.0 == currency) {
                Some(sum) => (sum.1, sum.2) = (sum.1 + base, sum.2 + tax),
                None => sums.push((currency, base, tax)),
            }
        }
        let last = sums.iter().map(|(currency, base, tax)| {
            let mut cells = vec![String::new(); R::HEAD.len()];
            if let Some(first) = cells.first_mut() {
                "Total".clone_into(first);
            }
            cells.into_iter().chain(amounts(currency, *base, *tax)).collect::<Vec<_>>()
        });
        print_list(&head, shown.chain(last), "no invoice or credit note is of that time")
    }
}
