//! What a restore has begun, noted before it is done, so that it can be undone by whoever is left to do so.
//!
//! How far it came is read from the disk: files are only renamed, so each is in one of two places.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::output::print_remark;

/// A step of a restore.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RestoreStep {
    /// A folder is made that was missing.
    MakeFolder(PathBuf),
    /// A file or folder was made that nobody needs when the restore has ended.
    MakeTemporary(PathBuf),
    /// Files are moved from `unpacked` to `folder`, and those in their places to `replaced`.
    PlaceFiles { folder: PathBuf, unpacked: PathBuf, replaced: PathBuf, names: Vec<PathBuf> },
    /// A file is written, and the one in its place kept as `aside`: the key, the configuration.
    WriteFile { file: PathBuf, aside: Option<PathBuf> },
    /// This file takes the place of the database.
    MoveDatabase(PathBuf),
    /// The database was replaced.
    Commit,
}

/// Ends a restore that has taken these steps. Once the database was replaced, only what is temporary is removed; else
/// everything is as it was before. What cannot be undone is told on standard error.
pub(in crate::backup) fn finish(steps: &[RestoreStep]) {
    let is_committed = steps.iter().any(|step| match step {
        RestoreStep::Commit => true,
        RestoreStep::MoveDatabase(unpacked) => !unpacked.exists(),
        RestoreStep::MakeFolder(_)
        | RestoreStep::MakeTemporary(_)
        | RestoreStep::PlaceFiles { .. }
        | RestoreStep::WriteFile { .. } => false,
    });
    for step in steps.iter().rev() {
        match step {
            RestoreStep::MakeTemporary(path) => report_undone(path, remove(path)),
            RestoreStep::MakeFolder(folder) if !is_committed => {
                // Somebody else may use it by now.
                let _ = fs::remove_dir(folder);
            }
            RestoreStep::PlaceFiles { folder, unpacked, replaced, names } if !is_committed => {
                for name in names {
                    let place = folder.join(name);
                    report_undone(&place, take_back(folder, &place, &unpacked.join(name), &replaced.join(name)));
                }
            }
            RestoreStep::WriteFile { file, aside } if !is_committed => {
                report_undone(file, put_file_back(file, aside.as_deref()));
            }
            RestoreStep::MakeFolder(_)
            | RestoreStep::PlaceFiles { .. }
            | RestoreStep::WriteFile { .. }
            | RestoreStep::MoveDatabase(_)
            | RestoreStep::Commit => {}
        }
    }
}

fn report_undone(path: &Path, undone: io::Result<()>) {
    if let Err(error) = undone {
        print_remark(&format!("stoa: {} could not be put back: {error}", path.display()));
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => missing_is_well(error),
    }
}

