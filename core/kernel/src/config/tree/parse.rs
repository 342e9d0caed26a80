//! TOML text into a tree, with the position of each setting.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::super::error::{ConfigProblem, Origin, Position};
use super::{Content, KeyPath, Node};

/// Reads the text of a configuration file that the operator calls `name`.
///
/// The text has to be TOML. Of several slips only the first is told: the parser stumbles over the
/// rest because of it.
pub(in crate::config) fn parse_file(text: &str, name: &str) -> Result<Node, ConfigProblem> {
    let lines = Lines::new(text);
    let file: Arc<str> = name.into();
    let origin = |position| Origin::File { file: Arc::clone(&file), position };
    let place = |span: Range<usize>| origin(Some(lines.position(span.start)));

    let document = DeTable::parse(text).map_err(|error| syntax_problem(&error, text.len(), &place))?;
    let content = table(document.into_inner(), &KeyPath::root(), &place);
    Ok(Node { path: KeyPath::root(), origin: origin(None), content })
}

/// Reads the defaults that are compiled in.
pub(in crate::config) fn parse_defaults(text: &str) -> Node {
    let document = DeTable::parse(text).expect("a test reads the defaults");
    let content = table(document.into_inner(), &KeyPath::root(), &|_| Origin::Defaults);
    Node { path: KeyPath::root(), origin: Origin::Defaults, content }
}

/// Reads a single value, such as `["10.0.0.0/8"]`; none when the text is no TOML value.
pub(super) fn parse_value(text: &str, path: &KeyPath, origin: &Origin) -> Option<Content> {
    let parsed = DeValue::parse(text).ok()?;
    Some(content(parsed.into_inner(), path, &|_| origin.clone()))
}

impl Content {
    /// The same value as a setting; `path` and `origin` are those of the setting.
    pub(in crate::config) fn from_toml(value: toml::Value, path: &KeyPath, origin: &Origin) -> Self {
        match value {
            toml::Value::String(text) => Self::Text(text),
            toml::Value::Integer(number) => Self::Integer(number),
            toml::Value::Float(number) => Self::Float(number),
            toml::Value::Boolean(boolean) => Self::Boolean(boolean),
            toml::Value::Datetime(_) => Self::Other(DATE),
            toml::Value::Array(elements) => {
                let node = |(index, element)| Node::from_toml(element, path.index(index), origin);
                Self::List(elements.into_iter().enumerate().map(node).collect())
            }
            toml::Value::Table(entries) => {
                let node = |(key, entry): (String, _)| (key.clone(), Node::from_toml(entry, path.key(&key), origin));
                Self::Table(entries.into_iter().map(node).collect())
            }
        }
    }
}

impl Node {
    fn from_toml(value: toml::Value, path: KeyPath, origin: &Origin) -> Self {
        Self { content: Content::from_toml(value, &path, origin), path, origin: origin.clone() }
    }
}

const DATE: &str = "a date or time";

/// Turns a place in the text into the origin of a setting.
type Place<'a> = &'a dyn Fn(Range<usize>) -> Origin;

fn syntax_problem(error: &Error, end: usize, place: Place<'_>) -> ConfigProblem {
    // Only the message: the error's `Display` would show the line, and with it any secret in it.
    let origin = place(error.span().unwrap_or(end..end));
    ConfigProblem::new(origin, format!("this is not valid TOML: {}", error.message()))
}

fn table(entries: DeTable<'_>, path: &KeyPath, place: Place<'_>) -> Content {
    let mut nodes = BTreeMap::new();
    for (key, value) in entries {
        let origin = place(key.span());
        let key = key.into_inner().into_owned();
        let path = path.key(&key);
        let content = content(value.into_inner(), &path, place);
        nodes.insert(key, Node { path, origin, content });
    }
    Content::Table(nodes)
}

fn list<'i>(elements: impl IntoIterator<Item = Spanned<DeValue<'i>>>, path: &KeyPath, place: Place<'_>) -> Content {
    let node = |(index, element): (usize, Spanned<DeValue<'i>>)| {
        let path = path.index(index);
        let origin = place(element.span());
        let content = content(element.into_inner(), &path, place);
        Node { path, origin, content }
    };
    Content::List(elements.into_iter().enumerate().map(node).collect())
}

fn content(value: DeValue<'_>, path: &KeyPath, place: Place<'_>) -> Content {
    match value {
        DeValue::String(text) => Content::Text(text.into_owned()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or(Content::Other("a number with too many digits"), Content::Integer),
        DeValue::Float(number) => number.as_str().parse().map_or(Content::Other("no number"), Content::Float),
        DeValue::Boolean(boolean) => Content::Boolean(boolean),
        DeValue::Datetime(_) => Content::Other(DATE),
        DeValue::Array(elements) => list(elements, path, place),
        DeValue::Table(entries) => table(entries, path, place),
    }
}

/// Where the lines of a text begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(place, _)| place + 1);
        Self { text, starts: std::iter::once(0).chain(ends).collect() }
    }

    fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        let before = self.text.get(start..offset).unwrap_or_default();
        Position { line, column: before.chars().count() + 1 }
    }
}
