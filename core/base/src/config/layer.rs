//! The layers of the configuration, as figment takes them: each a provider whose metadata say where its values were written.

use std::panic::Location;
use std::path::Path;

use figment::value::{Dict, Map, Tag, Value};
use figment::{Error, Figment, Metadata, Profile, Provider};

use super::sources::LEVEL;
use super::tree::{merged, parse_value};

/// What the source of an environment variable's text is called, which is still to become what its setting has to be.
const TEXT: &str = "the text of a variable";

/// What the source of a table in an environment variable is called.
const TABLE: &str = "the table in a variable";

/// Values from one place, and the name of that place.
pub(super) struct Layer {
    metadata: Metadata,
    values: Dict,
}

impl Provider for Layer {
    fn metadata(&self) -> Metadata {
        self.metadata.clone()
    }

    fn data(&self) -> Result<Map<Profile, Dict>, Error> {
        Ok(Profile::Default.collect(self.values.clone()))
    }
}

impl Layer {
    /// What is compiled in.
    pub(super) fn defaults(values: Dict) -> Self {
        Self { metadata: Metadata::from("built-in defaults", Location::caller()), values }
    }

    /// What stands in this file, which the operator calls `name`.
    pub(super) fn file(file: &Path, name: String, values: Dict) -> Self {
        Self { metadata: Metadata::from(name, file), values }
    }

    /// The text of the variable `name`, which sets `key` above the `lower` layers. A table is joined with one below.
    pub(super) fn variable(name: String, key: &str, text: &str, lower: &Figment) -> Self {
        let lower = merged(lower);
        let (path, below) = way(&lower, key.split(LEVEL));
        let can_be_table = below.is_none_or(|below| below.as_dict().is_some());
        let table = parse_value(text).filter(|value| can_be_table && value.as_dict().is_some());
        let source = if table.is_some() { TABLE } else { TEXT };
        Self { metadata: Metadata::from(name, source), values: at(&path, table.unwrap_or_else(|| text.into())) }
    }

    /// A value that the command line gives to `key`, the full name of a setting, above the `lower` layers.
    pub(super) fn option(key: &str, value: Value, lower: &Figment) -> Self {
        let lower = merged(lower);
        let (path, _) = way(&lower, key.split('.'));
        Self { metadata: Metadata::named("command line"), values: at(&path, value) }
    }

    /// Whether the values of this layer are a variable's text, in which a number or a list is still to be read.
    pub(super) fn is_text(metadata: &Metadata) -> bool {
        metadata.source.as_ref().and_then(|source| source.custom()) == Some(TEXT)
    }
}

/// The way to a setting through tables, each as the tag that it has in lower layers and the key in it; and what stands there.
///
/// Keys ignore case where lower layers already have one: an environment variable cannot tell `tax.rates.NL` from
/// `tax.rates.nl`.
fn way<'a>(lower: &'a Value, keys: impl Iterator<Item = &'a str>) -> (Vec<(Tag, &'a str)>, Option<&'a Value>) {
    let mut below = Some(lower);
    let path = keys.map(|key| {
        let table = below.take().filter(|below| below.as_dict().is_some());
        let mut entries = table.and_then(Value::as_dict).into_iter().flatten();
        let known = entries.find(|(known, _)| known.eq_ignore_ascii_case(key));
        below = known.map(|(_, value)| value);
        (table.map_or(Tag::Default, Value::tag), known.map_or(key, |(known, _)| known))
    });
    (path.collect(), below)
}

/// A table that has only `value`, at the end of this way. The tables on the way stay those of the lower layers.
fn at(path: &[(Tag, &str)], value: Value) -> Dict {
    let root =
        path.iter().rfold(value, |value, (tag, key)| Value::Dict(*tag, Dict::from([((*key).to_owned(), value)])));
    root.into_dict().unwrap_or_default()
}
