//! `[modules.<key>]`: which modules are on, and the settings that only they understand.

use std::sync::Arc;

use figment::value::{Tag, Value};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Config;
use super::country::CountryCode;
use super::error::{ConfigError, ConfigProblem, Origin};
use super::tax::BasisPoints;
use super::tree::{KeyPath, Problems, Tree};
use crate::suggestion::{closest, did_you_mean};

/// The name of the table that holds the tables of the modules.
pub(super) const MODULES: &str = "modules";

/// The one setting that every module has.
pub(super) const ENABLED: &str = "enabled";

/// The table of one module.
///
/// Its settings stay as they were written until the module decodes them into its own type, with the
/// same messages as for the sections of the core.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct ModuleSection {
    /// Whether the module is on.
    pub enabled: bool,
    /// All the settings.
    #[serde(skip)]
    settings: Settings,
}

/// The part of the configuration that is a module's.
#[derive(Debug, Clone, Default)]
struct Settings {
    tree: Arc<Tree>,
    path: KeyPath,
}

impl PartialEq for Settings {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.tree.find(&self.path) == other.tree.find(&other.path)
    }
}

impl ModuleSection {
    /// Has the settings of the module `key` read from `tree`.
    pub(super) fn settings_are_in(&mut self, tree: &Arc<Tree>, key: &str) {
        self.settings = Settings { tree: Arc::clone(tree), path: KeyPath::of([MODULES, key]) };
    }

    /// The module's own settings as its type.
    ///
    /// Reports all that is wrong: types, ranges, and keys that the type does not have, also where
    /// it lacks `deny_unknown_fields`. Do so for modules that are off too, or an operator who
    /// writes `enabeld = true` never learns why nothing happens.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, ConfigError> {
        let Settings { tree, path } = &self.settings;
        let mut settings = tree.find(path).and_then(Value::as_dict).cloned().unwrap_or_default();
        settings.remove(ENABLED);
        let mut problems = Problems::default();
        let decoded = tree.decode(path, settings.into(), &mut problems);
        ConfigError::unless_empty(problems.list)?;
        Ok(decoded.expect("without a problem there is a value"))
    }

    /// A problem with the setting `key` that the module found after decoding.
    ///
    /// The reason is a clause. The place is where the setting was written, or else the module's table.
    pub fn problem(&self, key: &str, reason: &str) -> ConfigProblem {
        let Settings { tree, path } = &self.settings;
        let path = path.below(key);
        ConfigProblem::new(tree.origin(&path), format!("`{path}`: {reason}"))
    }
}

/// All settings, but of each module only whether it is on: the rest it understands alone.
pub(super) fn switches(root: &Value) -> Value {
    let mut settings = root.as_dict().cloned().unwrap_or_default();
    if let Some(Value::Dict(_, modules)) = settings.get_mut(MODULES) {
        for module in modules.values_mut() {
            match module {
                Value::Dict(_, settings) => settings.retain(|key, _| key == ENABLED),
                // No text is a table, whatever it spells.
                Value::String(tag, _) => *tag = Tag::Default,
                _ => {}
            }
        }
    }
    settings.into()
}

impl Config {
    /// The tables of modules that are neither among `contained`, the modules of this program, nor among `reserved`, those
    /// that the configuration may mention all the same.
    pub fn check_module_keys(&self, contained: &[&str], reserved: &[&str]) -> Vec<ConfigProblem> {
        let is_known = |key: &str| contained.contains(&key) || reserved.contains(&key);
        let unknown = self.modules.iter().filter(|(key, _)| !is_known(key));
        unknown
            .map(|(key, section)| {
                unknown_module(key, section.settings.tree.origin(&section.settings.path), contained, reserved)
            })
            .collect()
    }

    /// Switches on what `serve --demo` shows: the gateways `development` and `simulated`, the console, and each of the modules in
    /// this program that the configuration does not mention (contract 1). A demo without a country is in Greece, where the first stoas stood: the
    /// checkout begins with the country of the shop. One without an account tells customers what would stand there, and one without taxes has
    /// the usual rates of some countries, so that prices say that they include tax.
    pub fn apply_demo(&mut self, linked_modules: &[&str]) {
        self.payments.development.enabled = true;
        self.payments.simulated.enabled = true;
        self.console.enabled = true;
        for key in ["payments.development.enabled", "payments.simulated.enabled", "console.enabled"] {
            self.in_force.note(key, "true", DEMO);
        }
        if self.seller.country.is_none() {
            self.seller.country = CountryCode::parse(DEMO_COUNTRY);
            self.in_force.note("seller.country", DEMO_COUNTRY, DEMO);
        }
        if self.tax.rates.iter().next().is_none() && self.tax.classes.is_empty() && self.seller.tax_exemption.is_none()
        {
            let rates = DEMO_TAX.iter();
            let rates = rates.filter_map(|(country, rate)| CountryCode::parse(country).zip(BasisPoints::new(*rate)));
            self.tax.rates = rates.collect();
            let named = DEMO_TAX.map(|(country, rate)| format!("{country} = {rate}")).join(", ");
            self.in_force.note("tax.rates", &format!("{{ {named} }}"), DEMO);
        }
        let manual = &mut self.payments.manual;
        if manual.instructions.is_none() && self.seller.iban.is_none() {
            manual.instructions = Some(DEMO_INSTRUCTIONS.to_owned());
            self.in_force.note("payments.manual.instructions", DEMO_INSTRUCTIONS, DEMO);
        }
        for key in linked_modules.iter().filter(|key| !self.modules.contains_key(**key)) {
            self.in_force.note(&format!("{MODULES}.{key}.enabled"), "true", DEMO);
        }
        for key in linked_modules {
            self.modules.entry((*key).to_owned()).or_insert_with(|| {
                let settings = Settings { path: KeyPath::of([MODULES, key]), ..Settings::default() };
                ModuleSection { enabled: true, settings }
            });
        }
    }
}

/// Where the demo shop is.
const DEMO_COUNTRY: &str = "GR";

/// What is taxed how in the demo shop, in hundredths of a percent: where its pages are likely to be looked at.
const DEMO_TAX: [(&str, u16); 7] =
    [("AT", 2000), ("BE", 2100), ("DE", 1900), ("GR", 2400), ("IE", 2300), ("LU", 1700), ("NL", 2100)];

/// What customers of the demo shop are told to do, with an IBAN that belongs to nobody.
const DEMO_INSTRUCTIONS: &str = "This is a demo, so no money is wanted. A shop of yours would ask for {amount} to GR16 0000 0000 0000 0000 0000 000 with the words {order}.";

/// Where what `apply_demo` sets was written.
const DEMO: &str = "serve --demo";

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
        meant @ Some(_) => ConfigProblem::new(origin, format!("{message}{}", did_you_mean(meant))).with_help(known),
        None => ConfigProblem::new(origin, message).with_help(format!("{known}; {LINKING}")),
    }
}
