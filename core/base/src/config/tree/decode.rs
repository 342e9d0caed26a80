//! A part of the tree into a type, with everything that is wrong in it.

use std::borrow::Cow;
use std::collections::{BTreeSet, btree_map};
use std::fmt::Display;
use std::iter::Enumerate;
use std::slice;

use figment::error::{Actual, Error, Kind};
use figment::value::{Empty, Num, Value};
use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::super::error::ConfigProblem;
use super::fault::one_of;
use super::{KeyPath, Tree, child_mut};
use crate::suggestion::closest;

/// The problems found so far, and the settings that they are in.
#[derive(Debug, Default)]
pub(in crate::config) struct Problems {
    pub(in crate::config) list: Vec<ConfigProblem>,
    places: BTreeSet<KeyPath>,
}

impl Problems {
    /// Whether there is a problem with the setting at `path` or with anything in it.
    pub(in crate::config) fn any_in(&self, path: &KeyPath) -> bool {
        self.places.iter().any(|place| place.starts_with(path))
    }
}

/// In place of what is left out.
const LEFT_OUT: Empty = Empty::None;

impl Tree {
    /// Decodes `value`, which stands at `path`, noting all that is wrong with it.
    ///
    /// serde stops at the first error. So what is wrong gives way to its default or is left out, and the rest is decoded again,
    /// until nothing is wrong any more. None when not even the rest makes a `T`; there is a problem then.
    pub(in crate::config) fn decode<T: DeserializeOwned>(
        &self,
        path: &KeyPath,
        mut value: Value,
        problems: &mut Problems,
    ) -> Option<T> {
        let mut left_out = BTreeSet::new();
        loop {
            let error = match T::deserialize(Reader { tree: self, value: &value, siblings: &[], fields: &[] }) {
                Ok(decoded) => return Some(decoded),
                Err(error) => error,
            };
            let place = path.join(&error.path);
            if !is_consequence(&error.kind, &place, &left_out) {
                problems.list.push(self.problem(&place, error.kind));
                problems.places.insert(place.clone());
            }
            let default = self.default(&place).cloned().unwrap_or(LEFT_OUT.into());
            self.replace(&mut value, &error.path, default);
            if error.path.is_empty() || !left_out.insert(place) {
                return None;
            }
        }
    }

    /// Puts something else in the place of what stands at `path` in `value`.
    fn replace(&self, value: &mut Value, path: &[String], by: Value) {
        let Some((first, rest)) = path.split_first() else {
            *value = by;
            return;
        };
        if let Some(spelled) = self.spelled(value) {
            *value = spelled;
        }
        if let Some(child) = child_mut(value, first) {
            self.replace(child, rest, by);
        }
    }
}

/// Whether an error at `path` is there only because something wrong, told already, was left out.
fn is_consequence(kind: &Kind, path: &KeyPath, left_out: &BTreeSet<KeyPath>) -> bool {
    let mut inside = left_out.iter().filter(|inner| inner.starts_with(path));
    match kind {
        Kind::UnknownField(..) => false,
        // Its value was wrong, or its name was.
        Kind::MissingField(key) => inside
            .filter(|inner| inner.len() == path.len() + 1)
            .any(|inner| closest(inner.last_key(), [&**key]).is_some()),
        _ => inside.next().is_some(),
    }
}

/// serde's view of a value, stricter than figment's: a struct is no list, and a key that a type does not know is refused.
#[derive(Clone, Copy)]
struct Reader<'a> {
    tree: &'a Tree,
    value: &'a Value,
    /// The keys that the table around this value knows.
    siblings: &'static [&'static str],
    /// The keys that this table knows.
    fields: &'static [&'static str],
}

impl Reader<'_> {
    /// What is to be read; of a variable, the TOML value that it spells, else its text.
    fn value(&self) -> Cow<'_, Value> {
        self.tree.spelled(self.value).map_or(Cow::Borrowed(self.value), Cow::Owned)
    }
}

fn wrong_type(value: &Value, expected: impl Display) -> Error {
    Kind::InvalidType(value.to_actual(), expected.to_string()).into()
}

/// The same error, in what stands at `segment` of the table or list.
fn within(mut error: Error, segment: &str) -> Error {
    error.path.insert(0, segment.to_owned());
    error
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &*self.value() {
            Value::Dict(_, entries) => visitor.visit_map(Entries { reader: self, rest: entries.iter(), value: None }),
            Value::Array(_, elements) => {
                visitor.visit_seq(Elements { reader: self, rest: elements.iter().enumerate() })
            }
            // A date or time, or a number with too many digits.
            value @ (Value::Empty(..) | Value::Num(_, Num::U128(_))) => {
                Err(wrong_type(value, &visitor as &dyn Expected))
            }
            value => value.deserialize_any(visitor),
        }
    }

    /// Text: a variable is taken as it is, so that `STOA_SHOP__NAME=42` is a name.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match (&*self.value(), self.value) {
            (Value::String(_, text), _) | (_, Value::String(_, text)) => visitor.visit_str(text),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match &*self.value() {
            // A struct would take a list for its fields in order; nobody means that.
            list @ Value::Array(..) => Err(wrong_type(list, &visitor as &dyn Expected)),
            _ => Reader { fields, ..self }.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match &*self.value() {
            Value::String(_, text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Value::Dict(_, entries) => {
                let entries = Entries { reader: self, rest: entries.iter(), value: None };
                visitor.visit_enum(MapAccessDeserializer::new(entries))
            }
            value => Err(wrong_type(value, one_of(variants))),
        }
    }

    /// A type without settings, such as `()`: the table has to be empty.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match &*self.value() {
            Value::Dict(_, entries) => match entries.iter().find(|(_, value)| !is_left_out(value)) {
                Some((key, _)) => Err(within(serde::de::Error::unknown_field(key, &[]), key)),
                None => visitor.visit_unit(),
            },
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    /// A key that its type does not know is refused, also where the type forgot to say so.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::unknown_field("", self.siblings))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64
        bytes byte_buf seq tuple tuple_struct map identifier
    }
}

fn is_left_out(value: &Value) -> bool {
    value.to_empty() == Some(LEFT_OUT)
}

struct Entries<'a> {
    reader: Reader<'a>,
    rest: btree_map::Iter<'a, String, Value>,
    value: Option<(&'a str, &'a Value)>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some((key, value)) = self.rest.find(|(_, value)| !is_left_out(value)) else {
            return Ok(None);
        };
        self.value = Some((key, value));
        let name: StrDeserializer<'_, Error> = key.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|mut error| {
            // It is the key that is wrong rather than its value.
            error.kind = match error.kind {
                Kind::InvalidType(actual, expected) | Kind::InvalidValue(actual, expected) => {
                    Kind::UnsupportedKey(actual, expected.into())
                }
                Kind::UnknownVariant(variant, variants) => {
                    Kind::UnsupportedKey(Actual::Str(variant), one_of(variants).into())
                }
                kind => kind,
            };
            within(error, key)
        })
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (key, value) = self.value.take().expect("serde asks for a key before its value");
        let reader = Reader { value, siblings: self.reader.fields, fields: &[], ..self.reader };
        seed.deserialize(reader).map_err(|error| within(error, key))
    }
}

struct Elements<'a> {
    reader: Reader<'a>,
    rest: Enumerate<slice::Iter<'a, Value>>,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some((index, value)) = self.rest.find(|(_, value)| !is_left_out(value)) else {
            return Ok(None);
        };
        let reader = Reader { value, siblings: &[], fields: &[], ..self.reader };
        seed.deserialize(reader).map(Some).map_err(|error| within(error, &format!("[{index}]")))
    }
}
