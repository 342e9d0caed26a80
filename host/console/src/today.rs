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
use crate::list::Table;
use crate::orders;
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
struct Today<'a> {
    layout: Layout,
    waiting: Vec<Waiting>,
    /// Whether there are none, and the orders; nothing for who may not see any.
    newest: Option<(bool, Table<'a>)>,
}

/// `GET /console`.
pub(crate) async fn show(frame: Frame, db: Db, Uses(money): Uses<Arc<MoneyFormatter>>) -> ApiResult<PageResponse> {
    let mut waiting = Vec::new();
    let mut newest = None;
    if frame.staff.may("orders.view") {
        let waits = count_waiting_orders(&db).await?;
        let mut add = |number, label, path: &str, urgent| {
            waiting.push(Waiting { number, label, path: frame.path(path), urgent });
        };
        add(waits.to_review, "orders to review", "/orders?review=1", true);
        add(waits.to_pack, "orders to pack", "/orders?to-pack=1", false);
        add(waits.unpaid, "orders not paid yet", "/orders?status=pending", false);
        let found = search_orders(&db, &OrderSearch { limit: NEWEST, ..OrderSearch::default() }).await?;
        newest = Some(orders::orders("Newest orders").of_rows(&frame.staff, &money, &found));
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
    frame.show(&Today {
        layout: frame.layout("Today", "today"),
        waiting,
        newest: newest.as_ref().map(|list| (list.rows.is_empty(), Table::of(list, &frame.staff))),
    })
}
