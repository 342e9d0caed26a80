//! `/console`: what needs somebody, and the newest orders.

use std::sync::Arc;

use askama::Template;
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{OrderSearch, count_waiting_orders, search_orders};
use stoa_core::support_tickets::count_open_tickets;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::orders::Row;
use crate::page::Frame;

/// How many of the newest orders are shown.
const NEWEST: i64 = 10;

/// Something that waits, and where it is done.
struct Waiting {
    number: i64,
    label: &'static str,
    path: String,
    /// Whether it is more than daily work.
    urgent: bool,
}

#[derive(Template)]
#[template(path = "today.html")]
struct Today {
    layout: Layout,
    waiting: Vec<Waiting>,
    /// None for who may not see orders.
    newest: Option<Vec<Row>>,
}

/// `GET /console`.
pub(crate) async fn show(frame: Frame, db: Db, Uses(money): Uses<Arc<MoneyFormatter>>) -> ApiResult<PageResponse> {
    let mut waiting = Vec::new();
    let mut newest = None;
    if frame.staff.may("orders.view") {
        let orders = count_waiting_orders(&db).await?;
        let mut add = |number, label, path: &str, urgent| {
            waiting.push(Waiting { number, label, path: frame.path(path), urgent });
        };
        add(orders.to_review, "orders to review", "/orders?review=1", true);
        add(orders.to_pack, "orders to pack", "/orders?to-pack=1", false);
        add(orders.unpaid, "orders not paid yet", "/orders?status=pending", false);
        let found = search_orders(&db, &OrderSearch { limit: NEWEST, ..OrderSearch::default() }).await?;
        newest = Some(found.iter().map(|order| Row::of(order, &money, &frame)).collect());
    }
    if frame.staff.may("support.view") {
        let number = count_open_tickets(&db).await?;
        waiting.push(Waiting {
            number,
            label: "support tickets",
            path: frame.path("/support?status=open"),
            urgent: false,
        });
    }
    frame.show(&Today { layout: frame.layout("Today", "today"), waiting, newest })
}
