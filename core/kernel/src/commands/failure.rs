//! How a command ends when it does not succeed.

use std::error::Error;
use std::fmt;

use crate::error_chain;

/// Why a command failed; the text is for the operator and goes to standard error.
///
/// Every error converts with `?` and is an operation that failed, told with all its causes.
#[derive(Debug)]
pub enum Failure {
    /// The operation failed: exit code 1.
    Operation(String),
    /// Wrong usage or configuration: exit code 2.
    Usage(String),
    /// Everything was said already: exit code 1.
    Said,
}

impl Failure {
    /// An operation that failed. Say what was expected and what mends it.
    pub fn operation(text: impl Into<String>) -> Self {
        Self::Operation(text.into())
    }

    /// Wrong usage or configuration.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::Usage(text.into())
    }

    /// The exit code (contract 1).
    pub fn code(&self) -> u8 {
        match self {
            Self::Operation(_) | Self::Said => 1,
            Self::Usage(_) => 2,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operation(text) | Self::Usage(text) => f.write_str(text),
            Self::Said => Ok(()),
        }
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Operation(error_chain(&error))
    }
}
