//! The files of a folder that goes into a backup.

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::BackupError;
use super::archive::is_harmless;

/// How the names of our own temporary folders start, which a power cut may leave behind.
pub(crate) const TEMPORARY: &str = ".stoa-";

/// How deep folders may lie in each other; more is a link that leads back.
const DEEPEST: usize = 64;

/// All files below a folder with their names in the archive, sorted; none when there is no such folder.
///
/// Links are followed, as the shop follows them when it serves the files.
pub(super) fn list(folder: &Path, prefix: &str) -> Result<Vec<(String, PathBuf)>, BackupError> {
    let mut files = Vec::new();
    collect(folder, prefix, 0, &mut files)?;
    files.sort();
    Ok(files)
}

/// The same for a folder of a module, without what is on its way: names that end in `#` and digits.
pub(super) fn list_finished(folder: &Path, prefix: &str) -> Result<Vec<(String, PathBuf)>, BackupError> {
    let is_unfinished = |name: &str| {
        let number = name.rsplit_once('#').map(|(_, number)| number);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    Ok(list(folder, prefix)?.into_iter().filter(|(name, _)| !is_unfinished(name)).collect())
}

fn collect(folder: &Path, prefix: &str, depth: usize, files: &mut Vec<(String, PathBuf)>) -> Result<(), BackupError> {
    if depth > DEEPEST {
        return Err(BackupError(format!("{}: the folders lie too deep; does a link lead back?", folder.display())));
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(BackupError::at(folder)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(BackupError::at(folder))?;
        let path = entry.path();
        let name = entry.file_name();
        if depth == 0 && name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes()) {
            continue;
        }
        let name = name.to_str().filter(|name| is_harmless(name));
        let name =
            name.ok_or_else(|| BackupError(format!("{}: a name that is no text; rename the file", path.display())))?;
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            // Removed in this moment, or a link to nothing: the shop cannot serve it either.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(BackupError::at(&path)(error)),
        };
        if metadata.is_dir() {
            collect(&path, &format!("{prefix}{name}/"), depth + 1, files)?;
        } else if metadata.is_file() {
            files.push((format!("{prefix}{name}"), path));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        list(folder, "media/").expect("the folder can be read").into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn files_of_all_folders_are_listed_in_order() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("b/c")).unwrap();
        fs::create_dir_all(folder.path().join(".stoa-restore-1")).unwrap();
        for file in ["z.svg", "b/c/d e.png", "b/.hidden", ".stoa-restore-1/x"] {
            fs::write(folder.path().join(file), file).unwrap();
        }
        assert_eq!(names(folder.path()), ["media/b/.hidden", "media/b/c/d e.png", "media/z.svg"]);
    }

    #[test]
    fn what_is_on_its_way_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["a", "a#1", "b#23", "c#", "d#x", "#4"] {
            fs::write(folder.path().join(file), file).unwrap();
        }
        let listed = list_finished(folder.path(), "x/").expect("the folder can be read");
        let names = listed.into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names, ["x/a", "x/c#", "x/d#x"]);
    }

    #[test]
    fn links_are_followed_and_links_to_nothing_left_out() {
        let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(elsewhere.path().join("a.svg"), "a").unwrap();
        symlink(elsewhere.path(), folder.path().join("linked")).unwrap();
        symlink("nothing", folder.path().join("broken.svg")).unwrap();
        assert_eq!(names(folder.path()), ["media/linked/a.svg"]);
    }

    #[test]
    fn a_link_that_leads_back_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        symlink(folder.path(), folder.path().join("round")).unwrap();
        list(folder.path(), "media/").expect_err("there is no end");
    }

    #[test]
    fn a_name_that_is_no_text_is_an_error_that_names_the_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9.svg")), "").unwrap();
        let refused = list(folder.path(), "media/").expect_err("it cannot be named in the archive").to_string();
        assert!(refused.contains("caf"), "{refused}");
    }

    #[test]
    fn a_folder_that_is_missing_has_no_files() {
        assert!(names(Path::new("/nonexistent/media")).is_empty());
    }
}
