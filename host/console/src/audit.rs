//! `/console/audit`: who has changed what.

use askama::Template;
use stoa_core::db::Db;
use stoa_core::orders::{Counted, MOST_COUNTED};
use stoa_kernel::audit::{AuditFilter, AuditRow, count_audit, list_audit};
use stoa_kernel::http::error::ApiResult;
use stoa_pages::answer::PageResponse;

use crate::layout::Layout;
use crate::page::Frame;
use crate::paging::Paging;
use crate::show::Time;

/// Rows of a page.
const PER_PAGE: u32 = 50;

struct Row {
    at: Time,
    actor: String,
    address: String,
    act: String,
    subject: String,
    before: String,
    after: String,
}

#[derive(Template)]
#[template(path = "audit.html")]
struct Page {
    layout: Layout,
    subject: String,
    actor: String,
    act: String,
    is_filtered: bool,
    rows: Vec<Row>,
    paging: Paging,
}

/// `GET /console/audit`.
pub(crate) async fn show(frame: Frame, db: Db) -> ApiResult<PageResponse> {
    let query = frame.query();
    let get = |name: &str| query.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let filter = AuditFilter {
        subject: get("subject"),
        actor: get("actor"),
        act: get("act"),
        before_id: get("after").and_then(|id| id.parse().ok()),
        limit: Some(PER_PAGE + 1),
    };
    let mut found = list_audit(&db, &filter).await?;
    let number = count_audit(&db, &filter, MOST_COUNTED + 1).await?;
    let counted = Counted { number: number.min(MOST_COUNTED), more: number > MOST_COUNTED };
    let paging = Paging::of(&frame.path("/audit"), &query, counted, i64::from(PER_PAGE), &mut found, |row| row.id);
    let row = |row: AuditRow| Row {
        at: Time::of(row.at),
        actor: row.actor,
        address: row.address.unwrap_or_default(),
        act: row.act,
        subject: row.subject,
        before: row.before.unwrap_or_default(),
        after: row.after.unwrap_or_default(),
    };
    frame.show(&Page {
        layout: frame.layout("Audit log", "audit"),
        is_filtered: filter.subject.is_some() || filter.actor.is_some() || filter.act.is_some(),
        subject: filter.subject.unwrap_or_default(),
        actor: filter.actor.unwrap_or_default(),
        act: filter.act.unwrap_or_default(),
        rows: found.into_iter().map(row).collect(),
        paging,
    })
}
