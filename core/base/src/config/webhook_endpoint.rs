//! What an endpoint of webhooks is, what it can subscribe to, and what can sign for it.

use serde::Deserialize;

/// The types of events, in the order of S6.2.
pub const EVENT_TYPES: [&str; 8] = [
    "order.created",
    "order.paid",
    "order.cancelled",
    "order.shipped",
    "payment.recorded",
    "refund.recorded",
    "credit_note.issued",
    "withdrawal.declared",
];

/// Longest secret of an operator's own, in characters.
const MAX_LENGTH: usize = 255;

/// What a destination understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndpointKind {
    /// A program: it receives the envelope of S6.3.
    Http,
    /// A chat: it receives a message for people.
    Chat,
}

impl EndpointKind {
    /// The lower-case word of the configuration, the database and `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Chat => "chat",
        }
    }
}

impl TryFrom<String> for EndpointKind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "http" => Ok(Self::Http),
            "chat" => Ok(Self::Chat),
            _ => Err(format!("`{word}` is no kind of endpoint")),
        }
    }
}

/// Whether a text can be a secret: it must survive being copied from one place to another.
pub fn is_usable_secret(text: &str) -> bool {
    !text.trim().is_empty()
        && text.trim() == text
        && text.chars().count() <= MAX_LENGTH
        && !text.chars().any(char::is_control)
}
