//! Files that commands write for operators: as a whole, or not at all.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::failure::{Failure, in_words};

/// A file that is being written.
pub(crate) struct WrittenFile {
    path: PathBuf,
    content: Content,
    over: Over,
}

/// What becomes of a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// It is replaced.
    Replace,
    /// It is kept, and nothing is written; `--force` is named as the way to replace it.
    Keep,
}

enum Content {
    /// Beside its place and for its owner only, until it is kept: a failure leaves no half of a file.
    Beside(BufWriter<NamedTempFile>),
    /// A device or a pipe, into whose place no file is put.
    Stream(BufWriter<File>),
}

impl WrittenFile {
    /// Begins to write over whatever is there. The error names the file and why it cannot be written.
    pub(crate) fn begin(path: &Path) -> Result<Self, Failure> {
        Self::begin_over(path, Over::Replace)
    }

    /// The same, with a choice about a file that is there.
    pub(crate) fn begin_over(path: &Path, over: Over) -> Result<Self, Failure> {
        let cannot = |reason: String| cannot_write(path, &reason);
        // A link stays, and leads to what is written: `/dev/stdout` is one.
        let target = if path.is_symlink() { fs::canonicalize(path).ok() } else { None };
        let path = target.as_deref().unwrap_or(path);
        let content = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(cannot(String::from("this is a directory; give the file in it")));
            }
            Ok(found) if found.is_file() && over == Over::Keep => return Err(cannot(String::from(THERE))),
            Ok(found) if !found.is_file() => {
                let stream = OpenOptions::new().write(true).open(path).map_err(|error| cannot(in_words(&error)))?;
                Content::Stream(BufWriter::new(stream))
            }
            _ => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                if !folder.is_dir() {
                    return Err(cannot(format!("there is no folder {}", folder.display())));
                }
                // The whole error would name a file of which nobody has heard.
                let beside = tempfile::Builder::new().prefix(".stoa-").tempfile_in(folder);
                Content::Beside(BufWriter::new(
                    beside.map_err(|error| cannot(in_words(&io::Error::from(error.kind()))))?,
                ))
            }
        };
        Ok(Self { path: path.to_path_buf(), content, over })
    }

    /// Where what was written so far can be read, before it is in its place.
    pub(crate) fn draft(&mut self) -> Result<PathBuf, Failure> {
        self.flush().map_err(|error| self.failed(&error))?;
        Ok(match &self.content {
            Content::Beside(beside) => beside.get_ref().path().to_path_buf(),
            Content::Stream(_) => self.path.clone(),
        })
    }

    /// Puts what was written into its place.
    pub(crate) fn persist(mut self) -> Result<(), Failure> {
        let path = self.path.clone();
        let cannot = |error: io::Error| cannot_write(&path, &in_words(&error));
        self.flush().map_err(cannot)?;
        if let Content::Beside(beside) = self.content {
            let beside = beside.into_inner().map_err(|error| cannot(error.into_error()))?;
            match self.over {
                Over::Replace => beside.persist(&self.path).map_err(|error| cannot(error.error))?,
                Over::Keep => beside.persist_noclobber(&self.path).map_err(|error| match error.error.kind() {
                    io::ErrorKind::AlreadyExists => cannot_write(&path, &THERE),
                    _ => cannot(error.error),
                })?,
            };
        }
        Ok(())
    }

    /// What to say when a write fails.
    pub(crate) fn failed(&self, error: &io::Error) -> Failure {
        cannot_write(&self.path, &in_words(error))
    }
}

const THERE: &str = "it is there already; `--force` writes over it";

fn cannot_write(path: &Path, reason: &dyn Display) -> Failure {
    Failure::operation(format!("cannot write {}: {reason}", path.display()))
}

impl Write for WrittenFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.content {
            Content::Beside(beside) => beside.write(bytes),
            Content::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.content {
            Content::Beside(beside) => beside.flush(),
            Content::Stream(stream) => stream.flush(),
        }
    }
}
