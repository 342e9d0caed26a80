//! What is to be said: the key of a text and what is put in.

use std::borrow::Cow;

/// The key of a text and the values of its variables, in no language yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    pub(super) key: &'static str,
    pub(super) values: Vec<(&'static str, Value)>,
}

impl Text {
    /// Used by [`text!`](crate::text!), which has the key checked.
    #[doc(hidden)]
    pub fn new(key: &'static str, values: Vec<(&'static str, Value)>) -> Self {
        Self { key, values }
    }
}

/// What stands in place of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// As it is.
    Text(String),
    /// Digits, by which a text may choose between one and many.
    Number(i64),
    /// Several, each in the language's quotation marks.
    Quoted {
        /// The first of them.
        values: Vec<String>,
        /// Whether there are more.
        is_cut: bool,
    },
}

/// Above it, Fluent would round.
const LARGEST_NUMBER: u64 = 1 << 53;

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Cow<'_, str>> for Value {
    fn from(text: Cow<'_, str>) -> Self {
        Self::Text(text.into_owned())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

macro_rules! numbers {
    ($($number:ty)+) => {
        $(impl From<$number> for Value {
            fn from(number: $number) -> Self {
                match i64::try_from(number) {
                    Ok(number) if number.unsigned_abs() <= LARGEST_NUMBER => Self::Number(number),
                    _ => number.to_string().into(),
                }
            }
        })+
    };
}

numbers!(i64 u64 u32 usize);

/// Says a text by its key, with its variables: a [`Message`](crate::i18n::Message).
///
/// The text stands in the files of [`texts!`](crate::texts!). Each start of the program checks that it is there, and that
/// it names no variable but these.
///
/// ```
/// # extern crate stoa_base as stoa_core;
/// use stoa_core::{text, texts};
///
/// texts! {
///     en: "doc-greeting = Hello, { $name }.",
///     de: "doc-greeting = Guten Tag, { $name }.",
///     nl: "doc-greeting = Goedendag, { $name }.",
/// }
///
/// let greeting = text!("doc-greeting", name = "Ada");
/// assert_eq!(greeting.to_string(), "Hello, Ada.");
/// ```
#[macro_export]
macro_rules! text {
    ($($text:tt)+) => {
        $crate::i18n::Message::from($crate::__text!($($text)+))
    };
}

/// The same as a [`Text`].
#[doc(hidden)]
#[macro_export]
macro_rules! __text {
    ($key:literal $(, $name:ident = $value:expr)* $(,)?) => {{
        $crate::__private::inventory::submit! {
            $crate::i18n::UsedText {
                key: $key,
                variables: &[$(stringify!($name)),*],
                file: file!(),
                line: line!(),
            }
        }
        $crate::i18n::Text::new($key, vec![$((stringify!($name), $crate::i18n::Value::from($value))),*])
    }};
}
