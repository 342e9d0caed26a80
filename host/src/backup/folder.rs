//! Putting the files of a backup into a folder.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::BackupError;
use super::archive::Entry;
use super::files::TEMPORARY;
use super::ownership::adopt;
use super::restore::journal::{RestoreStep, make_folder};

/// Who may look into what is restored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rights {
    /// Everybody may read the files, as everybody may over HTTP.
    Everybody,
    /// The owner alone.
    Owner,
}

impl Rights {
    fn of_files(self) -> u32 {
        match self {
            Self::Everybody => 0o644,
            Self::Owner => 0o600,
        }
    }

    /// Makes a folder and those above it that are missing.
    pub(super) fn make_folder(self, folder: &Path) -> io::Result<()> {
        match self {
            Self::Everybody => fs::create_dir_all(folder),
            Self::Owner => DirBuilder::new().recursive(true).mode(0o700).create(folder),
        }
    }

    fn make_parent(self, path: &Path) -> io::Result<()> {
        path.parent().map_or(Ok(()), |parent| self.make_folder(parent))
    }
}

/// The files of a backup on their way into a folder.
///
/// They are unpacked beside those that are there already, on the same disk, so that putting them in their places is only
/// renaming, and can be undone (`restore/journal.rs`). Files that are not in the backup stay.
pub(super) struct FolderRestore {
    folder: PathBuf,
    rights: Rights,
    unpacked: PathBuf,
    /// Where those go that are in the places of the new ones.
    replaced: PathBuf,
    names: Vec<PathBuf>,
}

impl FolderRestore {
    /// Prepares a folder, which is made when it is missing.
    pub(super) fn new(
        folder: &Path,
        rights: Rights,
        note: &mut dyn FnMut(RestoreStep) -> io::Result<()>,
    ) -> Result<Self, BackupError> {
        make_folder(folder, note, |folder| rights.make_folder(folder)).map_err(BackupError::at(folder))?;
        let mut temporary = |kind: &str| {
            let made = tempfile::Builder::new().prefix(&format!("{TEMPORARY}{kind}-")).tempdir_in(folder);
            let made = made.map(TempDir::keep);
            let noted = made.and_then(|path| note(RestoreStep::MakeTemporary(path.clone())).map(|()| path));
            noted.map_err(BackupError::at(folder))
        };
        Ok(Self {
            folder: folder.to_path_buf(),
            rights,
            unpacked: temporary("restore")?,
            replaced: temporary("replaced")?,
            names: Vec::new(),
        })
    }

    /// Unpacks one file.
    pub(super) fn unpack(&mut self, name: &str, entry: &mut Entry<'_>) -> Result<(), BackupError> {
        let path = self.unpacked.join(name);
        let failed = |error| BackupError::at(&self.folder.join(name))(error);
        self.rights.make_parent(&path).map_err(failed)?;
        let mut file = File::create_new(&path).map_err(failed)?;
        io::copy(&mut entry.content, &mut file).map_err(failed)?;
        // The time goes into `Last-Modified`, which browsers have stored.
        file.set_modified(entry.modified).map_err(failed)?;
        file.set_permissions(Permissions::from_mode(self.rights.of_files())).map_err(failed)?;
        file.sync_all().map_err(failed)?;
        adopt(&path, &self.folder).map_err(failed)?;
        self.names.push(PathBuf::from(name));
        Ok(())
    }

    /// Puts all files in their places. When one cannot be, those before it are in theirs, until that is undone.
    pub(super) fn place(&self, note: &mut dyn FnMut(RestoreStep) -> io::Result<()>) -> Result<(), BackupError> {
        let step = RestoreStep::PlaceFiles {
            folder: self.folder.clone(),
            unpacked: self.unpacked.clone(),
            replaced: self.replaced.clone(),
            names: self.names.clone(),
        };
        note(step).map_err(BackupError::at(&self.folder))?;
        self.names
            .iter()
            .try_for_each(|name| self.place_one(name).map_err(|error| BackupError::at(&self.folder.join(name))(error)))
    }

