//! What stands in a place of a list, with its kind, so that a page shows it and a spreadsheet reads it.

use chrono::{DateTime, NaiveDate, Utc};

use super::row_act::with_values;
use crate::money::{Currency, MoneyFormatter, format_decimal_amount};

/// What a list says of a row in one column.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Cell {
    /// Nothing.
    #[default]
    Empty,
    /// Text, as it was written.
    Text(String),
    /// Something that machines have written, such as an error or JSON.
    Code(String),
    /// Several things, a line each.
    Lines(Vec<String>),
    /// A number.
    Number(i64),
    /// An amount in minor units.
    Money {
        /// The amount.
        amount: i64,
        /// Its currency; the shop's without one.
        currency: Option<String>,
    },
    /// A moment.
    Time(DateTime<Utc>),
    /// A day.
    Day(NaiveDate),
    /// A state such as `paid`, which has the same colour everywhere.
    State(String),
    /// A way to another page of the console.
    Link {
        /// What is read.
        text: String,
        /// The page, such as `/orders/12`.
        path: String,
    },
    /// Something with a picture beside it: an address below the shop's, and what stands there.
    Pictured(String, Box<Self>),
    /// Two things, one below the other, the second less important.
    Two(Box<Self>, Box<Self>),
}

impl Cell {
    /// An amount in minor units of a currency.
    pub fn money(amount: i64, currency: impl Into<String>) -> Self {
        Self::Money { amount, currency: Some(currency.into()) }
    }

    /// A state such as `paid`.
    pub fn state(state: impl Into<String>) -> Self {
        Self::State(state.into())
    }

    /// A way to another page of the console, such as `/orders/12`.
    pub fn link(text: impl Into<String>, path: impl Into<String>) -> Self {
        Self::Link { text: text.into(), path: path.into() }
    }

    /// A way to a list of the console, narrowed by values.
    pub fn list<'a>(
        text: impl Into<String>,
        path: &str,
        values: impl IntoIterator<Item = (&'static str, &'a str)>,
    ) -> Self {
        Self::link(text, with_values(path, values))
    }

    /// Has a picture stand beside it, if there is one.
    #[must_use]
    pub fn pictured(self, picture: Option<String>) -> Self {
        match picture {
            Some(picture) => Self::Pictured(picture, Box::new(self)),
            None => self,
        }
    }

    /// Has something less important stand below.
    #[must_use]
    pub fn over(self, below: impl Into<Self>) -> Self {
        match below.into() {
            Self::Empty => self,
            below => Self::Two(Box::new(self), Box::new(below)),
        }
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        matches!(self, Self::Empty)
    }

    /// Such as spreadsheets read it: amounts with a point, times by ISO 8601. What would be run as a formula is text.
    pub(super) fn exported(&self, money: &MoneyFormatter) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) | Self::Code(text) | Self::State(text) | Self::Link { text, .. } => as_text(text),
            Self::Lines(lines) => as_text(&lines.join("; ")),
            Self::Number(number) => number.to_string(),
            Self::Money { amount, currency } => decimal(*amount, currency.as_deref(), money),
            Self::Time(time) => time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
            Self::Day(day) => day.to_string(),
            Self::Pictured(_, cell) => cell.exported(money),
            Self::Two(above, below) => {
                let both = [above.exported(money), below.exported(money)];
                both.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

fn decimal(amount: i64, currency: Option<&str>, money: &MoneyFormatter) -> String {
    match currency.map(Currency::from_code) {
        None => money.decimal(amount),
        Some(Ok(currency)) => format_decimal_amount(amount, currency),
        Some(Err(_)) => amount.to_string(),
    }
}

/// Text that no spreadsheet takes for a formula (OWASP, CSV injection).
fn as_text(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<i64> for Cell {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<DateTime<Utc>> for Cell {
    fn from(time: DateTime<Utc>) -> Self {
        Self::Time(time)
    }
}

impl From<NaiveDate> for Cell {
    fn from(day: NaiveDate) -> Self {
        Self::Day(day)
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map(Into::into).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euros() -> MoneyFormatter {
        MoneyFormatter::new("de", Currency::from_code("EUR").unwrap()).unwrap()
    }

    #[test]
    fn a_spreadsheet_gets_numbers_and_no_formula() {
        let exported = |cell: Cell| cell.exported(&euros());
        assert_eq!(exported(Cell::Money { amount: -1250, currency: None }), "-12.50");
        assert_eq!(exported(Cell::money(500, "JPY")), "500");
        assert_eq!(exported(Cell::from("=HYPERLINK(\"x\")")), "'=HYPERLINK(\"x\")");
        assert_eq!(exported(Cell::from("@SUM(A1)")), "'@SUM(A1)");
        assert_eq!(exported(Cell::from(-3_i64)), "-3");
        assert_eq!(exported(Cell::from("Ada").over("ada@example.com")), "Ada ada@example.com");
        assert_eq!(exported(Cell::from("Ada").over(Cell::Empty)), "Ada");
        assert_eq!(exported(Cell::from(None::<i64>)), "");
    }
}
