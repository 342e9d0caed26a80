//! `[modules.<key>]`: which modules are on, and the settings that only they understand.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;

use super::Config;
use super::error::{ConfigError, ConfigProblem, Origin};
use super::tree::{Hints, KeyPath, Node, Problems, closest, decode, expect_table};

/// The name of the table that holds the tables of the modules.
pub(super) const MODULES: &str = "modules";

/// The one setting that every module has.
const ENABLED: &str = "enabled";

/// The table of one module.
///
/// Its settings stay as they were written until the module decodes them into its own type, with the
/// same messages as for the sections of the core.
#[derive(Debug, Clone, PartialEq)]
pub struct ModuleSection {
    /// Whether the module is on.
    pub enabled: bool,
    /// All the other settings.
    settings: Node,
}

impl ModuleSection {
    /// A module that is on, with all its settings at their defaults.
    fn switched_on(key: &str) -> Self {
        let path = KeyPath::root().key(MODULES).key(key);
        Self { enabled: true, settings: Node::empty_table(path, Origin::Defaults) }
    }

    /// The module's own settings as its type.
    ///
    /// Reports all that is wrong: types, ranges, and keys that the type does not have, also where
    /// it lacks `deny_unknown_fields`. Do so for modules that are off too, or an operator who
    /// writes `enabeld = true` never learns why nothing happens.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        let mut problems = Problems::default();
        let hints = Hints { root: &self.settings.path, also_known: &[ENABLED], defaults: None };
        let decoded = decode(&self.settings, hints, &mut problems);
        ConfigError::unless_empty(problems.list)?;
        Ok(decoded.expect("without a problem there is a value"))
    }

    /// A problem with the setting `key` that the module found after decoding.
    ///
    /// The reason is a clause. The place is where the setting was written, or else the module's table.
    pub fn problem(&self, key: &str, reason: &str) -> ConfigProblem {
        let path = key.split('.').fold(self.settings.path.clone(), |path, key| path.key(key));
        let origin = self.settings.nearest(&path).origin.clone();
        ConfigProblem::new(origin, format!("`{path}`: {reason}"))
    }
}

/// Reads the tables of all modules.
pub(super) fn read(mut modules: Node, problems: &mut Problems) -> BTreeMap<String, ModuleSection> {
    modules.open_variable();
    let path = modules.path.clone();
    let hints = Hints { root: &path, also_known: &[], defaults: None };
    expect_table(&modules, hints, problems);
    let tables = modules.into_entries().into_iter();
    tables.filter_map(|(key, table)| Some((key, read_one(table, hints, problems)?))).collect()
}

fn read_one(mut table: Node, hints: Hints<'_>, problems: &mut Problems) -> Option<ModuleSection> {
    table.open_variable();
    if !expect_table(&table, hints, problems) {
        return None;
    }
    let enabled = table.take(ENABLED).and_then(|enabled| decode(&enabled, hints, problems));
    Some(ModuleSection { enabled: enabled.unwrap_or(false), settings: table })
}

impl Config {
    /// The tables of modules that are neither among `contained`, the modules of this program, nor among `reserved`, those
    /// that the configuration may mention all the same.
    pub fn check_module_keys(&self, contained: &[&str], reserved: &[&str]) -> Vec<ConfigProblem> {
        let is_known = |key: &str| contained.contains(&key) || reserved.contains(&key);
        let unknown = self.modules.iter().filter(|(key, _)| !is_known(key));
        unknown
            .map(|(key, section)| unknown_module(key, section.settings.origin.clone(), contained, reserved))
            .collect()
    }

    /// Switches on what `serve --demo` shows: the `development` gateway, and each of the modules in
    /// this program that the configuration does not mention (contract 1).
    pub fn apply_demo(&mut self, linked_modules: &[&str]) {
        self.payments.development.enabled = true;
        for key in linked_modules {
            self.modules.entry((*key).to_owned()).or_insert_with(|| ModuleSection::switched_on(key));
        }
    }
}

/// How a crate becomes part of a program; that `Cargo.toml` names it is not enough.
const LINKING: &str = "the module of a crate that Cargo.toml names is linked by `use the_crate as _;` in src/main.rs";

/// What was meant may be a module that this program lacks; what it contains is told without those.
fn unknown_module(key: &str, origin: Origin, contained: &[&str], reserved: &[&str]) -> ConfigProblem {
    let message = format!("unknown module `{key}` in `{MODULES}.{key}`");
    let known = match contained {
        [] => String::from("this program contains no modules"),
        contained => format!("this program contains: `{}`", contained.join("`, `")),
    };
    match closest(key, contained.iter().chain(reserved).copied()) {
        Some(meant) => ConfigProblem::new(origin, format!("{message}; did you mean `{meant}`?")).with_help(known),
        None => ConfigProblem::new(origin, message).with_help(format!("{known}; {LINKING}")),
    }
}
