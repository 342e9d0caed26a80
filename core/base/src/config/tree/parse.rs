//! TOML text into the values of a layer, with the place of each setting in the text.

use std::collections::BTreeMap;

use figment::value::{Dict, Empty, Value};
use toml::de::{DeTable, DeValue, Error};

use super::super::error::{ConfigProblem, Origin, Position};
use super::KeyPath;

/// A configuration file as text, and where in it each setting begins.
#[derive(Debug, Clone, Default)]
pub(in crate::config) struct FileText {
    text: String,
    starts: BTreeMap<KeyPath, usize>,
}

impl FileText {
    /// Reads the text of a configuration file that the operator calls `name`.
    ///
    /// The text has to be TOML. Of several slips only the first is told: the parser stumbles over the
    /// rest because of it.
    pub(in crate::config) fn parse(text: String, name: &str) -> Result<(Self, Dict), ConfigProblem> {
        let mut starts = BTreeMap::new();
        match parse(&text, &mut starts) {
            Ok(settings) => Ok((Self { text, starts }, settings)),
            Err(error) => {
                // Only the message: the error's `Display` would show the line, and with it any secret in it.
                let span = error.span().unwrap_or(text.len()..text.len());
                let message = match (error.message(), text.get(span.clone())) {
                    ("duplicate key", Some(key)) => {
                        format!("`{key}` stands here for the second time; put what belongs to it below the first one")
                    }
                    (message, _) if is_yes_or_no(&text, span.start) => {
                        format!("this is not valid TOML: {message}; yes and no are written as `true` and `false`")
                    }
                    (message, _) => format!("this is not valid TOML: {message}"),
                };
                let position = position(&text, span.start);
                Err(ConfigProblem::new(Origin::File { file: name.into(), position: Some(position) }, message))
            }
        }
    }

    /// Where the setting at `path` was written.
    pub(super) fn position(&self, path: &KeyPath) -> Option<Position> {
        self.starts.get(path).map(|start| position(&self.text, *start))
    }
}

/// Reads the defaults that are compiled in.
pub(in crate::config) fn parse_defaults(text: &str) -> Dict {
    parse(text, &mut BTreeMap::new()).expect("a test reads the defaults")
}

/// Reads a single value, such as `["10.0.0.0/8"]`; none when the text is no TOML value.
pub(in crate::config) fn parse_value(text: &str) -> Option<Value> {
    let parsed = DeValue::parse(text).ok()?;
    Some(value(parsed.into_inner(), &KeyPath::default(), &mut BTreeMap::new()))
}

fn parse(text: &str, starts: &mut BTreeMap<KeyPath, usize>) -> Result<Dict, Error> {
    Ok(table(DeTable::parse(text)?.into_inner(), &KeyPath::default(), starts))
}

/// Whether a bare word stands there that other formats have for `true` or `false`.
fn is_yes_or_no(text: &str, start: usize) -> bool {
    let rest = text.get(start..).unwrap_or_default();
    let word = rest.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or_default();
    ["yes", "no", "on", "off", "true", "false"].contains(&word.to_ascii_lowercase().as_str())
}

fn position(text: &str, offset: usize) -> Position {
    let before = &text[..text.floor_char_boundary(offset)];
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Position { line: before.matches('\n').count() + 1, column: before[start..].chars().count() + 1 }
}

fn table(entries: DeTable<'_>, path: &KeyPath, starts: &mut BTreeMap<KeyPath, usize>) -> Dict {
    let entries = entries.into_iter().map(|(key, entry)| {
        let start = key.span().start;
        let key = key.into_inner().into_owned();
        let path = path.key(&key);
        starts.insert(path.clone(), start);
        (key, value(entry.into_inner(), &path, starts))
    });
    entries.collect()
}

/// What no setting can be becomes what figment has for values without a type of TOML's: a date or time is `Empty`, a number
/// with too many digits one of 128 bits.
fn value(value_of_toml: DeValue<'_>, path: &KeyPath, starts: &mut BTreeMap<KeyPath, usize>) -> Value {
    match value_of_toml {
        DeValue::String(text) => text.into_owned().into(),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or_else(|_| u128::MAX.into(), Value::from)
        }
        DeValue::Float(number) => number.as_str().parse().unwrap_or(f64::NAN).into(),
        DeValue::Boolean(boolean) => boolean.into(),
        DeValue::Datetime(_) => Empty::Unit.into(),
        DeValue::Array(elements) => {
            let elements = elements.into_iter().enumerate().map(|(index, element)| {
                let path = path.index(index);
                starts.insert(path.clone(), element.span().start);
                value(element.into_inner(), &path, starts)
            });
            elements.collect::<Vec<_>>().into()
        }
        DeValue::Table(entries) => table(entries, path, starts).into(),
    }
}
