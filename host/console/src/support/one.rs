//! One ticket: the conversation, and what the shop says next.

use askama::Template;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::support_tickets::{
    MAX_BODY, TicketAuthor, TicketChangeError, TicketMessage, TicketNumber, TicketStatus, close_ticket,
    conversation_of, find_ticket, reopen_ticket, reply_to_ticket,
};
use stoa_kernel::console::{StaffForm, sentence};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_pages::answer::PageResponse;

use crate::filled::Filled;
use crate::layout::Layout;
use crate::page::{Frame, Named};
use crate::show::{Badge, Time};

struct Message {
    at: Time,
    is_ours: bool,
    lines: Vec<String>,
}

impl Message {
    fn of(message: &TicketMessage) -> Self {
        Self {
            at: Time::of(message.created_at),
            is_ours: message.author == TicketAuthor::Staff,
            lines: message.body.lines().map(str::to_owned).collect(),
        }
    }
}

#[derive(Template)]
#[template(path = "ticket.html")]
struct TicketPage {
    layout: Layout,
    path: String,
    number: String,
    subject: String,
    status: Badge,
    priority: String,
    customer: String,
    email: Option<String>,
    /// The customer's page, for who may see it.
    customer_path: Option<String>,
    opened: Time,
    messages: Vec<Message>,
    /// How many messages the form was made from.
    seen: usize,
    is_closed: bool,
    may_reply: bool,
    /// How the customer gets a reply.
    reaches: &'static str,
    max_body: usize,
    form: Filled,
    problem: Option<String>,
}

/// How the customer gets a reply.
fn reaches(frame: &Frame) -> &'static str {
    if frame.sends_mail() {
        "The customer gets it by mail."
    } else {
        "This shop sends no mail: the customer reads it in the account."
    }
}

/// What the page says besides the ticket.
#[derive(Default)]
struct Told {
    problem: Option<(StatusCode, String)>,
    form: Filled,
}

/// `GET /console/support/{number}`.
pub(super) async fn show(frame: Frame, db: Db, Named(number): Named<TicketNumber>) -> ApiResult<PageResponse> {
    shown(&frame, &db, number, Told::default()).await
}

async fn shown(frame: &Frame, db: &Db, number: TicketNumber, told: Told) -> ApiResult<PageResponse> {
    let record = find_ticket(db, number).await?.ok_or_else(ApiError::not_found)?;
    let messages = conversation_of(db, number.id()).await?;
    let status = told.problem.as_ref().map(|problem| problem.0);
    let is_refused = !told.form.problems.is_empty();
    let status = status.or_else(|| is_refused.then_some(StatusCode::UNPROCESSABLE_ENTITY));
    let ticket = record.ticket;
    let customer_path =
        frame.staff.may("customers.view").then(|| frame.path(&format!("/customers/{}", record.customer_id)));
    let page = TicketPage {
        layout: frame.layout(format!("{} {}", ticket.number, ticket.subject), "support"),
        path: frame.path(&format!("/support/{number}")),
        number: ticket.number,
        subject: ticket.subject,
        status: Badge::of(ticket.status.as_str()),
        priority: ticket.priority.as_str().to_owned(),
        customer: record.customer_name,
        customer_path,
        opened: Time::of(ticket.created_at),
        seen: messages.len(),
        messages: messages.iter().map(Message::of).collect(),
        is_closed: ticket.status == TicketStatus::Closed,
        may_reply: frame.staff.may("support.reply") && record.email.is_some(),
        email: record.email,
        reaches: reaches(frame),
        max_body: MAX_BODY,
        form: told.form,
        problem: told.problem.map(|problem| problem.1),
    };
    match status {
        Some(refused) => frame.show_refused(refused, &page),
        None => frame.show(&page),
    }
}

/// `POST /console/support/{number}/reply`.
pub(super) async fn reply(
    frame: Frame,
    db: Db,
    Named(number): Named<TicketNumber>,
    form: StaffForm,
) -> ApiResult<PageResponse> {
    let seen = conversation_of(&db, number.id()).await?.len();
    let mut filled = Filled::of(&form);
    if form.get("seen").and_then(|seen| seen.parse::<usize>().ok()) != Some(seen) {
        let text = "Something was written meanwhile. Nothing was sent: read it, then reply.";
        let problem = Some((StatusCode::CONFLICT, text.to_owned()));
        return shown(&frame, &db, number, Told { problem, form: filled }).await;
    }
    match reply_to_ticket(&db, number, TicketAuthor::Staff, form.get("body").unwrap_or_default()).await {
        Ok(_) => {
            let reaches = reaches(&frame);
            let (open, closed) = (
                format!("The reply is saved. {reaches}"),
                format!("The reply is saved, and the ticket is closed. {reaches}"),
            );
            let outcome = if form.get("close").is_some() {
                close_ticket(&db, number).await.map(|_| closed.as_str())
            } else {
                Ok(open.as_str())
            };
            ended(&frame, &db, number, outcome, Filled::default()).await
        }
        Err(error @ TicketChangeError::Body) => {
            filled.refuse("body", sentence(&error.to_string()));
            shown(&frame, &db, number, Told { problem: None, form: filled }).await
        }
        Err(error) => ended(&frame, &db, number, Err(error), filled).await,
    }
}

/// `POST /console/support/{number}/close`.
pub(super) async fn close(frame: Frame, db: Db, Named(number): Named<TicketNumber>) -> ApiResult<PageResponse> {
    let closed = close_ticket(&db, number).await.map(|_| "The ticket is closed.");
    ended(&frame, &db, number, closed, Filled::default()).await
}

/// `POST /console/support/{number}/reopen`.
pub(super) async fn reopen(frame: Frame, db: Db, Named(number): Named<TicketNumber>) -> ApiResult<PageResponse> {
    let reopened = reopen_ticket(&db, number).await.map(|_| "The ticket is open again.");
    ended(&frame, &db, number, reopened, Filled::default()).await
}

async fn ended(
    frame: &Frame,
    db: &Db,
    number: TicketNumber,
    outcome: Result<&str, TicketChangeError>,
    form: Filled,
) -> ApiResult<PageResponse> {
    match outcome {
        Ok(told) => Ok(frame.done(&format!("/support/{number}"), told)),
        Err(TicketChangeError::Unknown(_)) => Err(ApiError::not_found()),
        Err(TicketChangeError::Db(error)) => Err(error.into()),
        Err(refused) => {
            let problem = Some((StatusCode::CONFLICT, sentence(&refused.to_string())));
            shown(frame, db, number, Told { problem, form }).await
        }
    }
}