    fn place_one(&self, name: &Path) -> io::Result<()> {
        let (place, aside) = (self.folder.join(name), self.replaced.join(name));
        self.rights.make_parent(&place)?;
        adopt_parents(&place, &self.folder)?;
        match fs::symlink_metadata(&place) {
            Ok(existing) if existing.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => {
                self.rights.make_parent(&aside)?;
                fs::rename(&place, &aside)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        fs::rename(self.unpacked.join(name), &place)
    }
}

/// Gives the folders between a file and `folder` to its owner.
fn adopt_parents(path: &Path, folder: &Path) -> io::Result<()> {
    path.ancestors().skip(1).take_while(|parent| *parent != folder).try_for_each(|parent| adopt(parent, folder))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::backup::restore::journal::finish;

    fn unpack(restore: &mut FolderRestore, name: &str, content: &str) {
        let modified = UNIX_EPOCH + Duration::from_secs(1_700_000_000);
        let mut entry = Entry { name: name.to_owned(), modified, content: &mut content.as_bytes() };
        restore.unpack(name, &mut entry).expect("it can be unpacked");
    }

    fn read(folder: &Path, name: &str) -> Option<String> {
        fs::read_to_string(folder.join(name)).ok()
    }

    /// A folder with `a` and `sub/b`, over which other files of these names are about to be placed, and `new/c`.
    fn prepared() -> (TempDir, FolderRestore, Vec<RestoreStep>) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        fs::write(folder.path().join("a"), "old a").unwrap();
        fs::write(folder.path().join("sub/b"), "old b").unwrap();
        fs::write(folder.path().join("own"), "own").unwrap();
        let mut steps = Vec::new();
        let restore = FolderRestore::new(folder.path(), Rights::Everybody, &mut noting(&mut steps));
        let mut restore = restore.expect("it can be prepared");
        for (name, content) in [("a", "new a"), ("new/c", "new c"), ("sub/b", "new b")] {
            unpack(&mut restore, name, content);
        }
        (folder, restore, steps)
    }

    fn noting(steps: &mut Vec<RestoreStep>) -> impl FnMut(RestoreStep) -> io::Result<()> {
        move |step| {
            steps.push(step);
            Ok(())
        }
    }

    #[test]
    fn nothing_is_changed_before_the_files_are_placed() {
        let (folder, _, steps) = prepared();
        assert_eq!(read(folder.path(), "a").as_deref(), Some("old a"));
        assert_eq!(read(folder.path(), "new/c"), None);
        finish(&steps);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing is left behind");
    }

    #[test]
    fn files_are_replaced_with_their_times_and_others_stay() {
        let (folder, restore, mut steps) = prepared();
        restore.place(&mut noting(&mut steps)).expect("they can be placed");
        steps.push(RestoreStep::Commit);
        finish(&steps);
        for (name, content) in [("a", "new a"), ("new/c", "new c"), ("sub/b", "new b"), ("own", "own")] {
            assert_eq!(read(folder.path(), name).as_deref(), Some(content));
        }
        let modified = fs::metadata(folder.path().join("a")).unwrap().modified().unwrap();
        assert_eq!(modified.duration_since(UNIX_EPOCH).unwrap().as_secs(), 1_700_000_000);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
    }

    #[test]
    fn files_and_folders_of_modules_are_for_their_owner_alone() {
        let above = tempfile::tempdir().unwrap();
        let (folder, mut steps) = (above.path().join("kept/files"), Vec::new());
        let restore = FolderRestore::new(&folder, Rights::Owner, &mut noting(&mut steps));
        let mut restore = restore.expect("it can be prepared");
        unpack(&mut restore, "ab/secret", "content");
        restore.place(&mut noting(&mut steps)).expect("they can be placed");
        let rights = |name: &str| fs::metadata(folder.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((rights(""), rights("ab"), rights("ab/secret")), (0o700, 0o700, 0o600));
        finish(&steps);
        assert!(!above.path().join("kept").exists(), "folders that were missing go again");
    }

    #[test]
    fn what_was_placed_can_be_undone() {
        let (folder, restore, mut steps) = prepared();
        restore.place(&mut noting(&mut steps)).expect("they can be placed");
        finish(&steps);
        assert_eq!(read(folder.path(), "a").as_deref(), Some("old a"));
        assert_eq!(read(folder.path(), "sub/b").as_deref(), Some("old b"));
        assert!(!folder.path().join("new").exists());
    }

    #[test]
    fn a_file_that_cannot_be_placed_leaves_the_others_to_be_undone() {
        let (folder, restore, mut steps) = prepared();
        fs::remove_file(folder.path().join("sub/b")).unwrap();
        fs::create_dir(folder.path().join("sub/b")).unwrap();
        let refused = restore.place(&mut noting(&mut steps)).expect_err("a folder is in its place").to_string();
        assert!(refused.contains("sub/b"), "{refused}");
        finish(&steps);
        assert_eq!(read(folder.path(), "a").as_deref(), Some("old a"));
        assert_eq!(read(folder.path(), "new/c"), None);
        assert!(folder.path().join("sub/b").is_dir());
    }
}
