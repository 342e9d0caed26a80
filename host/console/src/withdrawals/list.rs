//! The list of withdrawals, with filters.

use stoa_core::db::ListDb;
use stoa_core::withdrawals::{
    WithdrawalRecord, WithdrawalSearch, WithdrawalStatus, count_withdrawals, search_withdrawals,
};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;

/// `GET /console/withdrawals`.
pub(super) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = WithdrawalSearch {
        text: query.get("q").map(str::to_owned),
        status: query.get("status").and_then(|status| WithdrawalStatus::try_from(status.to_owned()).ok()),
        late: query.is_on("late"),
        ..WithdrawalSearch::default()
    };
    let counted = count_withdrawals(&db, &search).await?;
    let list = List::new("Withdrawals", |record: &WithdrawalRecord| record.withdrawal.id)
        .about("Declared ones wait for you. The money goes back within 14 days.")
        .search("Number, order or e-mail")
        .choice("status", "Status", WithdrawalStatus::ALL.iter().map(|status| status.as_str()))
        .flag("late", "Too late")
        .empty("Nobody has withdrawn from an order.")
        .column("Withdrawal", |record| {
            let number = &record.withdrawal.number;
            let late = (!record.withdrawal.within_period).then(|| Cell::state("late"));
            Cell::link(number, format!("/withdrawals/{number}")).over(late)
        })
        .column("Declared", |record| record.withdrawal.declared_at)
        .column("Order", |record| {
            let number = &record.withdrawal.order_number;
            Cell::link(number, format!("/orders/{number}"))
        })
        .column("Customer", |record| record.customer_email.clone())
        .column("Status", |record| Cell::state(record.withdrawal.status.as_str()))
        .number("Units", |record| record.withdrawal.lines.iter().map(|line| line.quantity).sum::<i64>());
    list.show(query, counted, move |after, limit| {
        let (db, search) = (db.clone(), WithdrawalSearch { after, limit, ..search.clone() });
        async move { search_withdrawals(&db, &search).await }
    })
    .await
}
