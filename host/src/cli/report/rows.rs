//! Rows of a report for people, for programs and for spreadsheets.

use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value};
use stoa_core::money::{Currency, MoneyFormatter, format_decimal_amount};

use crate::failure::Failure;
use crate::output::{print_bytes, print_json_list, print_table};

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

/// A row that a table can show.
pub(super) trait Row: Serialize {
    /// The members of a row, in the order of the columns: CSV has a head even when there is nothing.
    const MEMBERS: &'static [&'static str];
    /// The heads of the table, without those of amounts.
    const HEAD: &'static [&'static str];

    /// The cells below these heads.
    fn cells(&self) -> Vec<String>;
    /// Currency, net and tax.
    fn amounts(&self) -> (&str, i64, i64);
}

impl Format {
    /// Prints the rows; a table has what they come to at its end, for each currency.
    pub(super) fn print<R: Row>(&self, rows: &[R], money: &MoneyFormatter) -> Result<(), Failure> {
        if self.json {
            return print_json_list(rows);
        }
        if self.csv {
            return print_bytes(&csv(rows)?);
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
        for (currency, base, tax) in rows.iter().map(Row::amounts) {
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
        print_table(&head, shown.chain(last))
    }
}

/// A rate in basis points: `21%`.
pub(super) fn rate(points: i64) -> String {
    let (whole, rest) = (points / 100, format!("{:02}", points % 100));
    match rest.trim_end_matches('0') {
        "" => format!("{whole}%"),
        decimals => format!("{whole}.{decimals}%"),
    }
}

/// The members of each row, and beside those in minor units the same as a decimal number.
fn csv<R: Row>(rows: &[R]) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    let decimal = |member: &str| member.strip_suffix("_amount").map(str::to_owned);
    let head = R::MEMBERS.iter().map(|member| (*member).to_owned());
    let decimals = R::MEMBERS.iter().filter_map(|member| decimal(member));
    writer.write_record(head.chain(decimals))?;
    for row in rows {
        let (currency, ..) = row.amounts();
        let currency = Currency::from_code(currency).ok();
        let Value::Object(members) = serde_json::to_value(row)? else { continue };
        let amount = |member: &&str| member.ends_with("_amount");
        let decimals = R::MEMBERS.iter().filter(|member| amount(member)).map(|member| {
            let amount = members.get(*member).and_then(Value::as_i64).unwrap_or_default();
            currency.map_or_else(|| amount.to_string(), |currency| format_decimal_amount(amount, currency))
        });
        writer.write_record(R::MEMBERS.iter().map(|member| cell(&members, member)).chain(decimals))?;
    }
    writer.into_inner().map_err(|error| Failure::operation(error.to_string()))
}

fn cell(members: &Map<String, Value>, member: &str) -> String {
    match members.get(member) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => harmless(text),
        Some(other) => other.to_string(),
    }
}

/// A text that no spreadsheet takes for a formula.
fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_table_is_no_formula() {
        for text in ["=HYPERLINK(\"x\")", "+1", "-1", "@SUM(A1)", "\t=1"] {
            assert_eq!(harmless(text), format!("'{text}"));
        }
        assert_eq!(harmless("Desk lamp - brass"), "Desk lamp - brass");
    }

    #[test]
    fn amounts_have_the_decimals_of_their_currency() {
        let euro = Currency::from_code("EUR").expect("a currency");
        let yen = Currency::from_code("JPY").expect("a currency");
        for (amount, currency, shown) in
            [(0, euro, "0.00"), (5, euro, "0.05"), (-5, euro, "-0.05"), (-123_456, euro, "-1234.56"), (-12, yen, "-12")]
        {
            assert_eq!(format_decimal_amount(amount, currency), shown);
        }
    }

    #[test]
    fn rates_are_percentages() {
        for (points, shown) in [(0, "0%"), (2_100, "21%"), (550, "5.5%"), (905, "9.05%")] {
            assert_eq!(rate(points), shown);
        }
    }
}
