//! The files of a new module: those of `examples/guest-book` that its parts want, under another name.
//!
//! So what is written is compiled, linted and tested with everything else. They stand in `template.json`, since a package of
//! the host brings the files of its own folder only; a test holds that against the example.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::manifest::{CoreSource, MANIFEST, alone};
use super::name::ModuleName;
use super::parts::Parts;
use super::selection::select;
use super::surroundings::CrateSurroundings;

/// What is copied, by path: the example, and what of the workspace a crate needs that stands alone.
#[derive(serde::Deserialize)]
struct Template {
    example: BTreeMap<String, String>,
    workspace: BTreeMap<String, String>,
}

static TEMPLATE: LazyLock<Template> =
    LazyLock::new(|| serde_json::from_str(include_str!("template.json")).expect("a test has written it"));

/// The manifest of Stoa's own workspace.
pub(super) fn workspace_manifest() -> &'static str {
    &TEMPLATE.workspace[MANIFEST]
}

/// The example's files.
#[cfg(test)]
pub(super) fn example() -> &'static BTreeMap<String, String> {
    &TEMPLATE.example
}

/// All files of the new crate.
pub(super) fn files(name: &ModuleName, parts: &Parts, surroundings: &CrateSurroundings) -> Vec<(&'static str, String)> {
    let example = select(&TEMPLATE.example, parts).into_iter().map(|(path, text)| (path, renamed(&text, name)));
    if matches!(surroundings.core, CoreSource::Workspace(_)) {
        return example.collect();
    }
    let example = example.map(|(path, text)| {
        let text = if path == MANIFEST { alone(&text, &surroundings.core) } else { text };
        (path, text)
    });
    // The style that Stoa's workspace gives to its members.
    let style = TEMPLATE.workspace.iter().filter(|(path, _)| *path != MANIFEST);
    let style = style.map(|(path, text)| (path.as_str(), text.clone()));
    example.chain(style).chain([(".gitignore", String::from("/target\n"))]).collect()
}

/// The template's text under the module's name.
fn renamed(text: &str, name: &ModuleName) -> String {
    text.replace("guest_book", name.as_str()).replace("guest-book", &name.dashed()).replace("GuestBook", &name.camel())
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use serde_json::{Map, Value, json};

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn all_files(folder: &Path, prefix: &str, found: &mut Map<String, Value>) {
        for entry in std::fs::read_dir(folder).expect("it can be read") {
            let entry = entry.expect("it can be read");
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                all_files(&entry.path(), &format!("{path}/"), found);
            } else {
                found.insert(path, std::fs::read_to_string(entry.path()).expect("it can be read").into());
            }
        }
    }

    /// `INSTA_UPDATE=always` writes it anew, as it does snapshots.
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the wish of whoever runs tests is no setting")]
    fn the_template_is_the_whole_example() {
        let mut example = Map::new();
        all_files(&root().join("examples/guest-book"), "", &mut example);
        example.sort_keys();
        let text = |path| std::fs::read_to_string(root().join(path)).expect("it can be read");
        let workspace =
            [MANIFEST, "clippy.toml", "rustfmt.toml"].map(|path| (path.to_owned(), Value::from(text(path))));
        let expected = json!({"example": example, "workspace": Map::from_iter(workspace)});
        let expected = format!("{expected:#}\n");
        if std::env::var("INSTA_UPDATE").is_ok_and(|wish| wish == "always") {
            std::fs::write(root().join("host/src/cli/new_module/template.json"), &expected).expect("it can be written");
        } else {
            assert!(include_str!("template.json") == expected, "`INSTA_UPDATE=always` writes `template.json` anew");
        }
    }

    #[test]
    fn a_module_of_the_examples_name_is_the_example() {
        let surroundings = CrateSurroundings { core: CoreSource::Workspace(PathBuf::from("/stoa")) };
        let files = files(&ModuleName::unchecked("guest_book"), &Parts::whole(), &surroundings);
        assert_eq!(files.len(), TEMPLATE.example.len());
        for (path, text) in files {
            let there = std::fs::read_to_string(root().join("examples/guest-book").join(path)).expect("it can be read");
            assert_eq!(text, there, "{path}");
        }
    }

    #[test]
    fn nothing_of_the_examples_name_is_left() {
        let surroundings = CrateSurroundings { core: CoreSource::Checkout(String::from("../stoa/core")) };
        let files = files(&ModuleName::unchecked("tea"), &Parts::whole(), &surroundings);
        for (path, text) in files {
            let text = text.to_lowercase();
            for name in ["guest_book", "guest-book", "guest book", "guestbook"] {
                assert!(!text.contains(name), "{path}: {name}");
            }
        }
    }
}
