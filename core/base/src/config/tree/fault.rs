//! What can be wrong with one setting, as the operator reads it.

use figment::error::{Actual, Kind};
use figment::value::Value;

use super::super::error::{ConfigProblem, Origin};
use super::super::modules::{ENABLED, MODULES};
use super::{KeyPath, Tree};
use crate::suggestion::{closest, did_you_mean};

const A_LIST: &str = "a list";

/// Lists whose elements are tables.
const LISTS_OF_TABLES: [&str; 5] =
    ["shipping.methods", "shipping.carriers", "shop.consents", "catalog.purge", "webhooks.endpoints"];

/// What other programs call the address to listen on.
const NAMES_OF_LISTEN: [&str; 4] = ["address", "bind", "host", "port"];

impl Tree {
    /// What is wrong at `path`, in the words of an operator.
    pub(super) fn problem(&self, path: &KeyPath, kind: Kind) -> ConfigProblem {
        let origin = self.origin(path);
        let (actual, expected) = match kind {
            Kind::UnknownField(_, known) => return self.unknown_key(path, origin, known),
            Kind::MissingField(key) => return ConfigProblem::new(origin, format!("`{}` is missing", path.key(&key))),
            Kind::UnsupportedKey(_, expected) => {
                return ConfigProblem::new(origin, format!("the name of `{path}` must be {expected}"));
            }
            Kind::InvalidType(actual, expected) | Kind::InvalidValue(actual, expected) => {
                (actual, in_plain_words(expected))
            }
            Kind::UnknownVariant(variant, variants) => (Actual::Str(variant), one_of(variants)),
            reason => return ConfigProblem::new(origin, format!("`{path}`: {reason}")),
        };
        let is_list = expected == A_LIST;
        let is_list_of_variable = is_list && matches!(origin, Origin::Variable(_));
        let expected = if is_list { list(path) } else { expected };
        let found = found(&actual, path.is_secret());
        let problem = ConfigProblem::new(origin, format!("`{path}` must be {expected}, not {found}"));
        if is_list_of_variable {
            return problem.with_help(r#"a list is written as in the file: ["one", "two"]"#);
        }
        problem
    }

    /// A key that is not known, and the one that was meant or those that there are.
    fn unknown_key(&self, path: &KeyPath, origin: Origin, known: &[&str]) -> ConfigProblem {
        let wrong = path.last_key();
        // Of a module, its type knows neither the one setting that every module has nor other sections.
        let is_of_module = path.len() > 1 && path[0] == MODULES;
        let also_known = if is_of_module && path.len() == 3 { &[ENABLED][..] } else { &[] };
        let known = [also_known, known].concat();
        let message = format!("unknown key `{path}`");
        let is_of_server = path.len() == 1 || (path.len() == 2 && path[0] == "server");
        if is_of_server && NAMES_OF_LISTEN.contains(&wrong) {
            let meant = did_you_mean(Some("server.listen = \"127.0.0.1:9000\""));
            return ConfigProblem::new(origin, format!("{message}{meant}"));
        }
        if let Some(meant) = closest(wrong, known.iter().copied()) {
            return ConfigProblem::new(origin, format!("{message}{}", did_you_mean(Some(meant))));
        }
        let mut elsewhere = Vec::new();
        // Whoever wrote a section meant something of it: the same word of another one is about something else.
        if path.len() == 1 {
            find_key(&self.defaults, &KeyPath::default(), wrong, &mut elsewhere);
        }
        // Several sections have an `enabled`: none of them is likelier than the others.
        if let [elsewhere] = elsewhere.as_slice() {
            return ConfigProblem::new(origin, format!("{message}{}", did_you_mean(Some(elsewhere))));
        }
        let help = match known.as_slice() {
            [] => "no settings are known there".to_owned(),
            known => format!("known there: `{}`", known.join("`, `")),
        };
        ConfigProblem::new(origin, message).with_help(help)
    }

    /// The default of the setting at `path`; those of lists are replaced as a whole.
    pub(super) fn default(&self, path: &KeyPath) -> Option<&Value> {
        path.iter().try_fold(&self.defaults, |value, key| value.as_dict()?.get(key))
    }
}

/// Where else in the configuration a setting of this name is.
fn find_key(table: &Value, path: &KeyPath, key: &str, found: &mut Vec<KeyPath>) {
    for (name, value) in table.as_dict().into_iter().flatten() {
        let path = path.key(name);
        find_key(value, &path, key, found);
        found.extend((name == key).then_some(path));
    }
}

/// What stands there instead of what was expected; of a secret only what kind of thing it is.
fn found(actual: &Actual, is_secret: bool) -> String {
    let (kind, value) = match actual {
        Actual::Bool(value) => ("a boolean", Some(value.to_string())),
        Actual::Unsigned(u128::MAX) => ("a number with too many digits", None),
        Actual::Unsigned(value) => ("this number", Some(value.to_string())),
        Actual::Signed(value) => ("this number", Some(value.to_string())),
        Actual::Float(value) => ("this number", Some(format!("{value:?}"))),
        Actual::Str(value) if value.is_empty() => ("empty text", None),
        Actual::Str(value) if value.chars().count() <= 60 => ("this text", Some(format!("{value:?}"))),
        Actual::Str(_) => ("this text", None),
        Actual::Seq => (A_LIST, None),
        Actual::Map => ("a table", None),
        Actual::Unit => ("a date or time", None),
        Actual::Other(kind) => (kind.as_str(), None),
        _ => ("this", None),
    };
    value.filter(|_| !is_secret).unwrap_or_else(|| kind.to_owned())
}

/// What serde's own types call what they expect, in the words of an operator.
fn in_plain_words(expected: String) -> String {
    let whole_number = |min: i128, max: i128| format!("a whole number from {min} to {max}");
    match expected.as_str() {
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
        structure if structure.starts_with("struct ") => "a table".to_owned(),
        _ => expected,
    }
}

/// How a list is written that people write otherwise.
fn list(path: &KeyPath) -> String {
    let path = path.to_string();
    if LISTS_OF_TABLES.contains(&path.as_str()) {
        return format!("a list of tables, each below its own line `[[{path}]]`");
    }
    match path.as_str() {
        "seller.address" => r#"a list of lines, such as ["Lampenweg 5", "10115 Berlin"]"#.to_owned(),
        _ => A_LIST.to_owned(),
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
