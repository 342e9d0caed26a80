//! Revenue, orders, tax and products over a period, as plots, tables and files.

use std::sync::Arc;

use askama::Template;
use chrono::{Datelike, NaiveDate};
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_core::reports::{
    Period, RevenueRow, SalesBy, no_finer_than, product_sales_report, revenue_report, sales_report, tax_report,
};
use stoa_kernel::console::PageAddress;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::plots::{month_until, plots};
use super::sheet::{Sheet, file};
use crate::layout::Layout;
use crate::page::Frame;

/// What the steps are called, and how they stand in addresses.
const STEPS: [(&str, &str, SalesBy); 3] =
    [("day", "Day", SalesBy::Day), ("month", "Month", SalesBy::Month), ("year", "Year", SalesBy::Year)];

pub(super) type Desk = (Db, Arc<MoneyFormatter>, Currency);

#[derive(Template)]
#[template(path = "reports.html")]
struct Page {
    layout: Layout,
    path: String,
    from: String,
    to: String,
    steps: Vec<(&'static str, &'static str, bool)>,
    sums: Vec<(&'static str, String)>,
    plots: Vec<String>,
    sheets: Vec<Sheet>,
    problem: Option<String>,
}

/// What was asked for.
struct Asked {
    from: String,
    to: String,
    period: Period,
    by: SalesBy,
    problem: Option<String>,
}

impl Asked {
    fn of(frame: &Frame, today: NaiveDate) -> Self {
        let text = |name: &str| Some(frame.query.get(name)).filter(|text| !text.is_empty());
        let step = STEPS.iter().find(|step| Some(step.0) == text("by"));
        let usual = month_until(today);
        let (from, to) = (text("from"), text("to"));
        let (period, problem) = match read_period(from, to, usual) {
            Ok(period) => (period, None),
            Err(problem) => (usual, Some(problem)),
        };
        let is_wrong = problem.is_some();
        let typed = |text: Option<&str>, day: NaiveDate| match text {
            Some(text) if is_wrong => text.to_owned(),
            _ => day.to_string(),
        };
        Self {
            from: typed(from, period.from()),
            to: typed(to, period.to()),
            by: no_finer_than(period, step.map_or(SalesBy::Day, |step| step.2)),
            period,
            problem,
        }
    }

    /// Where a report is as a file.
    fn csv(&self, path: &str, report: &str) -> String {
        let by = STEPS.iter().find(|step| step.2 == self.by).map_or("day", |step| step.0);
        let address = PageAddress { path: path.to_owned(), query: Vec::new() };
        address.with(&[("from", Some(&self.from)), ("to", Some(&self.to)), ("by", Some(by)), ("format", Some(report))])
    }
}

fn read_period(from: Option<&str>, to: Option<&str>, usual: Period) -> Result<Period, String> {
    let day = |text: Option<&str>, otherwise: NaiveDate| match text {
        None => Ok(otherwise),
        Some(text) => {
            let day = text.parse::<NaiveDate>().ok().filter(|day| (1970..9999).contains(&day.year()));
            day.ok_or_else(|| format!("“{text}” is no day, such as 2026-10-01."))
        }
    };
    let to = day(to, usual.to())?;
    let from = day(from, month_until(to).from())?;
    Period::new(from, to).map_err(|_| String::from("The last day is before the first."))
}

/// `GET /console/reports`.
pub(super) async fn show(frame: Frame, Uses(desk): Uses<Desk>) -> ApiResult<PageResponse> {
    let (db, money, currency) = &desk;
    let asked = Asked::of(&frame, db.now().date_naive());
    let (period, by) = (asked.period, asked.by);
    let revenue = revenue_report(db, period, by, currency.code()).await?;
    match frame.query.get("format") {
        "revenue" => return file("revenue", &revenue),
        "tax" => return file("tax", &tax_report(db, period).await?),
        "products" => return file("products", &product_sales_report(db, period).await?),
        "sales" => return file("sales", &sales_report(db, period, by).await?),
        _ => {}
    }
    let path = frame.path("/reports");
    let csv = |name: &str| asked.csv(&path, name);
    let tax = tax_report(db, period).await?;
    let products = product_sales_report(db, period).await?;
    let sold = revenue.iter().rev().filter(|row| row.orders > 0 || row.total_amount != 0).cloned().collect::<Vec<_>>();
    let sheets = vec![
        Sheet::of("Revenue", "revenue", &sold, csv("revenue"), money),
        Sheet::of("Tax by country and rate", "tax", &tax, csv("tax"), money),
        Sheet::of("Products", "products", &products, csv("products"), money),
        Sheet::of("Sales by country and rate", "sales", &sales_report(db, period, by).await?, csv("sales"), money),
    ];
    let label = STEPS.iter().find(|step| step.2 == by).map_or("Day", |step| step.1);
    let page = Page {
        layout: frame.layout("Reports", "reports"),
        steps: STEPS.iter().map(|step| (step.0, step.1, step.2 == by)).collect(),
        sums: sums(&revenue, money),
        plots: plots(&revenue, label, money),
        sheets,
        path,
        from: asked.from,
        to: asked.to,
        problem: asked.problem,
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    frame.show_as(status, &page)
}

/// What the period comes to, for each currency.
fn sums(rows: &[RevenueRow], money: &MoneyFormatter) -> Vec<(&'static str, String)> {
    let mut sums = Vec::new();
    for of_currency in rows.chunk_by(|one, other| one.currency == other.currency) {
        let Some(first) = of_currency.first() else { continue };
        let sum =
            |amount: fn(&RevenueRow) -> i64| money.format_in(of_currency.iter().map(amount).sum(), &first.currency);
        sums.push(("Net", sum(|row| row.base_amount)));
        sums.push(("Tax", sum(|row| row.tax_amount)));
        sums.push(("Gross", sum(|row| row.total_amount)));
        sums.push(("Orders", of_currency.iter().map(|row| row.orders).sum::<i64>().to_string()));
    }
    sums
}
