//! Finding and running PostgreSQL's programs.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::process::{Command, Stdio};

use stoa_core::config::PostgresUrl;

use super::libpq;
use crate::backup::BackupError;

/// PostgreSQL's programs, ready to work on one database.
pub(in crate::backup) struct ClientPrograms {
    variables: Vec<(OsString, OsString)>,
    connection: Vec<(&'static str, String)>,
}

impl ClientPrograms {
    /// The programs on the search path of these environment variables, for this database.
    pub(in crate::backup) fn new(variables: &[(OsString, OsString)], url: &PostgresUrl) -> Self {
        Self { variables: variables.to_vec(), connection: libpq::variables(url) }
    }

    /// A program that is to be run. It never asks for a password, since nobody may be there.
    pub(super) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(name);
        command.env_clear().envs(self.variables.iter().map(|(name, value)| (name, value)));
        // Messages are shown and must be understood by whoever reads ours.
        command.envs(self.connection.iter().map(|(name, value)| (name, value))).env("LC_MESSAGES", "C");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Refuses a program that is missing, or older than what it has to deal with. Both versions are such as 170002.
    pub(super) fn require(&self, name: &str, needed: i64) -> Result<(), BackupError> {
        let output = self.command(name).arg("--version").stdout(Stdio::piped()).output();
        let needed = needed / 10_000;
        let advice = format!("install the client programs of PostgreSQL {needed} (Debian: postgresql-client-{needed})");
        let output = output.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => BackupError(format!(
                "the program `{name}` is not on the search path (PATH), and a PostgreSQL database needs it; {advice}"
            )),
            _ => BackupError(format!("the program `{name}` cannot be run: {error}")),
        })?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        match major_version(&text) {
            Some(found) if found < needed => Err(BackupError(format!(
                "the program `{name}` is of PostgreSQL {found}, which is older than the server's {needed}; {advice}"
            ))),
            Some(_) => Ok(()),
            None => Err(BackupError(format!("the program `{name}` does not tell its version; {advice}"))),
        }
    }
}

/// The first number of `pg_dump (PostgreSQL) 15.4 (Debian 15.4-2)`, or of `17beta1`.
fn major_version(text: &str) -> Option<i64> {
    let version = text.split(") ").nth(1)?;
    let digits = version.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

/// What a program complains about, which goes into a file so that neither side waits for the other.
pub(super) struct Complaints {
    file: File,
}

impl Complaints {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile()? })
    }

    /// For [`Command::stderr`].
    pub(super) fn collect(&self) -> io::Result<Stdio> {
        Ok(self.file.try_clone()?.into())
    }

    /// What was said, in one line.
    pub(super) fn text(mut self) -> String {
        let mut bytes = Vec::new();
        let read = self.file.rewind().and_then(|()| self.file.read_to_end(&mut bytes));
        if let Err(error) = read {
            return error.to_string();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>();
        if lines.is_empty() { String::from("it gave no reason") } else { lines.join("; ") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_the_programs_print_them() {
        for (text, version) in [
            ("pg_dump (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n", Some(15)),
            ("psql (PostgreSQL) 17beta1", Some(17)),
            ("pg_dump (PostgreSQL) 9.6.24", Some(9)),
            ("pg_dump", None),
            ("pg_dump (PostgreSQL) devel", None),
            ("", None),
        ] {
            assert_eq!(major_version(text), version, "{text}");
        }
    }
}
