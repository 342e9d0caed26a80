//! How a command ends when it does not succeed.

use std::process::ExitCode;

pub(crate) use stoa_core::commands::Failure;

/// The exit code of a command that failed (contract 1).
pub(crate) fn exit_code(failure: &Failure) -> ExitCode {
    ExitCode::from(failure.code())
}
