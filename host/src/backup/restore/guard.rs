//! A second process that finishes a restore when the first one ends, however that comes about.
//!
//! It reads the steps through a pipe. The end of the pipe is the end of the restore: by itself, by an error, or because it
//! was killed. While `psql` replaces a database it holds the pipe as well, and tells by itself that it has committed.

use std::io::{self, BufRead, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use super::journal::{RestoreStep, finish};
use crate::backup::BackupError;
use crate::output::print_remark;

/// The argument with which a program guards a restore.
pub(crate) const ARGUMENT: &str = "restore-guard";

/// What `psql` prints when it has committed: the line of [`Step::Commit`].
pub(in crate::backup) const COMMITTED: &str = "\"commit\"";

/// The guard of a restore that is running.
pub(crate) struct Guard {
    process: Child,
    pipe: Option<ChildStdin>,
}

impl Guard {
    /// Starts this program once more. Signals that a terminal sends to the restore do not reach it.
    pub(crate) fn start(program: &Path) -> Result<Self, BackupError> {
        let mut command = Command::new(program);
        command.arg(ARGUMENT).env_clear().process_group(0).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut process = command.spawn().map_err(BackupError::at(program))?;
        let pipe = process.stdin.take();
        Ok(Self { process, pipe })
    }

    /// Notes a step, before it is taken.
    pub(crate) fn note(&mut self, step: &RestoreStep) -> io::Result<()> {
        let mut line = serde_json::to_vec(step)?;
        line.push(b'\n');
        self.pipe.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.write_all(&line)
    }

    /// The pipe, for a process that may outlive this one.
    pub(in crate::backup) fn pipe(&self) -> io::Result<OwnedFd> {
        self.pipe.as_ref().ok_or(io::ErrorKind::BrokenPipe)?.as_fd().try_clone_to_owned()
    }

    /// Has the restore finished, and returns when it is.
    pub(crate) fn end(mut self) {
        self.pipe.take();
        if let Err(error) = self.process.wait() {
            print_remark(&format!("stoa: the restore may not be cleaned up: {error}"));
        }
    }
}

/// Reads steps until nobody is left who could take any, and finishes the restore.
pub(crate) fn watch(pipe: impl BufRead) {
    // `psql` prints other things too.
    let steps = pipe.split(b'\n').map_while(Result::ok).filter_map(|line| serde_json::from_slice(&line).ok());
    finish(&steps.collect::<Vec<RestoreStep>>());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_psql_prints_is_the_commit() {
        assert_eq!(serde_json::to_string(&RestoreStep::Commit).expect("it is written"), COMMITTED);
    }

    #[test]
    fn other_lines_are_left_out_and_a_line_that_was_cut_is_no_step() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        for file in [&one, &other] {
            std::fs::write(file, "").expect("the folder is ours");
        }
        let line = |path: &Path| {
            serde_json::to_string(&RestoreStep::MakeTemporary(path.to_path_buf())).expect("it is written")
        };
        let cut = line(&other);
        let text = format!(" set_config \n------------\n\n(1 row)\n{}\n{}", line(&one), &cut[..cut.len() - 2]);
        watch(text.as_bytes());
        assert_eq!((one.exists(), other.exists()), (false, true));
    }
}
