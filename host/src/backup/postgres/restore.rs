//! Putting a dump back with `pg_restore` and `psql`, in one transaction.
//!
//! `pg_restore` could do so by itself, but it only removes what is in the dump: tables that a newer program or a module
//! has added since would be in its way. So it writes a script, and the script goes to `psql` between a `BEGIN` with
//! what clears the schema and a `COMMIT`, which is sent only when all of the script was written.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::program::{ClientPrograms, Complaints};
use crate::backup::BackupError;
use crate::backup::restore::{COMMITTED, Guard};

const CLEAR_SCHEMA: &str = include_str!("clear_schema.sql");

/// The programs, known to be there and new enough.
pub(in crate::backup) struct RestorePrograms(ClientPrograms);

impl RestorePrograms {
    /// Looks for the programs. `dumped` and `server` are the versions of the server that was dumped and of the one that
    /// is restored to.
    pub(in crate::backup) fn find(programs: ClientPrograms, dumped: i64, server: i64) -> Result<Self, BackupError> {
        programs.require("pg_restore", dumped.max(server))?;
        programs.require("psql", server)?;
        Ok(Self(programs))
    }
}

/// Replaces the content of a schema by that of a dump: all of it, or nothing.
pub(in crate::backup) fn restore(
    programs: &RestorePrograms,
    schema: &str,
    dump: &mut dyn Read,
    guard: &Guard,
) -> Result<(), BackupError> {
    let failed = |program: &str, complaints: Complaints| {
        Err(BackupError(format!("the database was left as it was: {program} failed: {}", complaints.text())))
    };
    let (reader_complaints, writer_complaints) = (Complaints::new()?, Complaints::new()?);
    let mut writer = writer(&programs.0, &writer_complaints, guard)?;
    let mut reader = reader(&programs.0, schema, &reader_complaints)?;
    let sql = writer.stdin.take().expect("its standard input is piped");
    let script = reader.stdout.take().expect("its standard output is piped");
    let into_reader = reader.stdin.take().expect("its standard input is piped");
    let (fed, passed) = std::thread::scope(|scope| {
        let passing = scope.spawn(move || pass_on(script, sql));
        let fed = feed(dump, into_reader);
        (fed, passing.join().expect("passing on does not panic"))
    });
    let read = reader.wait()?;
    // When `psql` gave up, the others could not go on either, and its complaint is the reason.
    let Ok(mut sql) = passed else {
        writer.wait()?;
        return failed("psql", writer_complaints);
    };
    if !read.success() {
        // Without a COMMIT, the end of its input undoes everything.
        drop(sql);
        writer.wait()?;
        return failed("pg_restore", reader_complaints);
    }
    let committed = fed.and_then(|()| sql.write_all(format!("\nCOMMIT;\n\\echo '{COMMITTED}'\n").as_bytes()));
    drop(sql);
    let written = writer.wait()?;
    if !written.success() {
        return failed("psql", writer_complaints);
    }
    committed.map_err(|error| BackupError(format!("the database was left as it was: {error}")))
}

/// `psql`, which runs what it reads, ends at the first error, and tells the guard when it has committed.
fn writer(programs: &ClientPrograms, complaints: &Complaints, guard: &Guard) -> Result<Child, BackupError> {
    let mut command = programs.command("psql");
    command.args(["--no-psqlrc", "--quiet", "--no-password", "--set=ON_ERROR_STOP=1", "--file=-"]);
    command.stdin(Stdio::piped()).stdout(guard.pipe()?).stderr(complaints.collect()?);
    command.spawn().map_err(|error| BackupError(format!("psql cannot be run: {error}")))
}

/// `pg_restore`, which turns a dump into a script.
fn reader(programs: &ClientPrograms, schema: &str, complaints: &Complaints) -> Result<Child, BackupError> {
    let mut command = programs.command("pg_restore");
    command.args(["--format=custom", "--no-owner", "--no-privileges", "--exit-on-error", "--file=-"]);
    command.arg(format!("--schema={schema}"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(complaints.collect()?);
    command.spawn().map_err(|error| BackupError(format!("pg_restore cannot be run: {error}")))
}

/// Opens the transaction and sends the script, but not the end.
fn pass_on(mut script: ChildStdout, mut sql: ChildStdin) -> io::Result<ChildStdin> {
    sql.write_all(b"BEGIN;\n")?;
    sql.write_all(CLEAR_SCHEMA.as_bytes())?;
    io::copy(&mut script, &mut sql)?;
    sql.flush()?;
    Ok(sql)
}

/// Sends the dump. A program that ends before is asked for its reason elsewhere.
fn feed(dump: &mut dyn Read, mut into: ChildStdin) -> io::Result<()> {
    match io::copy(dump, &mut into) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => io::copy(dump, &mut io::sink()).map(drop),
        copied => copied.map(drop),
    }
}
