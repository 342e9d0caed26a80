//! A part of the tree into a type, with everything that is wrong in it.

use std::collections::{BTreeSet, btree_map};
use std::slice;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;

use super::super::error::ConfigProblem;
use super::fault::{Fault, Kind, one_of};
use super::{Content, KeyPath, Node, closest, parse};

/// What helps to guess which key was meant.
#[derive(Clone, Copy)]
pub(in crate::config) struct Hints<'a> {
    /// The table that is decoded.
    pub(in crate::config) root: &'a KeyPath,
    /// Keys of that table which its type does not name.
    pub(in crate::config) also_known: &'a [&'static str],
    /// The defaults, to find a key that stands in the wrong section.
    pub(in crate::config) defaults: Option<&'a Node>,
}

/// The problems found so far, and the settings that they are in.
#[derive(Debug, Default)]
pub(in crate::config) struct Problems {
    pub(in crate::config) list: Vec<ConfigProblem>,
    places: BTreeSet<KeyPath>,
}

impl Problems {
    /// Adds a problem with the setting at `path`.
    pub(in crate::config) fn add(&mut self, path: &KeyPath, problem: ConfigProblem) {
        self.list.push(problem);
        self.places.insert(path.clone());
    }

    /// Whether there is a problem with the setting at `path` or with anything in it.
    pub(in crate::config) fn any_in(&self, path: &KeyPath) -> bool {
        self.places.iter().any(|place| place.starts_with(path))
    }
}

/// Decodes a node, noting all that is wrong with it.
///
/// serde stops at the first error. So what is wrong is left out and the rest decoded again, until
/// nothing is wrong any more. None when not even the rest makes a `T`; there is a problem then.
pub(in crate::config) fn decode<T: DeserializeOwned>(
    node: &Node,
    hints: Hints<'_>,
    problems: &mut Problems,
) -> Option<T> {
    let mut left_out = BTreeSet::new();
    loop {
        let reader = Reader { node, siblings: &[], left_out: &left_out };
        let fault = match T::deserialize(reader) {
            Ok(value) => return Some(value),
            Err(fault) => fault.at(node),
        };
        let (path, origin) = *fault.place.clone().expect("`at` has set the place");
        if !is_consequence(&fault.kind, &path, &left_out) {
            problems.add(&path, fault.into_problem(&path, origin, hints));
        }
        let is_whole = path == node.path;
        if is_whole || !left_out.insert(path) {
            return None;
        }
    }
}

/// Whether a fault at `path` is there only because something wrong, told already, was left out.
fn is_consequence(kind: &Kind, path: &KeyPath, left_out: &BTreeSet<KeyPath>) -> bool {
    let mut inside = left_out.iter().filter(|inner| inner.starts_with(path));
    match kind {
        Kind::UnknownKey { .. } => false,
        // Its value was wrong, or its name was.
        Kind::MissingKey { key } => inside
            .filter(|inner| inner.parent().as_ref() == Some(path))
            .filter_map(|inner| inner.last_key())
            .any(|name| closest(name, [*key]).is_some()),
        Kind::WrongValue { .. } | Kind::WrongKey { .. } | Kind::Other(_) => inside.next().is_some(),
    }
}

/// Whether a node is a table; when not, that is noted.
pub(in crate::config) fn expect_table(node: &Node, hints: Hints<'_>, problems: &mut Problems) -> bool {
    let is_table = node.entries().is_some();
    if !is_table {
        let fault = Fault::wrong_value(unexpected(&node.content), "a table");
        problems.add(&node.path, fault.into_problem(&node.path, node.origin.clone(), hints));
    }
    is_table
}

/// serde's view of a node.
#[derive(Clone, Copy)]
struct Reader<'a> {
    node: &'a Node,
    /// The keys that the table around this node knows.
    siblings: &'static [&'static str],
    /// Settings that are taken as absent.
    left_out: &'a BTreeSet<KeyPath>,
}

impl<'a> Reader<'a> {
    fn of(self, node: &'a Node) -> Self {
        Self { node, siblings: &[], ..self }
    }

    /// What the node holds; of a variable, the TOML value that it spells, else its text.
    fn with_content<R>(self, then: impl FnOnce(&Content) -> Result<R, Fault>) -> Result<R, Fault> {
        let result = match &self.node.content {
            Content::Variable(text) => {
                let parsed = parse::parse_value(text, &self.node.path, &self.node.origin);
                then(&parsed.unwrap_or_else(|| Content::Text(text.clone())))
            }
            content => then(content),
        };
        result.map_err(|fault| fault.at(self.node))
    }

