//! The configuration before it has types: the layers that figment has merged, in which each value's tag leads to the layer it
//! is from.
//!
//! [`Tree::decode`] turns a part of them into a type. What figment does not do is added here: every problem is told instead of
//! the first, each with its full key and its line in the file.

mod decode;
mod fault;
mod key_path;
mod parse;

use std::fmt;

use figment::value::{Dict, Tag, Value};
use figment::{Figment, Metadata, Source};

pub(super) use decode::Problems;
pub(super) use key_path::KeyPath;
pub(super) use parse::{FileText, parse_defaults, parse_value};

use super::error::Origin;
use super::layer::Layer;
use key_path::index_of;

/// All layers, laid over one another.
pub(super) struct Tree {
    figment: Figment,
    root: Value,
    /// The file among the layers, if there is one.
    file: FileText,
    /// The lowest layer alone.
    defaults: Value,
}

impl Default for Tree {
    /// No settings at all.
    fn default() -> Self {
        Self::new(Figment::new(), FileText::default(), Dict::new())
    }
}

/// Shows no values: any of them may be a secret.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.figment.metadata().map(|layer| &layer.name)).finish()
    }
}

impl Tree {
    /// What `figment` has merged from `defaults`, a file with this text, and anything else.
    pub(super) fn new(figment: Figment, file: FileText, defaults: Dict) -> Self {
        Self { root: merged(&figment), figment, file, defaults: defaults.into() }
    }

    /// All settings.
    pub(super) fn root(&self) -> &Value {
        &self.root
    }

    /// The setting at `path`.
    pub(super) fn find(&self, path: &KeyPath) -> Option<&Value> {
        path.iter().try_fold(&self.root, |value, segment| child(value, segment))
    }

    /// Where the setting at `path` was written, or else the closest that is there on the way to it.
    pub(super) fn origin(&self, path: &KeyPath) -> Origin {
        let (mut value, mut found) = (&self.root, KeyPath::default());
        for segment in path.iter() {
            let Some(next) = child(value, segment) else { break };
            (value, found) = (next, found.key(segment));
        }
        self.origin_of(value.tag(), &found)
    }

    /// Where a value with this tag was written, which is at `path`.
    fn origin_of(&self, tag: Tag, path: &KeyPath) -> Origin {
        let Some(Metadata { name, source, .. }) = self.figment.get_metadata(tag) else { return Origin::Defaults };
        match source {
            Some(Source::File(_)) => Origin::File { file: name.as_ref().into(), position: self.file.position(path) },
            Some(Source::Custom(_)) => Origin::Variable(name.as_ref().into()),
            None => Origin::CommandLine,
            Some(_) => Origin::Defaults,
        }
    }

    /// What a value is. Only a variable's text says it in TOML; none when any other value, or no TOML.
    fn spelled(&self, value: &Value) -> Option<Value> {
        let layer = self.figment.get_metadata(value.tag())?;
        let text = value.as_str().filter(|_| Layer::is_text(layer))?;
        parse_value(text)
    }
}

/// All that the layers say together.
pub(super) fn merged(layers: &Figment) -> Value {
    layers.find_value("").expect("no layer fails to give its values")
}

/// The setting in a table, or the element of a list, that a segment of a path names.
fn child<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Dict(_, entries) => entries.get(segment),
        Value::Array(_, elements) => elements.get(index_of(segment)?),
        _ => None,
    }
}

