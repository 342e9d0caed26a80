//! `/support-tickets`: summaries of the customer's own support tickets.

use serde_json::{Value, json};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::ListDb;
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Customer, Id};
use stoa_kernel::http::page::{PageRequest, Paged, example_page};
use stoa_kernel::http::table::{Routes, routes};

use super::model::TicketSummary;
use super::read;

pub(super) fn ticket_routes() -> Routes<()> {
    routes()
        .get("support-tickets.index", "/support-tickets", index)
        .summary("List own support tickets")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/support-tickets", &example()))
        .ability("tickets.read")
        .get("support-tickets.show", "/support-tickets/{ticket}", show)
        .summary("Read the summary of an own support ticket")
        .path_parameter("The id of an own support ticket, not its number.", "42")
        .description("What was written in it is not part of the API.")
        .example(|| json!({"data": example()}))
        .ability("tickets.read")
}

fn example() -> Value {
    json!({
        "id": 42, "number": "T-000042", "subject": "The lamp flickers", "status": "answered", "priority": "normal",
        "last_reply_at": "2026-03-01T11:20:00Z", "created_at": "2026-03-01T10:00:00Z",
    })
}

async fn index(customer: Customer, db: ListDb, page: PageRequest) -> ApiResult<Paged<TicketSummary>> {
    let (tickets, total) = read::page_of_tickets(&db, customer.id, page.limit(), page.offset()).await?;
    Ok(page.answer(tickets, total))
}

async fn show(customer: Customer, db: ListDb, Id(id): Id) -> ApiResult<Data<TicketSummary>> {
    let ticket = read::find_own_ticket(&db, customer.id, id).await?;
    Ok(Data(ticket.ok_or_else(ApiError::not_found)?))
}
