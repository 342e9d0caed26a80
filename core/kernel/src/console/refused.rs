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

/// A reason such as `the ticket is void` as a sentence of its own. An address at its beginning stays as it is.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::console::sentence;
///
/// assert_eq!(sentence("the ticket is void"), "The ticket is void.");
/// assert_eq!(sentence("ada@example.com works here already"), "ada@example.com works here already.");
/// ```
pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let is_address = text.split_whitespace().next().is_some_and(|word| word.contains(['@', '/']));
    let first =
        letters.next().map(|first| if is_address { first.to_string() } else { first.to_uppercase().to_string() });
    let first = first.unwrap_or_default();
    let end = if text.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}