fn child_mut<'v>(value: &'v mut Value, segment: &str) -> Option<&'v mut Value> {
    match value {
        Value::Dict(_, entries) => entries.get_mut(segment),
        Value::Array(_, elements) => elements.get_mut(index_of(segment)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Sources;
    use super::*;

    /// What these variables make of this file.
    fn tree(toml: &str, variables: &[(&str, &str)]) -> Tree {
        let folder = tempfile::tempdir().expect("a folder can be made");
        std::fs::write(folder.path().join("config.toml"), toml).expect("the file can be written");
        let sources = Sources::new(folder.path()).environment(variables.iter().copied());
        sources.read().unwrap_or_else(|error| panic!("{error}")).tree
    }

    /// What stands at exactly these keys.
    fn value<'a>(tree: &'a Tree, keys: &[&str]) -> Option<&'a Value> {
        tree.find(&KeyPath::of(keys.iter().copied()))
    }

    #[test]
    fn an_upper_layer_joins_tables_and_replaces_the_rest() {
        let tree =
            tree("limits.catalog = { requests = 3 }\nserver.trusted_proxies = [4]\nshipping.methods = [5]\n", &[]);
        assert_eq!(value(&tree, &["limits", "catalog", "requests"]), Some(&Value::from(3_i64)));
        assert_eq!(value(&tree, &["limits", "catalog", "per_seconds"]), Some(&Value::from(60_i64)));
        assert_eq!(value(&tree, &["shipping", "methods"]), Some(&Value::from(vec![5_i64])));
    }

    #[test]
    fn a_variable_reaches_into_tables_without_regard_to_case() {
        let variables = [("STOA_TAX__RATES__NL", "900"), ("STOA_TAX__RATES__BE", "600")];
        let tree = tree("[tax.rates]\nNL = 2100\n", &variables);
        assert_eq!(value(&tree, &["tax", "rates", "NL"]), Some(&Value::from("900")));
        assert_eq!(value(&tree, &["tax", "rates", "be"]), Some(&Value::from("600")));
        assert_eq!(value(&tree, &["tax", "rates", "nl"]), None);
    }

    #[test]
    fn a_variable_that_holds_a_table_is_joined_with_the_table_below_and_with_deeper_variables() {
        let tables = [("STOA_LIMITS__CATALOG", "{ requests = 5 }"), ("STOA_MODULES__X__Y", "{ a = 1, b = 2 }")];
        let tree = tree("", &[&tables[..], &[("STOA_MODULES__X__Y__B", "3")]].concat());
        assert_eq!(value(&tree, &["limits", "catalog", "requests"]), Some(&Value::from(5_i64)));
        assert_eq!(value(&tree, &["limits", "catalog", "per_seconds"]), Some(&Value::from(60_i64)));
        assert_eq!(value(&tree, &["modules", "x", "y", "a"]), Some(&Value::from(1_i64)));
        assert_eq!(value(&tree, &["modules", "x", "y", "b"]), Some(&Value::from("3")));
    }

    #[test]
    fn a_variable_takes_the_place_of_what_is_in_its_way() {
        let tree = tree("modules = 5\n", &[("STOA_MODULES__INVENTORY__ENABLED", "true")]);
        assert_eq!(value(&tree, &["modules", "inventory", "enabled"]), Some(&Value::from("true")));
    }

    #[test]
    fn each_value_leads_to_the_layer_that_it_is_from() {
        let tree = tree("[shop]\nname = 'file'\n", &[("STOA_LIMITS__CATALOG", "{ requests = 5 }")]);
        let origin = |keys: &[&str]| tree.origin(&KeyPath::of(keys.iter().copied())).to_string();
        assert_eq!(origin(&["shop", "name"]), "config.toml:2:1");
        assert_eq!(origin(&["shop", "currency"]), "built-in defaults");
        assert_eq!(origin(&["limits", "catalog", "requests"]), "STOA_LIMITS__CATALOG");
        assert_eq!(origin(&["limits", "catalog", "per_seconds"]), "built-in defaults");
    }

    #[test]
    fn the_nearest_setting_stands_for_one_that_is_missing() {
        let tree = tree("[payments.stripe]\nenabled = true\n", &[]);
        let stripe = KeyPath::of(["payments", "stripe"]);
        assert_eq!(tree.origin(&stripe.key("enabled")).to_string(), "config.toml:2:1");
        assert_eq!(tree.origin(&stripe.key("secret_key")).to_string(), "config.toml:1:11");
    }

    #[test]
    fn debug_shows_layers_but_no_values() {
        let variables = [("STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET", "whsec_1")];
        let shown = format!("{:?}", tree("[payments.stripe]\nsecret_key = \"sk_live_1\"\n", &variables));
        assert!(shown.contains("config.toml") && shown.contains(variables[0].0), "{shown}");
        assert!(!shown.contains("sk_live_1") && !shown.contains("whsec_1"), "{shown}");
    }
}
