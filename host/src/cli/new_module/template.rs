//! The files of a new module: those of `examples/guest-book`, under another name.
//!
//! So what is written is compiled, linted and tested with everything else. `host/template` links to them, since a package of
//! the host brings the files of its folder only, and none of a folder with a `Cargo.toml` of its own.

use super::manifest::{CoreSource, alone};
use super::name::ModuleName;
use super::surroundings::CrateSurroundings;

macro_rules! template {
    ($($path:literal),+ $(,)?) => {
        [$(($path, include_str!(concat!("../../../template/", $path)))),+]
    };
}

/// The manifest; what it says depends on where the crate is.
const MANIFEST: (&str, &str) = ("Cargo.toml", include_str!("../../../template/manifest.toml"));

/// Paths and texts of all others.
const TEMPLATE: [(&str, &str); 17] = template![
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
    ("clippy.toml", include_str!("../../../template/clippy.toml")),
    ("rustfmt.toml", include_str!("../../../template/rustfmt.toml")),
];

/// All files of the new crate.
pub(super) fn files(name: &ModuleName, surroundings: &CrateSurroundings) -> Vec<(&'static str, String)> {
    let mut files = vec![(MANIFEST.0, renamed(MANIFEST.1, name))];
    files.extend(TEMPLATE.map(|(path, text)| (path, renamed(text, name))));
    if !matches!(surroundings.core, CoreSource::Workspace(_)) {
        files[0].1 = alone(&files[0].1, &surroundings.core);
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
        let template = [MANIFEST].into_iter().chain(TEMPLATE);
        assert_eq!(found, template.map(|(path, _)| path).collect::<Vec<_>>());
    }

    #[test]
    fn a_module_of_the_examples_name_is_the_example() {
        let surroundings = CrateSurroundings { core: CoreSource::Workspace(PathBuf::from("/stoa")) };
        let files = files(&ModuleName::unchecked("guest_book"), &surroundings);
        for (path, text) in files {
            let there = std::fs::read_to_string(example().join(path)).expect("it can be read");
            assert_eq!(text, there, "{path}");
        }
    }

    #[test]
    fn nothing_of_the_examples_name_is_left() {
        let surroundings = CrateSurroundings { core: CoreSource::Checkout(String::from("../stoa/core")) };
        let files = files(&ModuleName::unchecked("tea"), &surroundings);
        for (path, text) in files {
            assert!(!text.to_lowercase().contains("guest"), "{path}");
        }
    }
}
