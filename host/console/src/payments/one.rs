//! One payment: its attempts, its refunds, and what the providers told about it.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;
use stoa_core::from_shop;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{OrderAttempt, OrderNumber, OrderRefund, details_of};
use stoa_core::payments::{Payments, callbacks_of, find_payment, reconcile_order};
use stoa_kernel::console::{Cell, List};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::callbacks::callbacks;
use crate::layout::Layout;
use crate::list::Table;
use crate::page::{Frame, Named};
use crate::show::{Badge, Time};

from_shop! {
    /// What the page works with.
    pub(super) struct Desk {
        money: Arc<MoneyFormatter>,
        payments: Payments,
    }
}

#[derive(Template)]
#[template(path = "payment.html")]
struct Page<'a> {
    layout: Layout,
    path: String,
    order: String,
    order_path: String,
    status: Badge,
    facts: Vec<(&'static str, String)>,
    paid: Option<Time>,
    attempts: Option<Table<'a>>,
    refunds: Option<Table<'a>>,
    callbacks: Option<Table<'a>>,
    may_ask: bool,
    problem: Option<String>,
}

/// `GET /console/payments/{number}`.
pub(super) async fn show(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<OrderNumber>,
) -> ApiResult<PageResponse> {
    shown(&frame, &desk, number, None).await
}

async fn shown(
    frame: &Frame,
    Desk { money, payments }: &Desk,
    number: OrderNumber,
    problem: Option<String>,
) -> ApiResult<PageResponse> {
    let db = &payments.db;
    let payment = find_payment(db, number.id()).await?.ok_or_else(ApiError::not_found)?;
    let details = details_of(db, number.id()).await?;
    let is_open = details.attempts.iter().any(|attempt| matches!(attempt.status.as_str(), "pending" | "processing"));
    let told = callbacks_of(db, number.id()).await?;
    let attempts = attempts().of_rows(&frame.staff, money, &details.attempts);
    let refunds = refunds().of_rows(&frame.staff, money, &details.refunds);
    let callbacks = callbacks("Callbacks").of_rows(&frame.staff, money, &told);
    let amount = |amount: i64| money.format_in(amount, &payment.currency);
    let nonzero = |of: i64| (of != 0).then(|| amount(of));
    let facts = [
        ("Amount", Some(amount(payment.amount))),
        ("Refunded", nonzero(payment.refunded_amount)),
        ("Being refunded", nonzero(payment.refunding_amount)),
        ("Gateway", payment.gateway.as_deref().map(|id| frame.gateways.of(id))),
    ];
    let shown = |list| Table::of(list, &frame.staff);
    let page = Page {
        layout: frame.layout(format!("Payment of {number}"), "payments"),
        path: frame.path(&format!("/payments/{number}")),
        order: number.to_string(),
        order_path: frame.path(&format!("/orders/{number}")),
        status: Badge::of(payment.status.as_str()),
        facts: facts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect(),
        paid: payment.paid_at.map(Time::of),
        attempts: (!attempts.rows.is_empty()).then(|| shown(&attempts)),
        refunds: (!refunds.rows.is_empty()).then(|| shown(&refunds)),
        callbacks: (!callbacks.rows.is_empty()).then(|| shown(&callbacks)),
        may_ask: is_open && frame.staff.may("payments.retry"),
        problem,
    };
    frame.show_as(if page.problem.is_some() { StatusCode::BAD_GATEWAY } else { StatusCode::OK }, &page)
}

fn attempts() -> List<OrderAttempt> {
    List::new("Attempts", |attempt: &OrderAttempt| attempt.id)
        .column("Gateway", |attempt| {
            Cell::from(&attempt.gateway).over(attempt.gateway_attempt_id.clone().map(Cell::Code))
        })
        .column("Begun", |attempt| attempt.created_at)
        .column("State", |attempt| Cell::state(&attempt.status))
        .column("Asked again", |attempt| attempt.next_check_at)
        .column("Error", |attempt| attempt.last_error.clone().map(Cell::Code))
        .number("Amount", |attempt| Cell::money(attempt.amount, &attempt.currency))
}

fn refunds() -> List<OrderRefund> {
    List::new("Refunds", |refund: &OrderRefund| refund.id)
        .column("Gateway", |refund| Cell::from(&refund.gateway))
        .column("Begun", |refund| refund.created_at)
        .column("State", |refund| Cell::state(&refund.status))
        .column("Reason", |refund| Cell::from(&refund.reason))
        .column("Error", |refund| refund.last_error.clone().map(Cell::Code))
        .number("Amount", |refund| Cell::money(refund.amount, &refund.currency))
}

/// `POST /console/payments/{number}`: asks the provider now what became of the open attempt.
pub(super) async fn ask(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<OrderNumber>,
) -> ApiResult<PageResponse> {
    find_payment(&desk.payments.db, number.id()).await?.ok_or_else(ApiError::not_found)?;
    let told = match reconcile_order(&desk.payments, number.id()).await? {
        None => String::from("No attempt is open."),
        Some(asked) => match asked.error {
            Some(error) => {
                let told =
                    format!("{} did not say what became of it: {error}. It is asked again later.", asked.gateway);
                return shown(&frame, &desk, number, Some(told)).await;
            }
            None if asked.before == asked.after => format!("{} says: still {}.", asked.gateway, asked.after.as_str()),
            None => format!("{} says: {}, no longer {}.", asked.gateway, asked.after.as_str(), asked.before.as_str()),
        },
    };
    Ok(frame.done(&format!("/payments/{number}"), &told))
}
