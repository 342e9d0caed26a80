//! `/console`: what needs somebody, how the last days went, and the newest orders.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use stoa_core::db::Db;
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_core::orders::{OrderSearch, count_waiting_orders, search_orders};
use stoa_core::reports::unpaid_orders;
use stoa_core::support_tickets::count_open_tickets;
use stoa_core::webhooks::list_endpoints;
use stoa_core::withdrawals::count_declared_withdrawals;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;
use stoa_kernel::queue::count_lanes;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::list::Table;
use crate::operation::Examined;
use crate::orders;
use crate::page::{ConsoleState, Frame};
use crate::reports::{days_until, plots};

/// How many of the newest orders are shown.
const NEWEST: i64 = 10;

/// How many days are plotted.
const DAYS: u64 = 30;

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
    /// What might wait, and does not.
    quiet: Vec<Waiting>,
    /// Revenue and orders of the last days; none for who may not see any.
    plots: Vec<String>,
    /// What of it is not paid yet.
    unpaid: Vec<String>,
    /// Whether there are none, and the orders; nothing for who may not see any.
    newest: Option<(bool, Table<'a>)>,
}

/// Background work that was given up, by the page that tells why.
const FAILED_WORK: [(&str, &str, &str, &str); 3] = [
    ("webhooks", "webhooks.view", "Webhooks given up", "/webhooks/deliveries?state=dead_letter"),
    ("events", "events.view", "Events given up", "/events?state=failed"),
    ("mail", "mails.view", "Mails given up", "/mails?state=failed"),
];

async fn failed_work(frame: &Frame, db: &Db) -> ApiResult<Vec<Waiting>> {
    let lanes = count_lanes(db).await?;
    let seen = FAILED_WORK.iter().filter(|(_, ability, ..)| frame.staff.may(ability));
    let waiting = seen.map(|(lane, _, label, path)| Waiting {
        number: lanes.iter().find(|counts| counts.lane == *lane).map_or(0, |counts| counts.failed),
        label,
        path: frame.path(path),
        urgent: true,
    });
    Ok(waiting.collect())
}

/// `GET /console`.
pub(crate) async fn show(
    frame: Frame,
    State(state): State<ConsoleState>,
    Uses((db, money, currency)): Uses<(Db, Arc<MoneyFormatter>, Currency)>,
    Uses(examined): Uses<Examined>,
) -> ApiResult<PageResponse> {
    let mut waiting = Vec::new();
    let mut newest = None;
    if !frame.staff.session.has_password {
        // Whoever came by a link needs another one next time.
        let path = frame.path("/security");
        waiting.push(Waiting { number: 1, label: "Password to choose", path, urgent: false });
    }
    if frame.staff.may("orders.view") {
        let waits = count_waiting_orders(&db).await?;
        let mut add = |number, label, path: &str, urgent| {
            waiting.push(Waiting { number, label, path: frame.path(path), urgent });
        };
        add(waits.to_review, "Orders to review", "/orders?review=1", true);
        add(waits.to_pack, "Orders to pack", "/orders?to-pack=1", false);
        add(waits.unpaid, "Orders not paid yet", "/orders?status=pending", false);
        let found = search_orders(&db, &OrderSearch { limit: NEWEST, ..OrderSearch::default() }).await?;
        newest = Some(orders::orders("Newest orders", orders::Buyers::All).of_rows(&frame.staff, &money, &found));
    }
    if frame.staff.may("support.view") {
        let number = count_open_tickets(&db).await?;
        waiting.push(Waiting { number, label: "Support tickets", path: frame.path("/support"), urgent: false });
    }
    if frame.staff.may("withdrawals.view") {
        let number = count_declared_withdrawals(&db).await?;
        let path = frame.path("/withdrawals?status=declared");
        waiting.push(Waiting { number, label: "Withdrawals to decide", path, urgent: true });
    }
    if frame.staff.may("webhooks.view") {
        // What is still tried again is not given up yet.
        let endpoints = list_endpoints(&db).await?;
        let failing = endpoints.iter().filter(|endpoint| endpoint.enabled && endpoint.consecutive_failures > 0).count();
        let number = i64::try_from(failing).unwrap_or(i64::MAX);
        waiting.push(Waiting {
            number,
            label: "Webhook endpoints with errors",
            path: frame.path("/webhooks"),
            urgent: true,
        });
    }
    waiting.extend(failed_work(&frame, &db).await?);
    for waits in frame.waiting().await {
        let path = frame.path(waits.path);
        waiting.push(Waiting { number: waits.number, label: waits.label, path, urgent: true });
    }
    if frame.staff.may("health.view")
        && let Some(number) = state.problems.count(db.now(), examined.problems()).await
    {
        let path = frame.path("/health?problems=1");
        waiting.push(Waiting { number, label: "Health warnings", path, urgent: true });
    }
    let (mut drawn, mut unpaid) = (Vec::new(), Vec::new());
    if frame.staff.may("reports.view") {
        let period = days_until(db.now().date_naive(), DAYS);
        let rows = state.revenue.report(&db, period, currency.code()).await?;
        drawn = plots(&rows, "Day", &money);
        let open = unpaid_orders(&db, period).await?;
        unpaid.extend(open.iter().map(|unpaid| {
            let orders = if unpaid.orders == 1 { "order" } else { "orders" };
            let amount = money.format_in(unpaid.total_amount, &unpaid.currency);
            format!("Not paid yet: {amount}, {} {orders}.", unpaid.orders)
        }));
    }
    let (waiting, quiet) = waiting.into_iter().partition(|one: &Waiting| one.number > 0);
    frame.show(&Today {
        plots: drawn,
        unpaid,
        layout: frame.layout("Today", "today"),
        waiting,
        quiet,
        newest: newest.as_ref().map(|list| (list.rows.is_empty(), Table::of(list, &frame.staff))),
    })
}
