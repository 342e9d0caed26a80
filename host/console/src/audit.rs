//! `/console/audit`: who has changed what.

use stoa_core::db::ListDb;
use stoa_kernel::audit::{AuditFilter, AuditRow, count_audit, list_audit};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;

/// `GET /console/audit`.
pub(crate) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let text = |name: &str| query.get(name).map(str::to_owned);
    let filter =
        AuditFilter { subject: text("subject"), actor: text("actor"), act: text("act"), ..AuditFilter::default() };
    let counted = count_audit(&db, &filter).await?;
    let list = List::new("Audit log", |row: &AuditRow| row.id)
        .about("What staff and the command line have changed, the newest first.")
        .text("subject", "Subject", "order:12")
        .text("actor", "Who", "staff:ada@example.com")
        .text("act", "Act", "orders or orders.refund")
        .empty("Nothing was changed yet.")
        .column("What", |row| Cell::from(&row.act))
        .column("When", |row| row.at)
        .column("Who", |row| Cell::from(&row.actor).over(row.address.as_deref()))
        .column("Subject", |row| Cell::from(&row.subject))
        .column("Changes", |row| Cell::Lines(row.changes()));
    list.show(query, counted, move |before_id, limit| {
        let (db, filter) = (db.clone(), AuditFilter { before_id, limit: Some(limit), ..filter.clone() });
        async move { list_audit(&db, &filter).await }
    })
    .await
}
