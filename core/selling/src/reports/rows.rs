//! Rows of a report as tables and spreadsheets show them.

use serde::Serialize;
use serde_json::{Map, Value};

use stoa_kernel::money::{Currency, format_decimal_amount};

use super::{OssRow, ProductSalesRow, RevenueRow, SalesRow, SoldKind, TaxRow};

/// A row that a table can show.
pub trait ReportRow: Serialize {
    /// The members of a row, in the order of the columns: CSV has a head even when there is nothing.
    const MEMBERS: &'static [&'static str];
    /// The heads of the table, without those of amounts.
    const HEAD: &'static [&'static str];

    /// The cells below these heads.
    fn cells(&self) -> Vec<String>;
    /// Currency, net and tax.
    fn amounts(&self) -> (&str, i64, i64);
}

/// Why rows were not written as CSV.
#[derive(Debug, thiserror::Error)]
pub enum ReportCsvError {
    /// A record could not be written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A row is no JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// What was written could not be taken.
    #[error("{0}")]
    Buffer(String),
}

impl ReportRow for SalesRow {
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
        vec![period, self.country.clone(), written_rate(self.rate_basis_points), self.invoices.to_string()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

impl ReportRow for ProductSalesRow {
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
        vec![product, label, self.country.clone(), written_rate(self.rate_basis_points), self.units.to_string()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

impl ReportRow for TaxRow {
    const MEMBERS: &'static [&'static str] =
        &["country", "rate_basis_points", "reverse_charge", "currency", "base_amount", "tax_amount"];
    const HEAD: &'static [&'static str] = &["COUNTRY", "RATE"];

    fn cells(&self) -> Vec<String> {
        let rate =
            if self.reverse_charge { String::from("reverse charge") } else { written_rate(self.rate_basis_points) };
        vec![self.country.clone(), rate]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

impl ReportRow for OssRow {
    const MEMBERS: &'static [&'static str] =
        &["period", "correction", "country", "rate_basis_points", "currency", "base_amount", "tax_amount"];
    const HEAD: &'static [&'static str] = &["PERIOD", "COUNTRY", "RATE", "KIND"];

    fn cells(&self) -> Vec<String> {
        let kind = if self.correction { "correction" } else { "sales" };
        vec![self.period.to_string(), self.country.clone(), written_rate(self.rate_basis_points), kind.to_owned()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

impl ReportRow for RevenueRow {
    const MEMBERS: &'static [&'static str] =
        &["period", "currency", "orders", "base_amount", "tax_amount", "total_amount"];
    const HEAD: &'static [&'static str] = &["PERIOD", "ORDERS"];

    fn cells(&self) -> Vec<String> {
        vec![self.period.clone(), self.orders.to_string()]
    }

    fn amounts(&self) -> (&str, i64, i64) {
        (&self.currency, self.base_amount, self.tax_amount)
    }
}

/// A rate in basis points: `21%`.
pub fn written_rate(points: i64) -> String {
    let (whole, rest) = (points / 100, format!("{:02}", points % 100));
    match rest.trim_end_matches('0') {
        "" => format!("{whole}%"),
        decimals => format!("{whole}.{decimals}%"),
    }
}

/// The members of each row, and beside those in minor units the same as a decimal number.
pub fn report_csv<R: ReportRow>(rows: &[R]) -> Result<Vec<u8>, ReportCsvError> {
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
    writer.into_inner().map_err(|error| ReportCsvError::Buffer(error.to_string()))
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
            assert_eq!(written_rate(points), shown);
        }
    }
}
