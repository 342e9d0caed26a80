//! What a customer has withdrawn from, on the page of the order: whoever packs must not miss it.

use stoa_core::db::Db;
use stoa_core::orders::OrderNumber;
use stoa_core::withdrawals::{WithdrawalRecord, WithdrawalSearch, WithdrawalStatus, search_withdrawals};
use stoa_kernel::http::error::ApiResult;

use super::one::joined;
use crate::page::Frame;
use crate::show::Badge;

/// More withdrawals of an order than are told.
const MOST: i64 = 20;

/// A withdrawal that is not settled.
pub(super) struct Withdrawn {
    pub(super) number: String,
    /// Its page, for who may open it.
    pub(super) path: Option<String>,
    pub(super) status: Badge,
    pub(super) content: String,
}

/// The withdrawals from an order that still have to be decided or carried out, the newest first.
pub(super) async fn withdrawn_from(frame: &Frame, db: &Db, order: OrderNumber) -> ApiResult<Vec<Withdrawn>> {
    let search = WithdrawalSearch { text: Some(order.to_string()), limit: MOST, ..WithdrawalSearch::default() };
    let found = search_withdrawals(db, &search).await?;
    let is_open = |record: &WithdrawalRecord| match record.withdrawal.status {
        WithdrawalStatus::Declared | WithdrawalStatus::Accepted => true,
        WithdrawalStatus::Refused | WithdrawalStatus::Completed => false,
    };
    let may_open = frame.staff.may("withdrawals.view");
    let withdrawn = |record: WithdrawalRecord| {
        let withdrawal = record.withdrawal;
        Withdrawn {
            path: may_open.then(|| frame.path(&format!("/withdrawals/{}", withdrawal.number))),
            status: Badge::of(withdrawal.status.as_str()),
            content: joined(withdrawal.lines.iter().map(|line| format!("{} × {}", line.quantity, line.label))),
            number: withdrawal.number,
        }
    };
    Ok(found.into_iter().filter(is_open).map(withdrawn).collect())
}
