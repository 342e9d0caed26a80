//! A support ticket as it is read, and as the API shows it.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::status::{TicketAuthor, TicketPriority, TicketStatus};

/// A support ticket of the customer: a summary, without its messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "SupportTicket")]
pub struct TicketSummary {
    /// The ticket's id.
    pub id: i64,
    /// What people call it.
    pub number: String,
    /// What it is about.
    pub subject: String,
    /// `open` until the shop answers, then `answered` or, when the customer has replied since, `pending`; `closed` at the
    /// end.
    #[sqlx(try_from = "String")]
    pub status: TicketStatus,
    /// How urgent it is.
    #[sqlx(try_from = "String")]
    pub priority: TicketPriority,
    /// When either side replied last; null while nobody has.
    pub last_reply_at: Option<DateTime<Utc>>,
    /// When it was opened.
    pub created_at: DateTime<Utc>,
}

/// A support ticket with what only the operator sees.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct TicketRecord {
    /// What the customer sees.
    #[sqlx(flatten)]
    pub ticket: TicketSummary,
    /// Whose ticket it is.
    pub customer_id: i64,
    /// Their name.
    pub customer_name: String,
    /// Their e-mail address; none of an anonymized customer.
    pub email: Option<String>,
    /// When it was closed; none while it is not.
    pub closed_at: Option<DateTime<Utc>>,
}

impl TicketRecord {
    /// The ticket as the API shows it, with what else the operator may know.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut shown = serde_json::to_value(&self.ticket)?;
        shown["customer_id"] = self.customer_id.into();
        shown["customer"] = self.email.as_deref().into();
        shown["customer_name"] = self.customer_name.as_str().into();
        shown["closed_at"] = serde_json::to_value(self.closed_at)?;
        Ok(shown)
    }
}

/// A message of a support ticket. The first is what the ticket was opened with, the others are replies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, sqlx::FromRow)]
pub struct TicketMessage {
    /// Who wrote it.
    #[sqlx(try_from = "String")]
    pub author: TicketAuthor,
    /// What was written.
    pub body: String,
    /// When.
    pub created_at: DateTime<Utc>,
}
