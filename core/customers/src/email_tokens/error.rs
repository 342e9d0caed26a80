//! Why a link does nothing.

use stoa_kernel::auth::PasswordError;
use stoa_kernel::db::DbError;
use stoa_kernel::events::ListenerError;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::i18n::{Message, Violation};

/// Why a link does nothing.
#[derive(Debug, thiserror::Error)]
pub(super) enum UseLinkError {
    /// It is no link: unknown, used, expired, replaced, malformed, or sent to another address.
    #[error("there is no such link")]
    Invalid,
    /// The new password is easily guessed.
    #[error("the password is easily guessed")]
    Guessable,
    /// The new password could not be hashed.
    #[error(transparent)]
    Password(#[from] PasswordError),
    /// A module could not take over what guests with this address have bought.
    #[error(transparent)]
    Claim(#[from] ListenerError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<UseLinkError> for ApiError {
    fn from(error: UseLinkError) -> Self {
        match error {
            UseLinkError::Invalid => Self::invalid_field("token", Message::InvalidLink),
            UseLinkError::Guessable => Self::invalid_field("password", Violation::GuessablePassword.on("password")),
            UseLinkError::Password(error) => error.into(),
            UseLinkError::Claim(error) => error.into(),
            UseLinkError::Db(error) => error.into(),
        }
    }
}
