//! The files of a new module: those of `examples/guest-book`, under another name.
//!
//! So what is written is compiled, linted and tested with everything else.

use super::manifest::{CoreSource, alone};
use super::name::ModuleName;
use super::place::Place;

macro_rules! template {
    ($($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../../../../examples/guest-book/", $path)))),+]
    };
}

/// The manifest; what it says depends on where the crate is.
const MANIFEST: &str = "Cargo.toml";

/// Paths and texts.
const TEMPLATE: [(&str, &str); 18] = template![
    "Cargo.toml",
    "README.md",
    "build.rs",
    "migrations/postgres/0001_entries.sql",
    "migrations/sqlite/0001_entries.sql",
    "src/command.rs",
    "src/config.rs",
    "src/jobs.rs",
    "src/lib.rs",
    "src/listeners.rs",
    "src/model.rs",
    "src/queries.rs",
    "src/routes.rs",
    "src/watching.rs",
    "tests/module.rs",
    "texts/de.ftl",
    "texts/en.ftl",
    "texts/nl.ftl",
];

/// What a crate that stands alone has besides: the style that Stoa's workspace gives to its members.
const ALONE: [(&str, &str); 3] = [
    (".gitignore", "/target\n"),
    ("clippy.toml", include_str!("../../../../clippy.toml")),
    ("rustfmt.toml", include_str!("../../../../rustfmt.toml")),
];

/// All files of the new crate.
pub(super) fn files(name: &ModuleName, place: &Place) -> Vec<(&'static str, String)> {
    let mut files = TEMPLATE.map(|(path, text)| (path, renamed(text, name))).to_vec();
    if !matches!(place.core, CoreSource::Workspace(_)) {
        for (_, text) in files.iter_mut().filter(|(path, _)| *path == MANIFEST) {
            *text = alone(text, &place.core);
        }
        files.extend(ALONE.map(|(path, text)| (path, text.to_owned())));
    }
    files
}

/// The template's text under the module's name.
fn renamed(text: &str, name: &ModuleName) -> String {
    text.replace("guest_book", name.as_str()).replace("guest-book", &name.dashed()).replace("GuestBook", &name.camel())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    fn example() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/guest-book")
    }

    fn all_files(folder: &Path, prefix: &str, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).expect("it can be read") {
            let entry = entry.expect("it can be read");
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                all_files(&entry.path(), &format!("{path}/"), found);
            } else {
                found.push(path);
            }
        }
    }

    #[test]
    fn the_template_is_the_whole_example() {
        let mut found = Vec::new();
        all_files(&example(), "", &mut found);
        found.sort();
        assert_eq!(found, TEMPLATE.map(|(path, _)| path));
    }

    #[test]
    fn a_module_of_the_examples_name_is_the_example() {
        let place = Place { core: CoreSource::Workspace(PathBuf::from("/stoa")) };
        let files = files(&ModuleName::unchecked("guest_book"), &place);
        for (path, text) in files {
            let there = std::fs::read_to_string(example().join(path)).expect("it can be read");
            assert_eq!(text, there, "{path}");
        }
    }

    #[test]
    fn nothing_of_the_examples_name_is_left() {
        let place = Place { core: CoreSource::Checkout(String::from("../stoa/core")) };
        let files = files(&ModuleName::unchecked("tea"), &place);
        for (path, text) in files {
            assert!(!text.to_lowercase().contains("guest"), "{path}");
        }
    }
}
