//! Scaled copies on disk: a folder that is bounded in size. What is oldest goes first; it is made again when somebody asks.
//!
//! In a bucket they lie beside the pictures, where nobody is asked for room; its server can let go of old ones.

use std::fs::{self, DirEntry};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use tempfile::NamedTempFile;

use super::scale::Copy;

/// The kinds of copies.
const EXTENSIONS: [&str; 3] = ["jpg", "png", "webp"];

/// Copies on disk. Its functions wait for the disk.
pub(super) struct KeptCopies {
    folder: PathBuf,
    most_bytes: u64,
    /// How large all copies are together; counted when that is first asked for.
    bytes: Mutex<Option<u64>>,
}

impl KeptCopies {
    pub(super) fn new(folder: &Path, most_bytes: u64) -> Self {
        Self { folder: folder.to_owned(), most_bytes, bytes: Mutex::new(None) }
    }

    /// The name of a copy that is there.
    pub(super) fn find(&self, key: &str) -> Option<String> {
        let names = EXTENSIONS.iter().map(|extension| name_of(key, extension));
        names.into_iter().find(|name| self.folder.join(name).is_file())
    }

    /// Keeps a copy, and gives its name.
    pub(super) fn put(&self, key: &str, copy: &Copy) -> io::Result<String> {
        let name = name_of(key, copy.extension);
        let path = self.folder.join(&name);
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        // Another process may make the same copy, and nobody may see half of one.
        let mut file = NamedTempFile::new_in(folder)?;
        file.write_all(&copy.content)?;
        file.persist(&path).map_err(|error| error.error)?;
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match *bytes {
            Some(known) => known + u64::try_from(copy.content.len()).unwrap_or(u64::MAX),
            None => self.all().iter().map(|(_, size, _)| size).sum(),
        };
        *bytes = Some(if known > self.most_bytes { self.make_room() } else { known });
        Ok(name)
    }

    /// Deletes the oldest until a tenth is free, and gives what is left, in bytes.
    fn make_room(&self) -> u64 {
        let mut copies = self.all();
        copies.sort();
        let mut left = copies.iter().map(|(_, size, _)| size).sum::<u64>();
        for (_, size, path) in copies {
            if left <= self.most_bytes / 10 * 9 {
                break;
            }
            // Another process may have been quicker.
            if fs::remove_file(path).is_ok() {
                left = left.saturating_sub(size);
            }
        }
        left
    }

    /// All copies: when each was made, its size and where it is.
    fn all(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let shelves = entries(&self.folder);
        let files = shelves.iter().flat_map(|shelf| entries(&shelf.path()));
        let known = files.filter_map(|file| {
            let metadata = file.metadata().ok().filter(fs::Metadata::is_file)?;
            Some((metadata.modified().ok()?, metadata.len(), file.path()))
        });
        known.collect()
    }
}

fn entries(folder: &Path) -> Vec<DirEntry> {
    fs::read_dir(folder).into_iter().flatten().flatten().collect()
}

/// Copies lie in 256 folders, since thousands of files in one are slow.
pub(super) fn name_of(key: &str, extension: &str) -> String {
    format!("{}/{key}.{extension}", key.get(..2).unwrap_or("00"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(size: usize) -> Copy {
        Copy { content: vec![0; size], extension: "jpg" }
    }

    #[test]
    fn the_oldest_copies_make_room() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let kept = KeptCopies::new(folder.path(), 1000);
        for (age, key) in [(3, "aa1"), (2, "bb2"), (1, "cc3")] {
            let name = kept.put(key, &copy(300)).expect("it is kept");
            let file = fs::File::open(folder.path().join(name)).expect("it is there");
            let made = SystemTime::now() - std::time::Duration::from_secs(age * 60);
            file.set_modified(made).expect("its time can be set");
        }
        kept.put("dd4", &copy(300)).expect("it is kept");
        assert_eq!(kept.find("aa1"), None);
        for key in ["bb2", "cc3", "dd4"] {
            assert!(kept.find(key).is_some(), "{key}");
        }
    }

    #[test]
    fn what_an_earlier_process_has_kept_counts() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        KeptCopies::new(folder.path(), 1000).put("aa1", &copy(900)).expect("it is kept");
        let later = KeptCopies::new(folder.path(), 1000);
        assert!(later.find("aa1").is_some());
        later.put("bb2", &copy(900)).expect("it is kept");
        assert_eq!(
            [later.find("aa1").is_some(), later.find("bb2").is_some()].iter().filter(|there| **there).count(),
            1
        );
    }
}
