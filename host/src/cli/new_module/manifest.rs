//! The `Cargo.toml` of a new module.

use std::fmt::Write;
use std::path::PathBuf;

use toml::{Table, Value};

use super::template::workspace_manifest;

/// Its path.
pub(super) const MANIFEST: &str = "Cargo.toml";

/// The package that is `stoa_core` in Rust.
pub(super) const PACKAGE: &str = "stoa-commerce-core";

/// Where a new module takes `stoa-core` from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CoreSource {
    /// The new crate is a member of Stoa's workspace, whose root this is.
    Workspace(PathBuf),
    /// A checkout elsewhere, by its path.
    Checkout(String),
    /// The package of this version.
    Published(String),
}

impl CoreSource {
    /// The source in a few words.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Workspace(root) => root.join("core").display().to_string(),
            Self::Checkout(root) => format!("{root}/core"),
            Self::Published(version) => format!("{PACKAGE} {version}"),
        }
    }

    /// What the crate is compiled against, for whoever has just had it written.
    pub(super) fn told(&self) -> String {
        match self {
            Self::Workspace(root) => format!("It compiles against the checkout {}.", root.display()),
            Self::Checkout(root) => format!("It compiles against the checkout {root}."),
            Self::Published(version) => format!(
                "It compiles against the published crates {version}. If cargo cannot fetch them, delete the folder and write it again with \
                 `--stoa DIR`, where DIR is a checkout of Stoa."
            ),
        }
    }

    /// Where the author's guide is.
    pub(super) fn guide(&self) -> String {
        match self {
            Self::Workspace(root) => root.join("core").join("README.md").display().to_string(),
            Self::Checkout(root) => format!("{root}/core/README.md"),
            Self::Published(_) => format!("{}/blob/main/core/README.md", env!("CARGO_PKG_REPOSITORY")),
        }
    }

    /// How a crate of Stoa is named that its workspace lists like this.
    fn dependency(&self, listed: &Value) -> Table {
        let (key, value) = match self {
            Self::Workspace(_) => return Table::from_iter([(String::from("workspace"), Value::from(true))]),
            Self::Checkout(root) => ("path", format!("{root}/{}", listed["path"].as_str().unwrap_or_default())),
            Self::Published(version) => ("version", version.clone()),
        };
        Table::from_iter(
            [("package", listed["package"].clone()), (key, Value::from(value))]
                .map(|(key, value)| (key.to_owned(), value)),
        )
    }
}

/// The package that was released with this program.
pub(super) fn published() -> CoreSource {
    CoreSource::Published(String::from(env!("CARGO_PKG_VERSION")))
}

/// The manifest of the template, which is a member of Stoa's workspace, for a crate that stands alone.
pub(super) fn alone(member: &str, core: &CoreSource) -> String {
    let workspace = workspace();
    let mut text = String::new();
    let mut section = "";
    for line in member.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = name;
        }
        match (section, line.split_once(".workspace = true"), line.split_once(" = ")) {
            // Lints follow below. Whose license it has, and where it is kept, is for its author to say.
            ("lints", _, _) | ("package", Some(("license" | "repository", _)), _) => {}
            ("package", Some(("version", _)), _) => text.push_str("version = \"0.1.0\"\n"),
            ("package", Some((key, _)), _) => line_of(&mut text, key, &workspace["package"][key]),
            (_, Some((key, _)), _) if key.starts_with("stoa-") => {
                line_of(&mut text, key, &Value::Table(core.dependency(&workspace["dependencies"][key])));
            }
            (_, Some((key, _)), _) => line_of(&mut text, key, &workspace["dependencies"][key]),
            ("dev-dependencies", None, Some(("stoa-core", _))) => {
                let mut dependency = core.dependency(&workspace["dependencies"]["stoa-core"]);
                dependency.insert(String::from("features"), Value::from(vec!["testing"]));
                line_of(&mut text, "stoa-core", &Value::Table(dependency));
            }
            _ => writeln!(text, "{line}").expect("a text grows"),
        }
    }
    for (tool, lints) in workspace["lints"].as_table().into_iter().flatten() {
        writeln!(text, "[lints.{tool}]").expect("a text grows");
        for (lint, level) in lints.as_table().into_iter().flatten() {
            line_of(&mut text, lint, level);
        }
        text.push('\n');
    }
    format!("{}\n", text.trim_end())
}

/// What Stoa's own workspace says: versions and lints of a new module are its.
fn workspace() -> Value {
    let manifest = workspace_manifest().parse::<Table>().expect("the workspace was built from it");
    manifest["workspace"].clone()
}

fn line_of(text: &mut String, key: &str, value: &Value) {
    writeln!(text, "{key} = {value}").expect("a text grows");
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "[package]\nname = \"stoa-tea\"\nversion.workspace = true\nedition.workspace = true\n\
        license.workspace = true\n\n[dependencies]\nserde.workspace = true\nstoa-core.workspace = true\n\n\
        [dev-dependencies]\nstoa-core = { workspace = true, features = [\"testing\"] }\n\
        stoa-storefront.workspace = true\n\n[lints]\nworkspace = true\n";

    #[test]
    fn a_crate_that_stands_alone_names_versions_and_lints_itself() {
        let text = alone(MEMBER, &CoreSource::Checkout(String::from("../stoa")));
        let manifest = text.parse::<Table>().unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(!text.contains("workspace"), "{text}");
        assert_eq!(manifest["package"]["edition"].as_str(), Some("2024"));
        assert!(manifest["package"].get("license").is_none());
        let core = &manifest["dependencies"]["stoa-core"];
        assert_eq!((core["package"].as_str(), core["path"].as_str()), (Some(PACKAGE), Some("../stoa/core")));
        assert_eq!(manifest["dependencies"]["serde"]["features"][0].as_str(), Some("derive"));
        assert_eq!(manifest["dev-dependencies"]["stoa-core"]["features"][0].as_str(), Some("testing"));
        let storefront = &manifest["dev-dependencies"]["stoa-storefront"];
        assert_eq!(storefront["path"].as_str(), Some("../stoa/modules/storefront"));
        assert_eq!(manifest["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
        assert_eq!(manifest["lints"]["clippy"]["pedantic"]["level"].as_str(), Some("warn"));
    }

    #[test]
    fn without_a_checkout_the_published_package_is_named() {
        let told = published().told();
        assert!(told.contains(env!("CARGO_PKG_VERSION")) && told.contains("`--stoa DIR`"), "{told}");
        let text = alone(MEMBER, &published());
        let manifest = text.parse::<Table>().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let core = &manifest["dependencies"]["stoa-core"];
        assert_eq!(core["package"].as_str(), Some(PACKAGE));
        assert_eq!(core["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));
        let storefront = &manifest["dev-dependencies"]["stoa-storefront"];
        assert_eq!(storefront["package"].as_str(), Some("stoa-commerce-storefront"));
        assert_eq!(storefront["version"].as_str(), Some(env!("CARGO_PKG_VERSION")));
    }
}
