//! Where the crate goes, and which `stoa-core` it is compiled against.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::manifest::{self, CoreSource, PACKAGE};
use crate::environment::Environment;
use crate::failure::Failure;

/// The surroundings of a new crate.
pub(super) struct CrateSurroundings {
    /// Where `stoa-core` comes from.
    pub(super) core: CoreSource,
}

impl CrateSurroundings {
    /// Looks around the folder: it may lie in the workspace of Stoa itself, or anywhere.
    pub(super) fn find(folder: &Path, stoa: Option<&Path>, environment: &Environment) -> Result<Self, Failure> {
        if let Some(stoa) = stoa {
            if !is_checkout(stoa) {
                return Err(Failure::usage(format!(
                    "`--stoa {}` is no checkout of Stoa: there is no core/Cargo.toml of `{PACKAGE}` in it",
                    stoa.display()
                )));
            }
            let core = if folder.starts_with(stoa) {
                CoreSource::Workspace(stoa.to_owned())
            } else {
                CoreSource::Checkout(shown_path(folder, stoa))
            };
            return Ok(Self { core });
        }
        if let Some(root) = checkout_around(folder) {
            return Ok(Self { core: CoreSource::Workspace(root) });
        }
        let executable = environment.executable.as_deref().and_then(checkout_around);
        let core = match checkout_around(&environment.working_directory).or(executable) {
            Some(root) => CoreSource::Checkout(shown_path(folder, &root)),
            None => manifest::published(),
        };
        Ok(Self { core })
    }
}

/// The nearest folder above that is a checkout of Stoa.
fn checkout_around(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| is_checkout(folder)).map(Path::to_owned)
}

fn is_checkout(folder: &Path) -> bool {
    let manifest = fs::read_to_string(folder.join("core").join("Cargo.toml")).unwrap_or_default();
    let name = format!("name = \"{PACKAGE}\"");
    manifest.lines().any(|line| line.trim() == name)
}

/// A path without `.` and `..`, from the working directory on.
pub(super) fn absolute(from: &Path, path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in from.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    whole
}

/// A path as a manifest in `from` names it: relative for neighbors, so that both can be moved together.
pub(super) fn shown_path(from: &Path, to: &Path) -> String {
    // Neighbors share more than the root and the first folder in it.
    if shared(from, to) < 3 { to.display().to_string() } else { relative(from, to) }
}

fn shared(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).count()
}

/// A path from one folder to another.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let shared = shared(from, to);
    let up = from.components().skip(shared).map(|_| OsStr::new(".."));
    let path = up.chain(to.components().skip(shared).map(Component::as_os_str)).collect::<PathBuf>();
    path.display().to_string()
}

/// Refuses a folder that holds something.
pub(super) fn refuse_filled(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(true) => Err(Failure::operation(format!(
            "{} is there and not empty; nothing was written. Name a new folder with `--dir`",
            folder.display()
        ))),
        Err(error) => Err(failed("look into the folder", folder, &error)),
    }
}

/// Writes all files.
pub(super) fn write(folder: &Path, files: &[(&str, String)]) -> Result<(), Failure> {
    for (name, text) in files {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| failed("make the folder", parent, &error))?;
        // Somebody else may have written into the folder since it was looked at.
        let written = fs::File::create_new(&path).and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| failed("write", &path, &error))?;
    }
    Ok(())
}

fn failed(what: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::operation(format!("cannot {what} {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_are_named_by_relative_paths() {
        let shown = |from: &str, to: &str| shown_path(Path::new(from), Path::new(to));
        assert_eq!(shown("/home/ada/shop/tea", "/home/ada/stoa/core"), "../../stoa/core");
        assert_eq!(shown("/home/ada/stoa/host", "/home/ada/stoa/modules/tea"), "../modules/tea");
        assert_eq!(shown("/tmp/tea", "/home/ada/stoa/core"), "/home/ada/stoa/core");
    }

    #[test]
    fn dots_are_taken_out_of_paths() {
        assert_eq!(absolute(Path::new("/home/ada"), Path::new("../eve/./tea")), Path::new("/home/eve/tea"));
        assert_eq!(absolute(Path::new("/home/ada"), Path::new("/tmp/tea")), Path::new("/tmp/tea"));
    }
}
