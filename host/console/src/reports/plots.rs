//! Revenue and orders as plots.

use chrono::{Datelike, Days, NaiveDate};
use stoa_core::money::MoneyFormatter;
use stoa_core::reports::{Period, RevenueRow};
use stoa_pages::plot::{Bar, Plot};

/// So many days that end with this one.
pub(crate) fn days_until(today: NaiveDate, days: u64) -> Period {
    let first = today.checked_sub_days(Days::new(days.saturating_sub(1))).unwrap_or(today);
    Period::between(first, today)
}

/// The month of a day, up to this day.
pub(super) fn month_until(day: NaiveDate) -> Period {
    days_until(day, day.day().into())
}

/// The plots of rows, two for each currency: revenue and orders.
pub(crate) fn plots(rows: &[RevenueRow], label: &str, money: &MoneyFormatter) -> Vec<String> {
    let mut plots = Vec::new();
    for of_currency in rows.chunk_by(|one, other| one.currency == other.currency) {
        let Some(first) = of_currency.first() else { continue };
        let currency = &first.currency;
        let amount = |amount: i64| money.format_in(amount, currency);
        let bars = bars(of_currency, |row| row.total_amount, amount);
        let told = format!("{} in all", amount(of_currency.iter().map(|row| row.total_amount).sum()));
        plots.push(Plot { title: "Revenue", told: &told, label, bars: &bars }.html(amount));
        let bars = self::bars(of_currency, |row| row.orders, |orders| orders.to_string());
        let told = format!("{} in all", of_currency.iter().map(|row| row.orders).sum::<i64>());
        plots.push(Plot { title: "Orders", told: &told, label, bars: &bars }.html(|orders| orders.to_string()));
    }
    plots
}

fn bars(rows: &[RevenueRow], value: impl Fn(&RevenueRow) -> i64, write: impl Fn(i64) -> String) -> Vec<Bar> {
    let bar = |row: &RevenueRow| {
        let value = value(row);
        Bar { label: row.period.clone(), value, told: write(value) }
    };
    rows.iter().map(bar).collect()
}