fn take_back(folder: &Path, place: &Path, unpacked: &Path, aside: &Path) -> io::Result<()> {
    if aside.symlink_metadata().is_ok() {
        return fs::rename(aside, place);
    }
    if unpacked.symlink_metadata().is_ok() {
        return Ok(());
    }
    fs::remove_file(place).or_else(missing_is_well)?;
    // Folders that were made for it; those that hold something stay.
    for parent in place.ancestors().skip(1).take_while(|parent| *parent != folder) {
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
    Ok(())
}

fn put_file_back(file: &Path, aside: Option<&Path>) -> io::Result<()> {
    match aside {
        Some(aside) if aside.exists() => {
            fs::rename(aside, file)?;
            // Two names of one file are left alone by renaming.
            fs::remove_file(aside).or_else(missing_is_well)
        }
        // It was not touched.
        Some(_) => Ok(()),
        None => fs::remove_file(file).or_else(missing_is_well),
    }
}

fn missing_is_well(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

/// Makes a folder and those above it that are missing, as `make` does, and notes each of them.
pub(in crate::backup) fn make_folder(
    folder: &Path,
    note: &mut dyn FnMut(RestoreStep) -> io::Result<()>,
    make: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let missing = folder.ancestors().filter(|above| !above.as_os_str().is_empty() && !above.exists());
    for folder in missing.collect::<Vec<_>>().into_iter().rev() {
        note(RestoreStep::MakeFolder(folder.to_path_buf()))?;
    }
    make(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(folder: &Path) -> RestoreStep {
        let names = ["a", "new/c", "sub/b"].map(PathBuf::from).to_vec();
        RestoreStep::PlaceFiles {
            folder: folder.to_path_buf(),
            unpacked: folder.join("unpacked"),
            replaced: folder.join("replaced"),
            names,
        }
    }

    fn write(folder: &Path, name: &str, content: &str) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it has one")).expect("the folder is ours");
        fs::write(path, content).expect("the folder is ours");
    }

    fn content(folder: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).expect("it is there") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(folder).expect("it is in it").display().to_string();
                    found.push((name, fs::read_to_string(path).expect("it is text")));
                }
            }
        }
        found.sort();
        found
    }

    /// The moves that placing three files consists of; the first is all that is done when it is cut off after one.
    const MOVES: [(&str, &str); 5] = [
        ("a", "replaced/a"),
        ("unpacked/a", "a"),
        ("unpacked/new/c", "new/c"),
        ("sub/b", "replaced/sub/b"),
        ("unpacked/sub/b", "sub/b"),
    ];

    #[test]
    fn files_are_as_they_were_wherever_placing_them_was_cut_off() {
        for done in 0..=MOVES.len() {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let folder = folder.path();
            for (name, text) in [("a", "old a"), ("sub/b", "old b"), ("own", "own")] {
                write(folder, name, text);
            }
            let before = content(folder);
            for (name, text) in [("unpacked/a", "new a"), ("unpacked/new/c", "new c"), ("unpacked/sub/b", "new b")] {
                write(folder, name, text);
            }
            for (from, to) in &MOVES[..done] {
                fs::create_dir_all(folder.join(to).parent().expect("it has one")).expect("the folder is ours");
                fs::rename(folder.join(from), folder.join(to)).expect("the folder is ours");
            }
            let temporary = |name: &str| RestoreStep::MakeTemporary(folder.join(name));
            finish(&[temporary("unpacked"), temporary("replaced"), place(folder)]);
            assert_eq!(content(folder), before, "after {done} moves");
            assert!(!folder.join("new").exists(), "after {done} moves");
        }
    }

    #[test]
    fn once_the_database_was_replaced_only_what_is_temporary_goes() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let folder = folder.path();
        for (name, text) in [("a", "new a"), ("new/c", "new c"), ("replaced/a", "old a"), ("stoa.key", "new key")] {
            write(folder, name, text);
        }
        let key = RestoreStep::WriteFile { file: folder.join("stoa.key"), aside: None };
        let replaced = RestoreStep::MakeTemporary(folder.join("replaced"));
        for committed in [RestoreStep::Commit, RestoreStep::MoveDatabase(folder.join("moved"))] {
            finish(&[replaced.clone(), place(folder), key.clone(), committed]);
            let left = content(folder);
            assert_eq!(left.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>(), ["new a", "new c", "new key"]);
        }
    }

    #[test]
    fn a_key_is_put_back_wherever_replacing_it_was_cut_off() {
        for (file_now, aside_now) in
            [(Some("old"), None), (Some("old"), Some("old")), (None, Some("old")), (Some("new"), Some("old"))]
        {
            let folder = tempfile::tempdir().expect("a temporary folder can be made");
            let (file, aside) = (folder.path().join("key"), folder.path().join("aside"));
            if let Some(text) = aside_now {
                fs::write(&aside, text).expect("the folder is ours");
            }
            match file_now {
                // As it is done: the other name is a link.
                Some("old") if aside_now.is_some() => fs::hard_link(&aside, &file).expect("the folder is ours"),
                Some(text) => fs::write(&file, text).expect("the folder is ours"),
                None => {}
            }
            finish(&[RestoreStep::WriteFile { file, aside: Some(aside) }]);
            assert_eq!(content(folder.path()), [("key".to_owned(), "old".to_owned())], "{file_now:?} {aside_now:?}");
        }
    }
}
