//! What can be wrong with one setting, as serde tells it and as the operator reads it.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use super::super::error::{ConfigProblem, Origin};
use super::decode::Hints;
use super::{KeyPath, Node, closest};

/// The first thing that stopped decoding.
#[derive(Debug)]
pub(in crate::config) struct Fault {
    pub(super) kind: Kind,
    /// The setting that is at fault; set by the innermost one that the fault passes through.
    pub(super) place: Option<Box<(KeyPath, Origin)>>,
}

#[derive(Debug)]
pub(super) enum Kind {
    /// A key that the table does not have.
    UnknownKey { known: &'static [&'static str] },
    /// A required setting that is not there; the place is the table.
    MissingKey { key: &'static str },
    /// A value of the wrong type, or an impossible one.
    WrongValue { expected: String, found: Found },
    /// A key that cannot be one, in a table with keys of a certain kind.
    WrongKey { expected: String },
    /// Whatever a type has to say about its value.
    Other(String),
}

/// What stands there instead of what was expected.
#[derive(Debug)]
pub(super) struct Found {
    /// What it is, to be said of secrets.
    kind: String,
    /// The value itself, where it is short enough to be said.
    value: Option<String>,
}

impl Fault {
    fn new(kind: Kind) -> Self {
        Self { kind, place: None }
    }

    /// A value that is not what the setting expects.
    pub(super) fn wrong_value(found: Unexpected<'_>, expected: impl Into<String>) -> Self {
        Self::new(Kind::WrongValue { expected: expected.into(), found: Found::new(found) })
    }

    /// A key that the table does not have.
    pub(super) fn unknown_key(known: &'static [&'static str]) -> Self {
        Self::new(Kind::UnknownKey { known })
    }

    /// The same fault, at `node` unless its place is known already.
    pub(super) fn at(mut self, node: &Node) -> Self {
        self.place.get_or_insert_with(|| Box::new((node.path.clone(), node.origin.clone())));
        self
    }

    /// The same fault, in the key of `node` rather than in its value.
    pub(super) fn at_key(mut self, node: &Node) -> Self {
        if let Kind::WrongValue { expected, .. } = self.kind {
            self.kind = Kind::WrongKey { expected };
        }
        self.at(node)
    }

    /// What the operator reads.
    pub(super) fn into_problem(self, path: &KeyPath, origin: Origin, hints: Hints<'_>) -> ConfigProblem {
        match self.kind {
            Kind::UnknownKey { known } => unknown_key(path, origin, known, hints),
            Kind::MissingKey { key } => ConfigProblem::new(origin, format!("`{}` is missing", path.key(key))),
            Kind::WrongValue { expected, found } => {
                let found = if path.is_secret() { found.kind } else { found.describe() };
                let is_variable = matches!(origin, Origin::Variable(_));
                let problem = ConfigProblem::new(origin, format!("`{path}` must be {expected}, not {found}"));
                match expected.as_str() {
                    A_LIST if is_variable => problem.with_help(r#"a list is written as in the file: ["one", "two"]"#),
                    _ => problem,
                }
            }
            Kind::WrongKey { expected } => {
                ConfigProblem::new(origin, format!("the name of `{path}` must be {expected}"))
            }
            Kind::Other(reason) => ConfigProblem::new(origin, format!("`{path}`: {reason}")),
        }
    }
}

