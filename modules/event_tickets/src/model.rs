//! Tickets as they are kept and as they are shown.

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use serde_json::Value;
use stoa_core::prelude::*;

/// How numbers of tickets begin.
const PREFIX: &str = "ET-";

/// The number of the ticket with this id.
pub(crate) fn number(id: i64) -> String {
    format!("{PREFIX}{id:06}")
}

/// The id that a number stands for, however it is written.
pub(crate) fn id_of(number: &str) -> Option<i64> {
    let start = number.get(..PREFIX.len())?;
    let digits = number.get(PREFIX.len()..)?;
    let is_number = start.eq_ignore_ascii_case(PREFIX) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|id| is_number && *id > 0)
}

/// What became of a ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EventTicketStatus")]
pub enum TicketStatus {
    /// It admits its holder.
    Issued,
    /// It was used.
    CheckedIn,
    /// It was refunded, or made void by the shop.
    Void,
}

impl TicketStatus {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Issued, Self::CheckedIn, Self::Void];

    /// As it is kept and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Issued => "issued",
            Self::CheckedIn => "checked_in",
            Self::Void => "void",
        }
    }
}

impl TryFrom<String> for TicketStatus {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|status| status.as_str() == text);
        found.ok_or_else(|| format!("`{text}` is no status of a ticket that was issued"))
    }
}

/// What the clock of a place shows at a time.
pub(crate) fn clock_of_place(time: DateTime<Utc>, offset_minutes: i64) -> NaiveDateTime {
    time.naive_utc() + TimeDelta::minutes(offset_minutes)
}

/// A ticket that was issued, with its event and type.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct TicketRow {
    pub(crate) id: i64,
    pub(crate) token: String,
    #[sqlx(try_from = "String")]
    pub(crate) status: TicketStatus,
    pub(crate) holder: Option<String>,
    pub(crate) seat: Option<String>,
    pub(crate) qr: String,
    pub(crate) checked_in_at: Option<DateTime<Utc>>,
    pub(crate) gate: Option<String>,
    pub(crate) issued_at: DateTime<Utc>,
    pub(crate) voided_at: Option<DateTime<Utc>>,
    pub(crate) void_reason: Option<String>,
    pub(crate) order_id: i64,
    pub(crate) order_line_id: i64,
    pub(crate) unit: i64,
    pub(crate) customer_id: i64,
    pub(crate) ticket_type: String,
    pub(crate) event_id: i64,
    pub(crate) event: String,
    pub(crate) event_slug: String,
    pub(crate) venue: String,
    pub(crate) starts_at: DateTime<Utc>,
    pub(crate) ends_at: Option<DateTime<Utc>>,
    pub(crate) utc_offset_minutes: i64,
    /// The name of whoever has bought it.
    pub(crate) buyer: Option<String>,
}

impl TicketRow {
    /// The name to ask for at the door: the holder's, or the buyer's where no holder was named.
    pub(crate) fn name(&self) -> &str {
        self.holder.as_deref().or(self.buyer.as_deref()).unwrap_or_default()
    }
}

/// A ticket as its customer sees it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "EventTicket")]
pub(crate) struct TicketResource {
    /// The ticket's number.
    number: String,
    /// The ticket's token, which its path is made of.
    token: String,
    /// What became of it.
    status: TicketStatus,
    /// The event's name.
    event: String,
    /// The event's name in commands and codes.
    event_slug: String,
    /// Where it takes place; empty when that is not told.
    venue: String,
    /// When it begins.
    starts_at: DateTime<Utc>,
    /// When it begins, by the clock of the place.
    starts_at_local: NaiveDateTime,
    /// When it ends; null when that is not told.
    ends_at: Option<DateTime<Utc>>,
    /// What the ticket is called.
    ticket_type: String,
    /// Whom it is for; null when that was not asked.
    holder: Option<String>,
    /// The seat; null without numbered seats.
    seat: Option<String>,
    /// When it was used; null until then.
    checked_in_at: Option<DateTime<Utc>>,
    /// When it became void; null until then.
    voided_at: Option<DateTime<Utc>>,
    /// The signed text to show as a QR code.
    qr: String,
    /// The order that it was bought with.
    order_id: i64,
}

impl From<TicketRow> for TicketResource {
    fn from(row: TicketRow) -> Self {
        Self {
            number: number(row.id),
            token: row.token,
            status: row.status,
            event: row.event,
            event_slug: row.event_slug,
            venue: row.venue,
            starts_at: row.starts_at,
            starts_at_local: clock_of_place(row.starts_at, row.utc_offset_minutes),
            ends_at: row.ends_at,
            ticket_type: row.ticket_type,
            holder: row.holder,
            seat: row.seat,
            checked_in_at: row.checked_in_at,
            voided_at: row.voided_at,
            qr: row.qr,
            order_id: row.order_id,
        }
    }
}

/// A ticket as an operator sees it: with what customers are not told.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct OperatorTicket {
    #[serde(flatten)]
    ticket: TicketResource,
    #[serde(flatten)]
    listed: OperatorMembers,
}

#[derive(Debug, Clone, Serialize)]
struct OperatorMembers {
    customer_id: i64,
    #[serde(rename = "order_item_id")]
    order_line_id: i64,
    /// Which of the item's units, as `stoa order refund --unit` takes it.
    unit: i64,
    issued_at: DateTime<Utc>,
    gate: Option<String>,
    void_reason: Option<String>,
}

impl From<TicketRow> for OperatorTicket {
    fn from(row: TicketRow) -> Self {
        let listed = OperatorMembers {
            customer_id: row.customer_id,
            order_line_id: row.order_line_id,
            unit: row.unit,
            issued_at: row.issued_at,
            gate: row.gate.clone(),
            void_reason: row.void_reason.clone(),
        };
        Self { ticket: row.into(), listed }
    }
}

/// A ticket in a list for operators: without token and code, which admit whoever has them.
pub(crate) fn listed(row: TicketRow) -> Result<Value, serde_json::Error> {
    let mut listed = serde_json::to_value(OperatorTicket::from(row))?;
    if let Some(members) = listed.as_object_mut() {
        members.retain(|name, _| !["token", "qr"].contains(&name.as_str()));
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_stands_for_an_id() {
        assert_eq!(number(42), "ET-000042");
        assert_eq!(number(12_345_678), "ET-12345678");
        for text in ["ET-000042", "et-42"] {
            assert_eq!(id_of(text), Some(42));
        }
        for text in ["42", "ET-", "ET-0", "ET--1", "ET-+1", "ET-99999999999999999999", "€", "ET-1€", ""] {
            assert_eq!(id_of(text), None, "{text}");
        }
    }
}
