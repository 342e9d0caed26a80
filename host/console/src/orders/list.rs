//! The list of orders, with search and filters, a page at a time.

use std::sync::Arc;

use askama::Template;
use chrono::{DateTime, Days, NaiveDate, Utc};
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{OrderListed, OrderSearch, OrderStatus, count_orders, search_orders};
use stoa_core::payments::PaymentStatus;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::Frame;
use crate::paging::Paging;
use crate::show::{Badge, Time};

/// Orders of a page.
const PER_PAGE: i64 = 50;

/// An order as lists show it.
pub(crate) struct Row {
    pub(crate) number: String,
    pub(crate) path: String,
    pub(crate) placed: Time,
    pub(crate) customer: String,
    pub(crate) email: String,
    pub(crate) status: Badge,
    pub(crate) payment: Option<Badge>,
    pub(crate) shipping: Option<Badge>,
    pub(crate) review: Option<String>,
    pub(crate) total: String,
}

impl Row {
    pub(crate) fn of(order: &OrderListed, money: &MoneyFormatter, frame: &Frame) -> Self {
        let number = order.number().to_string();
        let shipping = order.fulfillment_status.as_str();
        Self {
            path: frame.path(&format!("/orders/{number}")),
            number,
            placed: Time::of(order.created_at),
            customer: order.customer_name.clone(),
            email: order.customer_email.clone().unwrap_or_default(),
            status: Badge::of(order.status.as_str()),
            payment: order.payment_status.as_deref().map(Badge::of),
            shipping: (shipping != "not_required").then(|| Badge::of(shipping)),
            review: order.review_reason.clone(),
            total: money.format_in(order.total_amount, &order.currency),
        }
    }
}

/// A choice of a filter.
struct Choice {
    value: &'static str,
    label: String,
    chosen: bool,
}

fn choices(all: impl Iterator<Item = &'static str>, chosen: Option<&str>) -> Vec<Choice> {
    all.map(|value| Choice { value, label: value.replace('_', " "), chosen: chosen == Some(value) }).collect()
}

#[derive(Template)]
#[template(path = "orders.html")]
struct Orders {
    layout: Layout,
    search: String,
    statuses: Vec<Choice>,
    payments: Vec<Choice>,
    to_pack: bool,
    review: bool,
    from: String,
    to: String,
    is_filtered: bool,
    rows: Vec<Row>,
    paging: Paging,
}

/// What the query asks for. What cannot be meant is left out.
struct Asked {
    search: OrderSearch,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
}

impl Asked {
    fn of(query: &[(String, String)]) -> Self {
        let get = |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        let date = |name: &str| get(name).and_then(|text| text.parse::<NaiveDate>().ok());
        let begins = |day: NaiveDate| day.and_time(chrono::NaiveTime::MIN).and_utc();
        let (from, to) = (date("from"), date("to"));
        let until: Option<DateTime<Utc>> = to.and_then(|day| day.checked_add_days(Days::new(1))).map(begins);
        let search = OrderSearch {
            text: get("q"),
            status: get("status").and_then(|status| OrderStatus::try_from(status).ok()),
            payment: get("payment").and_then(|status| PaymentStatus::try_from(status).ok()),
            to_pack: get("to-pack").is_some(),
            needs_review: get("review").is_some(),
            from: from.map(begins),
            until,
            customer_id: get("customer").and_then(|id| id.parse().ok()),
            after: get("after").and_then(|id| id.parse().ok()),
            // One more tells whether there is another page.
            limit: PER_PAGE + 1,
        };
        Self { search, from, to }
    }
}

/// `GET /console/orders`.
pub(crate) async fn show(frame: Frame, db: Db, Uses(money): Uses<Arc<MoneyFormatter>>) -> ApiResult<PageResponse> {
    let query = frame.query();
    let Asked { search, from, to } = Asked::of(&query);
    let mut found = search_orders(&db, &search).await?;
    let counted = count_orders(&db, &search).await?;
    let paging = Paging::of(&frame.path("/orders"), &query, counted, PER_PAGE, &mut found, |order| order.id);
    let filters = ["q", "status", "payment", "to-pack", "review", "from", "to", "customer"];
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
    frame.show(&Orders {
        layout: frame.layout("Orders", "orders"),
        search: search.text.clone().unwrap_or_default(),
        statuses: choices(
            OrderStatus::ALL.iter().map(|status| status.as_str()),
            search.status.map(OrderStatus::as_str),
        ),
        payments: choices(
            PaymentStatus::ALL.iter().map(|status| status.as_str()),
            search.payment.map(PaymentStatus::as_str),
        ),
        to_pack: search.to_pack,
        review: search.needs_review,
        from: day(from),
        to: day(to),
        is_filtered: query.iter().any(|(name, _)| filters.contains(&name.as_str())),
        rows: found.iter().map(|order| Row::of(order, &money, &frame)).collect(),
        paging,
    })
}
