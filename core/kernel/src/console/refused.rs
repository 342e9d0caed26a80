//! Why a form was not taken.

use crate::db::DbError;
use crate::http::error::ApiError;

/// Why a form was not taken: a sentence about the whole, or about a field, or an error as the API has it.
#[derive(Debug, Clone)]
pub enum Refused {
    /// What stands against it now.
    Because(String),
    /// What is wrong with a field.
    Field(&'static str, String),
    /// An error of the API, or a failure.
    Failed(ApiError),
}

impl Refused {
    /// What stands against it: a reason such as `the ticket is void`.
    pub fn because(reason: &impl ToString) -> Self {
        Self::Because(sentence(&reason.to_string()))
    }

    /// What is wrong with a field.
    pub fn field(name: &'static str, reason: &impl ToString) -> Self {
        Self::Field(name, sentence(&reason.to_string()))
    }
}

impl From<ApiError> for Refused {
    fn from(error: ApiError) -> Self {
        Self::Failed(error)
    }
}

impl From<DbError> for Refused {
    fn from(error: DbError) -> Self {
        Self::Failed(error.into())
    }
}

/// A reason such as `the ticket is void` as a sentence of its own.
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
