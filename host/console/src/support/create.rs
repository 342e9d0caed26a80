//! A ticket that the operator opens in the name of a customer, who has called or written.

use askama::Template;
use http::StatusCode;
use stoa_core::customers::{find_account, find_account_by_email, find_guest_by_email};
use stoa_core::db::Db;
use stoa_core::support_tickets::{
    CreateTicketError, NewTicket, TicketPriority, create_ticket, stored_body, stored_subject,
};
use stoa_kernel::console::StaffForm;
use stoa_kernel::http::error::ApiResult;
use stoa_pages::answer::PageResponse;

use crate::filled::Filled;
use crate::layout::Layout;
use crate::page::Frame;

#[derive(Template)]
#[template(path = "ticket_new.html")]
struct Page {
    layout: Layout,
    form: Filled,
    priorities: Vec<&'static str>,
    priority: String,
}

fn page(frame: &Frame, form: Filled) -> Page {
    let chosen = Some(form.value("priority")).filter(|text| !text.is_empty());
    let priority = chosen.unwrap_or(TicketPriority::Normal.as_str()).to_owned();
    let priorities = TicketPriority::ALL.iter().map(|priority| priority.as_str()).collect();
    Page { layout: frame.layout("Create ticket", "support"), form, priorities, priority }
}

/// `GET /console/support/new`.
pub(super) async fn show(frame: Frame) -> ApiResult<PageResponse> {
    let customer = frame.query.get("customer").to_owned();
    frame.show(&page(&frame, Filled::with([("customer", customer)])))
}

/// `POST /console/support/new`.
pub(super) async fn create(frame: Frame, db: Db, form: StaffForm) -> ApiResult<PageResponse> {
    let mut filled = Filled::of(&form);
    let text = |name: &str| form.get(name).unwrap_or_default();
    let customer_id = filled.take("customer", customer(&db, text("customer")).await?);
    let subject = filled.take("subject", stored_subject(text("subject")).ok_or("A subject has 1 to 255 characters."));
    let body = filled.take("body", stored_body(text("body")).ok_or("A message has 1 to 10,000 characters."));
    let priority = TicketPriority::try_from(text("priority").to_owned()).unwrap_or(TicketPriority::Normal);
    let (Some(customer_id), Some(subject), Some(body)) = (customer_id, subject, body) else {
        return frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page(&frame, filled));
    };
    match create_ticket(&db, &NewTicket { customer_id, subject, body, priority, language: None }).await {
        Ok(record) => Ok(frame.done(&format!("/support/{}", record.ticket.number), "The ticket is open.")),
        Err(CreateTicketError::Db(error)) => Err(error.into()),
        Err(error) => {
            filled.refuse("customer", stoa_kernel::console::sentence(&error.to_string()));
            frame.show_as(StatusCode::UNPROCESSABLE_ENTITY, &page(&frame, filled))
        }
    }
}

/// The id of a customer who is named by id or e-mail address.
async fn customer(db: &Db, text: &str) -> ApiResult<Result<i64, &'static str>> {
    let found = match text.parse::<i64>() {
        Ok(id) => find_account(db, id).await?,
        Err(_) => match find_account_by_email(db, text).await? {
            Some(account) => Some(account),
            None => find_guest_by_email(db, text).await?,
        },
    };
    let found = found.filter(|account| account.anonymized_at.is_none());
    Ok(found
        .map(|account| account.id)
        .ok_or("There is no such customer: enter an id, or the e-mail address of an account or an order."))
}
