//! Reading JSON strictly: duplicate keys and absurd nesting are refused, positions are reported.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::error::ApiError;
use crate::i18n::{Message, Violation};

/// Deeper nesting than any request of this API needs.
const MAX_DEPTH: u8 = 32;

/// The marks that a failure of our own leaves in serde's message, since serde carries only text.
const DUPLICATE: &str = "duplicate key ";
const TOO_DEEP: &str = "nested too deep";

/// Parses the body of a write. An empty body counts as `{}` (contract 2).
pub(super) fn parse(bytes: &[u8]) -> Result<Value, ApiError> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Value::Object(Map::new()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = Strict { depth: 0 }.deserialize(&mut deserializer).and_then(|value| {
        deserializer.end()?;
        Ok(value)
    });
    value.map_err(|error| ApiError::invalid_body(explain(&error)))
}

fn explain(error: &serde_json::Error) -> Message {
    let text = error.to_string();
    if let Some(rest) = text.strip_prefix(DUPLICATE) {
        let key = rest.rsplit_once(" at line").map_or(rest, |(key, _)| key);
        return Violation::DuplicateKey.on(key.to_owned());
    }
    if text.starts_with(TOO_DEEP) || text.starts_with("recursion limit") {
        return Message::NestingTooDeep { max: usize::from(MAX_DEPTH) };
    }
    Message::MalformedJson { line: error.line(), column: error.column() }
}

#[derive(Clone, Copy)]
struct Strict {
    depth: u8,
}

impl Strict {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth >= MAX_DEPTH {
            return Err(E::custom(TOO_DEEP));
        }
        Ok(Self { depth: self.depth + 1 })
    }
}

impl<'de> DeserializeSeed<'de> for Strict {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.deeper()?;
        let mut map = Map::new();
        while let Some(key) = members.next_key::<String>()? {
            let value = members.next_value_seed(inner)?;
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("{DUPLICATE}{key}")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::{Language, Texts};

    fn message(text: &str) -> String {
        let error = parse(text.as_bytes()).expect_err("the text is refused");
        error.body(&Texts::built_in(), Language::EN).message
    }

    #[test]
    fn an_empty_body_counts_as_an_empty_object() {
        assert_eq!(parse(b" \r\n").expect("parses"), Value::Object(Map::new()));
    }

    #[test]
    fn a_duplicate_key_is_named() {
        assert!(message(r#"{"name": "a", "name": "b"}"#).contains("name"));
    }

    #[test]
    fn nesting_is_allowed_up_to_the_limit_only() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(nested(32).as_bytes()).is_ok());
        assert!(message(&nested(33)).contains("32"));
        assert!(message(&nested(50_000)).contains("32"));
    }

    #[test]
    fn malformed_text_is_located() {
        assert!(message("{\n  \"a\": }").contains('2'));
        for text in ["{", "nonsense", "{} {}", "{'a': 1}", "\"\\ud800\"", "NaN"] {
            assert!(parse(text.as_bytes()).is_err(), "{text}");
        }
        assert!(parse(b"\xff\xfe").is_err());
    }
}
