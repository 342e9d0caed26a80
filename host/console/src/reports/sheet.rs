//! A report as a table, and as a file for spreadsheets.

use stoa_core::money::MoneyFormatter;
use stoa_core::reports::{ReportRow, report_csv};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::file::{attachment, private_file};
use stoa_pages::answer::PageResponse;

/// The columns of amounts, behind the others.
const AMOUNTS: [&str; 3] = ["Net", "Tax", "Gross"];

/// The columns that count something, among those before the amounts.
const COUNTS: [&str; 3] = ["Invoices", "Orders", "Units"];

/// Most rows that a page shows; the file has all of them.
const MOST_ROWS: usize = 100;

/// A table of a report, with what its rows come to.
pub(super) struct Sheet {
    pub(super) title: &'static str,
    /// Its name in addresses.
    pub(super) name: &'static str,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) sums: Vec<Vec<String>>,
    /// How many rows there are in all.
    pub(super) count: usize,
    pub(super) csv: String,
}

impl Sheet {
    pub(super) fn of<R: ReportRow>(
        title: &'static str,
        name: &'static str,
        rows: &[R],
        csv: String,
        money: &MoneyFormatter,
    ) -> Self {
        let amounts = |(currency, base, tax): (&str, i64, i64)| {
            [base, tax, base + tax].map(|amount| money.format_in(amount, currency))
        };
        let head = R::HEAD.iter().map(|head| capitalized(head));
        let mut sums = Vec::<(&str, i64, i64)>::new();
        for (currency, base, tax) in rows.iter().map(ReportRow::amounts) {
            match sums.iter_mut().find(|sum| sum.0 == currency) {
                Some(sum) => (sum.1, sum.2) = (sum.1 + base, sum.2 + tax),
                None => sums.push((currency, base, tax)),
            }
        }
        let shown = rows.iter().take(MOST_ROWS);
        Self {
            title,
            name,
            head: head.collect(),
            rows: shown.map(|row| row.cells().into_iter().chain(amounts(row.amounts())).collect()).collect(),
            sums: sums.into_iter().map(|sum| amounts(sum).into()).collect(),
            count: rows.len(),
            csv,
        }
    }

    /// Whether the page shows less than there is.
    pub(super) fn is_cut(&self) -> bool {
        self.count > self.rows.len()
    }

    /// What each column is called, and whether it holds numbers.
    pub(super) fn heads(&self) -> impl Iterator<Item = (&str, bool)> {
        let heads = self.head.iter().map(|head| (head.as_str(), COUNTS.contains(&head.as_str())));
        heads.chain(AMOUNTS.map(|head| (head, true)))
    }

    /// The cells of a row, each with what its column is called and whether that holds numbers.
    pub(super) fn headed<'a>(&'a self, row: &'a [String]) -> impl Iterator<Item = (&'a str, bool, &'a str)> {
        self.heads().zip(row).map(|((head, is_number), cell)| (head, is_number, cell.as_str()))
    }

    /// What the rows come to, each amount with what its column is called.
    pub(super) fn summed(&self) -> impl Iterator<Item = impl Iterator<Item = (&str, &str)>> {
        self.sums.iter().map(|sum| AMOUNTS.into_iter().zip(sum.iter().map(String::as_str)))
    }

    /// How many columns there are before the amounts.
    pub(super) fn words(&self) -> usize {
        self.head.len()
    }
}

fn capitalized(head: &str) -> String {
    let lower = head.to_lowercase();
    let mut letters = lower.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The rows as a file.
pub(super) fn file<R: ReportRow>(name: &str, rows: &[R]) -> ApiResult<PageResponse> {
    let text = report_csv(rows).map_err(ApiError::internal)?;
    Ok(PageResponse(private_file("text/csv; charset=utf-8", attachment(&format!("{name}.csv")), text)))
}