    fn visit<'de, V: Visitor<'de>>(
        self,
        content: &Content,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match content {
            Content::Table(entries) => {
                visitor.visit_map(Entries { reader: self, fields, rest: entries.iter(), value: None })
            }
            Content::List(elements) => visitor.visit_seq(Elements { reader: self, rest: elements.iter() }),
            Content::Text(text) | Content::Variable(text) => visitor.visit_str(text),
            Content::Integer(number) => visitor.visit_i64(*number),
            Content::Float(number) => visitor.visit_f64(*number),
            Content::Boolean(boolean) => visitor.visit_bool(*boolean),
            Content::Other(what) => Err(serde::de::Error::invalid_type(Unexpected::Other(what), &visitor)),
        }
    }
}

impl<'de> Deserializer<'de> for Reader<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.with_content(|content| self.visit(content, &[], visitor))
    }

    /// Text: a variable is taken as it is, so that `STOA_SHOP__NAME=42` is a name.
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.with_content(|content| match (&self.node.content, content) {
            (_, Content::Text(text)) | (Content::Variable(text), _) => visitor.visit_str(text),
            (_, content) => self.visit(content, &[], visitor),
        })
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.with_content(|content| match content {
            Content::Table(_) => self.visit(content, fields, visitor),
            // A struct would take a list for its fields in order; nobody means that.
            Content::List(_) => Err(serde::de::Error::invalid_type(Unexpected::Seq, &visitor)),
            content => self.visit(content, fields, visitor),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.with_content(|content| match content {
            Content::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            Content::Table(entries) => visitor.visit_enum(MapAccessDeserializer::new(Entries {
                reader: self,
                fields: variants,
                rest: entries.iter(),
                value: None,
            })),
            content => Err(Fault::wrong_value(unexpected(content), one_of(variants))),
        })
    }

    /// A type without settings, such as `()`: the table has to be empty.
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.with_content(|content| match content {
            Content::Table(entries) => match entries.values().find(|entry| !self.left_out.contains(&entry.path)) {
                Some(entry) => Err(Fault::unknown_key(&[]).at(entry)),
                None => visitor.visit_unit(),
            },
            content => self.visit(content, &[], visitor),
        })
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    /// A key that its type does not know is refused, also where the type forgot to say so.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Fault> {
        Err(Fault::unknown_key(self.siblings).at(self.node))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64
        bytes byte_buf seq tuple tuple_struct map identifier
    }
}

fn unexpected(content: &Content) -> Unexpected<'_> {
    match content {
        Content::Table(_) => Unexpected::Map,
        Content::List(_) => Unexpected::Seq,
        Content::Text(text) | Content::Variable(text) => Unexpected::Str(text),
        Content::Integer(number) => Unexpected::Signed(*number),
        Content::Float(number) => Unexpected::Float(*number),
        Content::Boolean(boolean) => Unexpected::Bool(*boolean),
        Content::Other(what) => Unexpected::Other(what),
    }
}

struct Entries<'a> {
    reader: Reader<'a>,
    fields: &'static [&'static str],
    rest: btree_map::Iter<'a, String, Node>,
    value: Option<&'a Node>,
}

impl<'de> MapAccess<'de> for Entries<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let left_out = self.reader.left_out;
        let Some((key, node)) = self.rest.find(|(_, node)| !left_out.contains(&node.path)) else {
            return Ok(None);
        };
        self.value = Some(node);
        let key: StrDeserializer<'_, Fault> = key.as_str().into_deserializer();
        seed.deserialize(key).map(Some).map_err(|fault| fault.at_key(node))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let node = self.value.take().expect("serde asks for a key before its value");
        let reader = Reader { siblings: self.fields, ..self.reader.of(node) };
        // Here again, for what a type has to say after it has read the whole node.
        seed.deserialize(reader).map_err(|fault| fault.at(node))
    }
}

struct Elements<'a> {
    reader: Reader<'a>,
    rest: slice::Iter<'a, Node>,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let left_out = self.reader.left_out;
        match self.rest.find(|node| !left_out.contains(&node.path)) {
            Some(node) => {
                let element = seed.deserialize(self.reader.of(node));
                element.map(Some).map_err(|fault| fault.at(node))
            }
            None => Ok(None),
        }
    }
}
