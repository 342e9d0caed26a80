//! Dumping the shop's schema with `pg_dump`.

use std::path::Path;

use stoa_core::db::copy::Exported;

use super::program::{ClientPrograms, Complaints};
use crate::backup::BackupError;

/// Writes a dump of an exported moment into a file.
pub(in crate::backup) fn dump(programs: &ClientPrograms, moment: &Exported, file: &Path) -> Result<(), BackupError> {
    programs.require("pg_dump", moment.server_version)?;
    let complaints = Complaints::new()?;
    let mut command = programs.command("pg_dump");
    command.args(["--format=custom", "--no-password", "--no-owner", "--no-privileges", "--lock-wait-timeout=30s"]);
    command.arg(format!("--snapshot={}", moment.id));
    // A name here is a pattern unless it is quoted.
    command.arg(format!("--schema=\"{}\"", moment.schema.replace('"', "\"\"")));
    command.arg("--file").arg(file).stderr(complaints.collect()?);
    let status = command.status().map_err(|error| BackupError(format!("pg_dump cannot be run: {error}")))?;
    if status.success() { Ok(()) } else { Err(BackupError(format!("pg_dump failed: {}", complaints.text()))) }
}
