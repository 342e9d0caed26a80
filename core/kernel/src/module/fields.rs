//! The names of a settings type's fields, as the file that is read into it writes them.

use std::cell::Cell;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The keys that a struct is read from; none for what is no struct, or takes any key.
pub(crate) fn fields_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let found = Cell::new(&[][..]);
    // Reading fails at once; what was asked for is all that is wanted.
    let _ = T::deserialize(FieldProbe(&found));
    found.get()
}

/// A deserializer that has nothing to give, and remembers what it was asked for.
struct FieldProbe<'a>(&'a Cell<&'static [&'static str]>);

impl<'de> Deserializer<'de> for FieldProbe<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is given"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Error> {
        self.0.set(fields);
        Err(Error::custom("nothing is given"))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq
        tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    #[serde(default, rename_all = "kebab-case")]
    struct Named {
        one_thing: u32,
        #[serde(rename = "other")]
        another: String,
    }

    impl Default for Named {
        fn default() -> Self {
            Self { one_thing: 1, another: String::new() }
        }
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its fields' names are looked at")]
    struct Wrapped(Named);

    #[test]
    fn fields_are_named_as_they_are_written() {
        assert_eq!(fields_of::<Named>(), ["one-thing", "other"]);
        assert_eq!(fields_of::<Wrapped>(), ["one-thing", "other"]);
        assert_eq!(fields_of::<()>(), [""; 0]);
        assert_eq!(fields_of::<Vec<Named>>(), [""; 0]);
    }
}