/// A key that is not known, and the one that was meant or those that there are.
pub(in crate::config) fn unknown_key(
    path: &KeyPath,
    origin: Origin,
    known: &[&'static str],
    hints: Hints<'_>,
) -> ConfigProblem {
    let wrong = path.last_key().unwrap_or_default();
    let also_known = if path.parent().as_ref() == Some(hints.root) { hints.also_known } else { &[] };
    let known: Vec<&str> = also_known.iter().chain(known).copied().collect();
    let message = format!("unknown key `{path}`");
    if let Some(meant) = closest(wrong, known.iter().copied()) {
        return ConfigProblem::new(origin, format!("{message}; did you mean `{meant}`?"));
    }
    let mut elsewhere = Vec::new();
    if let Some(defaults) = hints.defaults {
        find_key(defaults, wrong, &mut elsewhere);
    }
    // Several sections have an `enabled`: none of them is likelier than the others.
    if let [elsewhere] = elsewhere.as_slice() {
        return ConfigProblem::new(origin, format!("{message}; did you mean `{elsewhere}`?"));
    }
    let help = match known.as_slice() {
        [] => "no settings are known there".to_owned(),
        known => format!("known there: `{}`", known.join("`, `")),
    };
    ConfigProblem::new(origin, message).with_help(help)
}

/// Where else in the configuration a setting of this name is.
fn find_key<'a>(table: &'a Node, key: &str, found: &mut Vec<&'a KeyPath>) {
    let Some(entries) = table.entries() else {
        return;
    };
    found.extend(entries.get(key).map(|node| &node.path));
    for node in entries.values() {
        find_key(node, key, found);
    }
}

impl Found {
    fn new(found: Unexpected<'_>) -> Self {
        let number = |value: String| ("this number", Some(value));
        let (kind, value) = match found {
            Unexpected::Bool(value) => ("a boolean", Some(value.to_string())),
            Unexpected::Unsigned(value) => number(value.to_string()),
            Unexpected::Signed(value) => number(value.to_string()),
            Unexpected::Float(value) => number(format!("{value:?}")),
            Unexpected::Str("") => ("empty text", None),
            Unexpected::Str(value) if value.chars().count() <= 60 => ("this text", Some(format!("{value:?}"))),
            Unexpected::Str(_) => ("this text", None),
            Unexpected::Seq => ("a list", None),
            Unexpected::Map => ("a table", None),
            Unexpected::Other(kind) => (kind, None),
            _ => ("this", None),
        };
        Self { kind: kind.to_owned(), value }
    }

    fn describe(self) -> String {
        self.value.unwrap_or(self.kind)
    }
}

const A_LIST: &str = "a list";

/// What serde's own types call what they expect, in the words of an operator.
fn in_plain_words(expected: &str) -> String {
    let whole_number = |min: i128, max: i128| format!("a whole number from {min} to {max}");
    match expected {
        "a boolean" => "`true` or `false`".to_owned(),
        "a string" => "text".to_owned(),
        "a sequence" => A_LIST.to_owned(),
        "a map" => "a table".to_owned(),
        "u8" => whole_number(0, u8::MAX.into()),
        "u16" => whole_number(0, u16::MAX.into()),
        "u32" => whole_number(0, u32::MAX.into()),
        "u64" | "usize" => "a whole number, 0 or more".to_owned(),
        "i8" => whole_number(i8::MIN.into(), i8::MAX.into()),
        "i16" => whole_number(i16::MIN.into(), i16::MAX.into()),
        "i32" => whole_number(i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => "a whole number".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        expected if expected.starts_with("struct ") => "a table".to_owned(),
        expected => expected.to_owned(),
    }
}

impl de::Error for Fault {
    fn custom<T: Display>(reason: T) -> Self {
        Self::new(Kind::Other(reason.to_string()))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::wrong_value(found, in_plain_words(&expected.to_string()))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::wrong_value(found, in_plain_words(&expected.to_string()))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::wrong_value(Unexpected::Str(variant), one_of(expected))
    }

    fn unknown_field(_field: &str, expected: &'static [&'static str]) -> Self {
        Self::unknown_key(expected)
    }

    fn missing_field(key: &'static str) -> Self {
        Self::new(Kind::MissingKey { key })
    }
}

/// The choices that a setting has, in words.
pub(super) fn one_of(choices: &[&str]) -> String {
    match choices {
        [] => "nothing".to_owned(),
        [only] => format!("\"{only}\""),
        [some @ .., last] => format!("\"{}\" or \"{last}\"", some.join("\", \"")),
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setting cannot be used")
    }
}

impl std::error::Error for Fault {}
