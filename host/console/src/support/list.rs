//! The inbox: tickets that wait for the shop first.

use chrono::{DateTime, Utc};
use stoa_core::db::ListDb;
use stoa_core::support_tickets::{
    TicketPriority, TicketRecord, TicketSearch, TicketStatus, count_tickets, search_tickets,
};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery, RowsWanted};
use stoa_kernel::http::error::ApiResult;

fn last_message(record: &TicketRecord) -> DateTime<Utc> {
    record.ticket.last_reply_at.unwrap_or(record.ticket.created_at)
}

/// Tickets as lists show them.
pub(crate) fn tickets(title: &str) -> List<TicketRecord> {
    List::new(title, |record: &TicketRecord| record.ticket.id)
        .column("Ticket", |record| {
            let number = &record.ticket.number;
            let path = format!("/support/{number}");
            Cell::link(number, path.as_str()).over(Cell::link(record.ticket.subject.as_str(), path))
        })
        .column("Customer", |record| Cell::from(&record.customer_name).over(record.email.as_deref()))
        .column("Status", |record| Cell::state(record.ticket.status.as_str()))
        .column("Priority", |record| {
            let priority = record.ticket.priority;
            (priority != TicketPriority::Normal).then(|| Cell::state(priority.as_str()))
        })
        .column("Last message", last_message)
        .sorted("last", last_message)
}

/// `GET /console/support`.
pub(super) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = TicketSearch {
        text: query.get("q").map(str::to_owned),
        status: query.get("status").and_then(|status| TicketStatus::try_from(status.to_owned()).ok()),
        priority: query.get("priority").and_then(|priority| TicketPriority::try_from(priority.to_owned()).ok()),
        customer_id: query.parsed("customer"),
        ..TicketSearch::default()
    };
    let counted = count_tickets(&db, &search).await?;
    let list = tickets("Support")
        .about("What waits for the shop comes first.")
        .button("support.reply", "Create ticket", "/support/new")
        .search("Number, name or e-mail")
        .choice("status", "Status", TicketStatus::ALL.iter().map(|status| status.as_str()))
        .choice("priority", "Priority", TicketPriority::ALL.iter().map(|priority| priority.as_str()))
        .empty("Nobody has asked anything yet. Tickets appear here as soon as a customer asks, or you create one.");
    list.show_sorted(query, counted, move |RowsWanted { sort, after, limit }| {
        let (db, search) = (db.clone(), TicketSearch { sort, after, limit, ..search.clone() });
        async move { search_tickets(&db, &search).await }
    })
    .await
}
