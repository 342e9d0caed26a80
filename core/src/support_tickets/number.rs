//! What people call a support ticket.

use std::fmt;
use std::str::FromStr;

/// What every number begins with.
const PREFIX: &str = "T-";

/// The number of a support ticket, made from its id: `T-000042`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TicketNumber(i64);

impl TicketNumber {
    /// The number of the ticket with this id.
    pub const fn of(ticket_id: i64) -> Self {
        Self(ticket_id)
    }

    /// The ticket's id.
    pub const fn id(self) -> i64 {
        self.0
    }
}

impl fmt::Display for TicketNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{:06}", self.0)
    }
}

/// What was given is neither a ticket's id nor its number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no support ticket: give its id, such as 42, or its number, such as T-000042")]
pub struct NotATicket(String);

impl FromStr for TicketNumber {
    type Err = NotATicket;

    /// Takes an id as well as a number.
    fn from_str(text: &str) -> Result<Self, NotATicket> {
        let upper = text.trim().to_ascii_uppercase();
        let digits = upper.strip_prefix(PREFIX).unwrap_or(&upper);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse::<i64>() {
            Ok(id) if is_number && id > 0 => Ok(Self(id)),
            _ => Err(NotATicket(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_found_by_its_id_and_by_its_number() {
        assert_eq!(TicketNumber::of(42).to_string(), "T-000042");
        for text in ["42", "T-000042", "t-42", " T-000042 "] {
            assert_eq!(text.parse(), Ok(TicketNumber::of(42)), "{text}");
        }
        assert_eq!(TicketNumber::of(12_345_678).to_string().parse(), Ok(TicketNumber::of(12_345_678)));
    }

    #[test]
    fn what_is_neither_is_refused() {
        for text in ["", "T-", "0", "-1", "+1", "1.5", "T-T-1", "O-1", "99999999999999999999"] {
            assert!(text.parse::<TicketNumber>().is_err(), "{text}");
        }
    }
}
