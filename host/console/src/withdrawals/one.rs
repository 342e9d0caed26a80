//! One withdrawal: what was declared, what it is worth, and what the shop says.

use std::sync::Arc;

use askama::Template;
use http::StatusCode;
use stoa_core::db::{Db, Reader};
use stoa_core::from_shop;
use stoa_core::mail::Mailer;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::find_order;
use stoa_core::payments::Payments;
use stoa_core::refunds::{Refunds, ReserveRefundError};
use stoa_core::withdrawals::{
    MAX_REFUSAL, WithdrawalChangeError, WithdrawalNumber, WithdrawalRecord, WithdrawalStatus, find_withdrawal,
    preview_withdrawal,
};
use stoa_kernel::console::sentence;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use crate::filled::Filled;
use crate::layout::Layout;
use crate::page::{Frame, Named};
use crate::show::{Badge, Time};

from_shop! {
    /// What every act works with.
    pub(super) struct Desk {
        pub(super) db: Db,
        pub(super) money: Arc<MoneyFormatter>,
        pub(super) mailer: Mailer,
        pub(super) payments: Payments,
        pub(super) refunds: Refunds,
    }
}

/// What goes back for it.
struct Worth {
    amount: String,
    lines: Vec<String>,
}

#[derive(Template)]
#[template(path = "withdrawal.html")]
#[expect(clippy::struct_excessive_bools, reason = "each is so or not, by itself")]
struct Page {
    layout: Layout,
    path: String,
    number: String,
    order: String,
    order_path: String,
    status: Badge,
    is_late: bool,
    declared: Time,
    deadline: Option<Time>,
    decided: Option<Time>,
    completed: Option<Time>,
    customer: Option<String>,
    lines: Vec<(i64, String)>,
    excluded: Vec<String>,
    statement: Vec<String>,
    refusal: Option<String>,
    /// What would go back, or why nothing would.
    worth: Option<Result<Worth, String>>,
    is_declared: bool,
    is_accepted: bool,
    may_decide: bool,
    max_reason: usize,
    form: Filled,
    problem: Option<String>,
}

/// What the page says besides the withdrawal.
#[derive(Default)]
pub(super) struct Told {
    pub(super) problem: Option<(StatusCode, String)>,
    pub(super) form: Filled,
}

/// `GET /console/withdrawals/{number}`.
pub(super) async fn show(
    frame: Frame,
    Uses(desk): Uses<Desk>,
    Named(number): Named<WithdrawalNumber>,
) -> ApiResult<PageResponse> {
    shown(&frame, &desk, number, Told::default()).await
}

pub(super) async fn shown(frame: &Frame, desk: &Desk, number: WithdrawalNumber, told: Told) -> ApiResult<PageResponse> {
    let found = find_withdrawal(&mut Reader::from(&desk.db), number).await?;
    let record = found.ok_or_else(ApiError::not_found)?;
    let worth = worth(desk, &record, number).await?;
    let is_refused = !told.form.problems.is_empty();
    let status = told.problem.as_ref().map(|problem| problem.0);
    let status = status.or_else(|| is_refused.then_some(StatusCode::UNPROCESSABLE_ENTITY));
    let excluded = excluded(desk, &record).await?;
    let withdrawal = record.withdrawal;
    let page = Page {
        layout: frame.layout(format!("Withdrawal {}", withdrawal.number), "withdrawals"),
        path: frame.path(&format!("/withdrawals/{number}")),
        order_path: frame.path(&format!("/orders/{}", withdrawal.order_number)),
        status: Badge::of(withdrawal.status.as_str()),
        is_late: !withdrawal.within_period,
        declared: Time::of(withdrawal.declared_at),
        deadline: withdrawal.deadline.map(Time::of),
        decided: record.decided_at.map(Time::of),
        completed: record.completed_at.map(Time::of),
        customer: record.customer_email,
        excluded,
        lines: withdrawal.lines.iter().map(|line| (line.quantity, line.label.clone())).collect(),
        statement: withdrawal.statement.iter().flat_map(|text| text.lines()).map(str::to_owned).collect(),
        refusal: withdrawal.refusal_reason,
        worth,
        is_declared: withdrawal.status == WithdrawalStatus::Declared,
        is_accepted: withdrawal.status == WithdrawalStatus::Accepted,
        may_decide: frame.staff.may("withdrawals.decide"),
        max_reason: MAX_REFUSAL,
        form: told.form,
        problem: told.problem.map(|problem| problem.1),
        number: withdrawal.number,
        order: withdrawal.order_number,
    };
    match status {
        Some(refused) => frame.show_refused(refused, &page),
        None => frame.show(&page),
    }
}

/// What the customer cannot withdraw from, and why. Nothing of it needs to be among what was declared.
async fn excluded(desk: &Desk, record: &WithdrawalRecord) -> ApiResult<Vec<String>> {
    let units = &record.withdrawal.excluded;
    if units.is_empty() {
        return Ok(Vec::new());
    }
    let order = find_order(&desk.db, &desk.money, record.withdrawal.order_id).await?;
    let order = order.ok_or_else(ApiError::not_found)?.order;
    let excluded = order.items.iter().flat_map(|item| {
        units
            .iter()
            .filter(|units| units.item_id == item.id)
            .map(|units| format!("{} × {}: {}", units.quantity, item.label, units.reason.as_str().replace('_', " ")))
    });
    Ok(excluded.collect())
}

/// What would go back for a withdrawal that is not over, or why nothing would.
async fn worth(
    desk: &Desk,
    record: &WithdrawalRecord,
    number: WithdrawalNumber,
) -> ApiResult<Option<Result<Worth, String>>> {
    if !matches!(record.withdrawal.status, WithdrawalStatus::Declared | WithdrawalStatus::Accepted) {
        return Ok(None);
    }
    let preview = match preview_withdrawal(&desk.refunds, number).await {
        Ok(preview) => preview,
        Err(WithdrawalChangeError::Db(error) | WithdrawalChangeError::Reserve(ReserveRefundError::Db(error))) => {
            return Err(error.into());
        }
        Err(WithdrawalChangeError::Reserve(ReserveRefundError::NotPaid)) => {
            let told = match record.withdrawal.status {
                WithdrawalStatus::Declared => "Nothing was paid for it. Accepting it cancels the order.",
                _ => "Nothing was paid for it.",
            };
            return Ok(Some(Err(told.to_owned())));
        }
        Err(error) => return Ok(Some(Err(sentence(&error.to_string())))),
    };
    let labels = &record.withdrawal.lines;
    let line =
        |id: i64| labels.iter().find(|line| line.item_id == id).map_or("what else was charged", |line| &line.label);
    let mut lines = Vec::new();
    for part in &preview.lines {
        lines.push(format!(
            "{} × {}: {}",
            part.units.len().max(1),
            line(part.order_line_id),
            desk.money.format(part.amount)
        ));
    }
    if preview.shipping_amount > 0 {
        lines.push(format!("Shipping: {}", desk.money.format(preview.shipping_amount)));
    }
    Ok(Some(Ok(Worth { amount: desk.money.format(preview.amount), lines })))
}
