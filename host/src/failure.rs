//! How a command ends when it does not succeed.

use std::io::{self, ErrorKind};
use std::process::ExitCode;

pub(crate) use stoa_core::commands::Failure;
pub(crate) use stoa_core::doctor::without_number;

/// The exit code of a command that failed (contract 1).
pub(crate) fn exit_code(failure: &Failure) -> ExitCode {
    ExitCode::from(failure.code())
}

/// Why a file or folder cannot be used, without the system's own numbers.
pub(crate) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => String::from("there is no such file or folder"),
        ErrorKind::PermissionDenied => String::from("the rights of files or folders do not allow it"),
        ErrorKind::IsADirectory => String::from("this is a folder"),
        ErrorKind::NotADirectory => String::from("a part of its path is no folder"),
        ErrorKind::StorageFull => String::from("the disk is full"),
        ErrorKind::QuotaExceeded => String::from("this user may not fill more of the disk"),
        ErrorKind::ReadOnlyFilesystem => String::from("the disk can only be read"),
        _ => without_number(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_put_into_words() {
        let told = |number: i32| in_words(&io::Error::from_raw_os_error(number));
        assert_eq!(told(2), "there is no such file or folder");
        assert_eq!(told(13), "the rights of files or folders do not allow it");
        assert!((1..140).all(|number| !told(number).contains("os error")));
    }
}
