//! `/console/audit`: who has changed what.

use std::sync::Arc;

use stoa_core::db::ListDb;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::OrderNumber;
use stoa_core::support_tickets::TicketNumber;
use stoa_core::withdrawals::WithdrawalNumber;
use stoa_kernel::audit::{AuditFilter, AuditRow, count_audit, list_audit};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, Staff};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

use crate::catalog::in_address;

/// `GET /console/audit`.
pub(crate) async fn show(
    db: ListDb,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    query: ListQuery,
) -> ApiResult<ConsoleAnswer> {
    let text = |name: &str| query.get(name).map(str::to_owned);
    let subject = query.get("subject").map(subject_of);
    let filter = AuditFilter { subject, actor: text("actor"), act: text("act"), ..AuditFilter::default() };
    let counted = count_audit(&db, &filter).await?;
    let staff = query.asked.staff.clone();
    let list = List::new("Audit log", |row: &AuditRow| row.id)
        .about("What staff and the command line have changed, the newest first.")
        .text("subject", "Subject", "O-000012 or product:lamp")
        .text("actor", "Who", "staff:ada@example.com")
        .text("act", "Act", "orders or orders.refund")
        .empty("Nothing was changed yet.")
        .column("What", |row| Cell::from(&row.act))
        .column("When", |row| row.at)
        .column("Who", |row| Cell::from(&row.actor).over(row.address.as_deref()))
        .column("Subject", move |row| shown_subject(&row.subject, &staff))
        .column("Changes", move |row| Cell::Lines(row.changes(&money)));
    list.show(query, counted, move |before_id, limit| {
        let (db, filter) = (db.clone(), AuditFilter { before_id, limit: Some(limit), ..filter.clone() });
        async move { list_audit(&db, &filter).await }
    })
    .await
}

/// The subject that a number which people know stands for: `order:12` for `O-000012`. Anything else is a subject as it is.
fn subject_of(text: &str) -> String {
    // An id alone does not say of what.
    let is_id = text.parse::<i64>().is_ok();
    let order = text.parse::<OrderNumber>().map(|number| format!("order:{}", number.id()));
    let ticket = || text.parse::<TicketNumber>().map(|number| format!("ticket:{}", number.id()));
    let withdrawal = || text.parse::<WithdrawalNumber>().map(|number| format!("withdrawal:{}", number.id()));
    let found = order.or_else(|_| ticket()).or_else(|_| withdrawal());
    found.ok().filter(|_| !is_id).unwrap_or_else(|| text.to_owned())
}

/// A subject by the number that people know it by, leading to its page for who may open that.
fn shown_subject(subject: &str, staff: &Staff) -> Cell {
    match page_of(subject) {
        Some((name, path, ability)) if staff.may(ability) => Cell::link(name, path),
        Some((name, ..)) => Cell::from(name),
        None => Cell::from(subject),
    }
}

/// What a subject is called, its page, and the ability that opens this; none of what has no page of its own.
fn page_of(subject: &str) -> Option<(String, String, &'static str)> {
    let (kind, key) = subject.split_once(':')?;
    let id = || key.parse::<i64>().ok();
    let as_it_is = subject.to_owned();
    Some(match kind {
        "order" => {
            let number = OrderNumber::of(id()?).to_string();
            (number.clone(), format!("/orders/{number}"), "orders.view")
        }
        "ticket" => {
            let number = TicketNumber::of(id()?).to_string();
            (number.clone(), format!("/support/{number}"), "support.view")
        }
        "withdrawal" => {
            let number = WithdrawalNumber::of(id()?).to_string();
            (number.clone(), format!("/withdrawals/{number}"), "withdrawals.view")
        }
        "customer" => (as_it_is, format!("/customers/{}", id()?), "customers.view"),
        "product" => (as_it_is, format!("/products/{}", in_address(key)), "products.view"),
        "category" => (as_it_is, format!("/categories/{}", in_address(key)), "products.view"),
        "mail" => (as_it_is, format!("/mails/{}", id()?), "mails.view"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::subject_of;

    #[test]
    fn a_number_stands_for_a_subject() {
        for (text, subject) in [
            ("O-000010", "order:10"),
            ("o-10", "order:10"),
            ("T-000002", "ticket:2"),
            ("W-000003", "withdrawal:3"),
            ("order:10", "order:10"),
            ("product:lamp", "product:lamp"),
            ("10", "10"),
        ] {
            assert_eq!(subject_of(text), subject);
        }
    }
}
