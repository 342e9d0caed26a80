//! `/session/support-tickets`: customers ask, read the answers and reply, on the shop's own pages. The API has summaries alone
//! (S1 rule 9).

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use stoa_kernel::auth::LimitClass;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Db;
use stoa_kernel::http::answer::{Created, Data};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientLanguage, Customer, Id, Input};
use stoa_kernel::http::rules::{Rules, field};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::text;

use super::change::{TicketChangeError, reply_to_ticket};
use super::create::{CreateTicketError, NewTicket, create_ticket};
use super::fields::{MAX_BODY, MAX_SUBJECT};
use super::model::{TicketMessage, TicketSummary};
use super::number::TicketNumber;
use super::read;
use super::status::{TicketAuthor, TicketPriority};

/// Tickets that a customer may have waiting for the shop.
const MOST_OPEN: i64 = 20;

/// The body of `POST /session/support-tickets`.
#[derive(Debug, Deserialize)]
struct QuestionRequest {
    subject: String,
    body: String,
}

impl Input for QuestionRequest {
    const NAME: &'static str = "SupportTicketRequest";

    fn rules() -> Rules {
        Rules::new([
            field("subject").required().string().max(MAX_SUBJECT).describe("What it is about."),
            field("body").required().string().max(MAX_BODY).multiline().describe("The question."),
        ])
    }
}

/// The body of `POST /session/support-tickets/{ticket}/replies`.
#[derive(Debug, Deserialize)]
struct ReplyRequest {
    body: String,
}

impl Input for ReplyRequest {
    const NAME: &'static str = "SupportTicketReplyRequest";

    fn rules() -> Rules {
        Rules::new([field("body").required().string().max(MAX_BODY).multiline().describe("The reply.")])
    }
}

/// A support ticket with what was written in it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SupportTicketConversation")]
struct Conversation {
    #[serde(flatten)]
    ticket: TicketSummary,
    /// What was written, the oldest first.
    messages: Vec<Message>,
}

/// A message of a support ticket.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SupportTicketMessage")]
struct Message {
    /// Whether the shop wrote it, and not the customer.
    is_staff: bool,
    /// What was written.
    body: String,
    /// When.
    created_at: DateTime<Utc>,
}

impl From<TicketMessage> for Message {
    fn from(message: TicketMessage) -> Self {
        let TicketMessage { author, body, created_at } = message;
        Self { is_staff: author == TicketAuthor::Staff, body, created_at }
    }
}

pub(super) fn conversation_routes() -> Routes<()> {
    routes()
        .get("session.support-tickets.show", "/session/support-tickets/{ticket}", show)
        .summary("Read an own support ticket with what was written in it")
        .description("A ticket of somebody else is 404, as one that does not exist.")
        .path_parameter("The id of an own support ticket, not its number.", "42")
        .example(|| json!({"data": example()}))
        .logged_in()
        .post("session.support-tickets.store", "/session/support-tickets", ask)
        .summary("Ask the shop something")
        .description("Guests have no support tickets: 403. With 20 of them waiting for the shop, one more is 409 `too_many_tickets`. Answers are mailed in the language of this request.")
        .body_example(|| json!({"subject": "The lamp flickers", "body": "Since yesterday. What can I do?"}))
        .example(|| json!({"data": example()}))
        .fails_with(&[409])
        .logged_in()
        .limited(LimitClass::Checkout)
        .post("session.support-tickets.reply", "/session/support-tickets/{ticket}/replies", reply)
        .summary("Reply to an own support ticket")
        .path_parameter("The id of an own support ticket, not its number.", "42")
        .description("One that was closed is open again.")
        .body_example(|| json!({"body": "It is the bulb. Thank you!"}))
        .example(|| json!({"data": example()}))
        .logged_in()
        .limited(LimitClass::Checkout)
}

fn example() -> Value {
    json!({
        "id": 42, "number": "T-000042", "subject": "The lamp flickers", "status": "answered", "priority": "normal",
        "last_reply_at": "2026-03-01T11:20:00Z", "created_at": "2026-03-01T10:00:00Z",
        "messages": [
            {"is_staff": false, "body": "Since yesterday. What can I do?", "created_at": "2026-03-01T10:00:00Z"},
            {"is_staff": true, "body": "Please try another bulb.", "created_at": "2026-03-01T11:20:00Z"},
        ],
    })
}

async fn show(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Data<Conversation>> {
    let ticket = own(&db, customer, id).await?;
    conversation(&db, ticket).await
}

async fn ask(
    customer: Customer,
    db: Db,
    ClientLanguage(language): ClientLanguage,
    Body(question): Body<QuestionRequest>,
) -> ApiResult<Created<Data<Conversation>>> {
    if customer.is_guest {
        return Err(ApiError::unauthorized());
    }
    if read::count_waiting(&db, customer.id).await? >= MOST_OPEN {
        return Err(ApiError::conflict(text!("support-tickets-too-many"), "too_many_tickets"));
    }
    let QuestionRequest { subject, body } = question;
    let (priority, language) = (TicketPriority::Normal, Some(language));
    let new = NewTicket { customer_id: customer.id, subject, body, priority, language };
    let created = create_ticket(&db, &new).await.map_err(|error| match error {
        CreateTicketError::Db(error) => error.into(),
        // The rules have let nothing else through, and a customer who is gone is not logged in.
        other => ApiError::internal(other),
    })?;
    Ok(Created(conversation(&db, created.ticket).await?))
}

async fn reply(
    customer: Customer,
    db: Db,
    Id(id): Id,
    Body(ReplyRequest { body }): Body<ReplyRequest>,
) -> ApiResult<Data<Conversation>> {
    own(&db, customer, id).await?;
    let changed = reply_to_ticket(&db, TicketNumber::of(id), TicketAuthor::Customer, &body).await;
    let changed = changed.map_err(|error| match error {
        TicketChangeError::Db(error) => error.into(),
        TicketChangeError::Unknown(_) | TicketChangeError::Anonymized(_) => ApiError::not_found(),
        other => ApiError::internal(other),
    })?;
    conversation(&db, changed.ticket).await
}

async fn own(db: &Db, customer: Customer, id: i64) -> ApiResult<TicketSummary> {
    read::find_own_ticket(db, customer.id, id).await?.ok_or_else(ApiError::not_found)
}

async fn conversation(db: &Db, ticket: TicketSummary) -> ApiResult<Data<Conversation>> {
    let messages = read::conversation_of(db, ticket.id).await?;
    Ok(Data(Conversation { ticket, messages: messages.into_iter().map(Message::from).collect() }))
}
