//! What an endpoint is.

use serde::Deserialize;

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
