//! Validation rules as data: one table per input, close to the wording of the specification.
//!
//! The same table checks the JSON of a request (all fields, all problems at once) and describes
//! the request in the OpenAPI document, so that the two cannot differ.

mod email;
mod table;

use std::borrow::Cow;

use serde_json::Value;

pub use email::is_email;
pub use table::Rules;

use super::error::{FieldProblem, FieldProblems};
use crate::i18n::{Message, Violation};

/// A further check of one value, after its type was found right.
pub type Check = fn(field: &str, value: &Value) -> Option<Message>;

/// What kind of value a field takes.
#[derive(Debug, Clone)]
pub enum Kind {
    /// Text of at most `max` characters (and at least `min`).
    String {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: usize,
        /// Whether line breaks and tabs may occur.
        multiline: bool,
        /// Whether white space at the ends is removed; passwords keep it.
        trimmed: bool,
        /// The format named in the document, such as `email`.
        format: Option<&'static str>,
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// `true` or `false`.
    Boolean,
    /// A list of at most `max` items of one kind.
    Array {
        /// What the items are.
        item: Box<Field>,
        /// Most items.
        max: usize,
    },
    /// An object with its own table.
    Object(Rules),
    /// An object of at most `max` members whose names no table knows; the handler looks at them.
    Map {
        /// Most members.
        max: usize,
    },
}

impl Kind {
    /// What is wrong with a value of another kind.
    fn violation(&self) -> Violation {
        match self {
            Self::String { .. } => Violation::String,
            Self::Integer { .. } => Violation::Integer,
            Self::Boolean => Violation::Boolean,
            Self::Array { .. } => Violation::Array,
            Self::Object(_) | Self::Map { .. } => Violation::Object,
        }
    }
}

/// One field of a rule table.
#[derive(Debug, Clone)]
pub struct Field {
    pub(crate) name: &'static str,
    pub(crate) required: bool,
    pub(crate) nullable: bool,
    pub(crate) kind: Kind,
    pub(crate) description: &'static str,
    pub(crate) label: Option<&'static str>,
    pub(crate) check: Option<Check>,
    pub(crate) values: Vec<&'static str>,
    pub(crate) empty_list: bool,
    pub(crate) pattern: Option<&'static str>,
    pub(crate) schema: Option<&'static str>,
}

/// Starts a field: optional text of at most 255 characters unless said otherwise.
pub fn field(name: &'static str) -> Field {
    Field {
        name,
        required: false,
        nullable: false,
        kind: Kind::String { min: 0, max: 255, multiline: false, trimmed: true, format: None },
        description: "",
        label: None,
        check: None,
        values: Vec::new(),
        empty_list: false,
        pattern: None,
        schema: None,
    }
}

impl Field {
    /// The field must be there and not null or blank.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Null is allowed and means "none".
    #[must_use]
    pub fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Text.
    #[must_use]
    pub fn string(mut self) -> Self {
        self.kind = Kind::String { min: 0, max: 255, multiline: false, trimmed: true, format: None };
        self
    }

    /// A whole number between `min` and `max`.
    #[must_use]
    pub fn integer(mut self, min: i64, max: i64) -> Self {
        self.kind = Kind::Integer { min, max };
        self
    }

    /// `true` or `false`.
    #[must_use]
    pub fn boolean(mut self) -> Self {
        self.kind = Kind::Boolean;
        self
    }

    /// An empty list counts as nothing: languages whose lists and maps are one write an empty object like this.
    #[must_use]
    pub fn or_empty_list(mut self) -> Self {
        self.empty_list = true;
        self
    }

    /// A list of at most `max` values that follow `item`.
    #[must_use]
    pub fn array(mut self, item: Field, max: usize) -> Self {
        self.kind = Kind::Array { item: Box::new(item), max };
        self
    }

    /// An object with its own table.
    #[must_use]
    pub fn object(mut self, rules: Rules) -> Self {
        self.kind = Kind::Object(rules);
        self
    }

    /// An object of at most `max` members whose names and values only the handler can know.
    #[must_use]
    pub fn map(mut self, max: usize) -> Self {
        self.kind = Kind::Map { max };
        self
    }

    /// Text of at most this many characters.
    #[must_use]
    pub fn max(mut self, characters: usize) -> Self {
        if let Kind::String { max, .. } = &mut self.kind {
            *max = characters;
        }
        self
    }

    /// Text of at least this many characters.
    #[must_use]
    pub fn min(mut self, characters: usize) -> Self {
        if let Kind::String { min, .. } = &mut self.kind {
            *min = characters;
        }
        self
    }

    /// Text of exactly this many characters.
    #[must_use]
    pub fn length(self, characters: usize) -> Self {
        self.min(characters).max(characters)
    }

    /// Text that may hold line breaks and tabs.
    #[must_use]
    pub fn multiline(mut self) -> Self {
        if let Kind::String { multiline, .. } = &mut self.kind {
            *multiline = true;
        }
        self
    }

    /// Text that is taken as it is, with its spaces: passwords.
    #[must_use]
    pub fn untrimmed(mut self) -> Self {
        if let Kind::String { trimmed, .. } = &mut self.kind {
            *trimmed = false;
        }
        self
    }

    /// One of these texts.
    #[must_use]
    pub fn one_of(mut self, values: Vec<&'static str>) -> Self {
        self.values = values;
        self
    }

    /// A further check.
    #[must_use]
    pub fn check(mut self, check: Check) -> Self {
        self.check = Some(check);
        self
    }

    /// What the further check asks of a text, as a regular expression for the document.
    #[must_use]
    pub fn pattern(mut self, pattern: &'static str) -> Self {
        self.pattern = Some(pattern);
        self
    }

    /// What the further check asks of a text, as a format for the document, such as `uri`.
    #[must_use]
    pub fn format(mut self, name: &'static str) -> Self {
        if let Kind::String { format, .. } = &mut self.kind {
            *format = Some(name);
        }
        self
    }

    /// The name of the value's schema in the document, for one that stands in several places: that of an object is made
    /// from its table.
    #[must_use]
    pub fn named(mut self, schema: &'static str) -> Self {
        self.schema = Some(schema);
        self
    }

    /// What the field is, for the document.
    #[must_use]
    pub fn describe(mut self, text: &'static str) -> Self {
        self.description = text;
        self
    }

    /// What the field is called on forms, where its name does not say it.
    #[must_use]
    pub fn label(mut self, text: &'static str) -> Self {
        self.label = Some(text);
        self
    }

    /// The value as it is used (text trimmed, blank text as null), or its problem.
    fn accept(&self, path: &str, value: &Value, problems: &mut FieldProblems) -> Value {
        let mut refuse = |message: Message| {
            problems.entry(path.to_owned()).or_default().push(FieldProblem::Message(message));
            Value::Null
        };
        let field = path.to_owned();
        let accepted = match (&self.kind, value) {
            (kind, Value::Null) if !self.required && !self.nullable => return refuse(kind.violation().on(field)),
            (_, Value::Null) => Value::Null,
            (Kind::String { min, max, multiline, trimmed, .. }, Value::String(text)) => {
                let text = if *trimmed { text.trim() } else { text.as_str() };
                let length = text.chars().count();
                let forbidden = |c: char| c.is_control() && !(*multiline && matches!(c, '\n' | '\r' | '\t'));
                if text.is_empty() && !self.required && !self.nullable {
                    return refuse(Violation::MinLength { min: (*min).max(1) }.on(field));
                } else if text.is_empty() {
                    Value::Null
                } else if text.chars().any(forbidden) {
                    return refuse(Violation::ControlCharacters.on(field));
                } else if min == max && length != *max {
                    return refuse(Violation::ExactLength { length: *max }.on(field));
                } else if length > *max {
                    return refuse(Violation::MaxLength { max: *max }.on(field));
                } else if length < *min {
                    return refuse(Violation::MinLength { min: *min }.on(field));
                } else if !self.values.is_empty() && !self.values.contains(&text) {
                    let allowed = self.values.iter().map(|value| Cow::Borrowed(*value)).collect();
                    return refuse(Violation::OneOf { allowed }.on(field));
                } else {
                    Value::String(text.to_owned())
                }
            }
            (Kind::Integer { min, max }, Value::Number(number)) => match number.as_i64() {
                Some(n) if n < *min => return refuse(Violation::MinValue { min: *min }.on(field)),
                Some(n) if n > *max => return refuse(Violation::MaxValue { max: *max }.on(field)),
                Some(n) => n.into(),
                None if number.as_u64().is_some() => {
                    return refuse(Violation::MaxValue { max: *max }.on(field));
                }
                None => return refuse(Violation::Integer.on(field)),
            },
            (Kind::Boolean, Value::Bool(flag)) => (*flag).into(),
            (Kind::Array { item, max }, Value::Array(items)) => {
                if items.len() > *max {
                    return refuse(Violation::MaxItems { max: *max }.on(field));
                }
                let mut accepted = Vec::with_capacity(items.len());
                for (index, value) in items.iter().enumerate() {
                    accepted.push(item.accept(&format!("{path}.{index}"), value, problems));
                }
                Value::Array(accepted)
            }
            (Kind::Object(_), Value::Array(items)) if items.is_empty() && self.empty_list => Value::Null,
            (Kind::Object(rules), Value::Object(members)) => {
                Value::Object(rules.accept(&format!("{path}."), members, problems))
            }
            (Kind::Map { max }, Value::Object(members)) => {
                if members.len() > *max {
                    return refuse(Violation::MaxItems { max: *max }.on(field));
                }
                Value::Object(members.clone())
            }
            (kind, _) => return refuse(kind.violation().on(field)),
        };
        if accepted.is_null() {
            if self.required {
                problems.entry(path.to_owned()).or_default().push(FieldProblem::Message(Violation::Required.on(field)));
            }
        } else if let Some(message) = self.check.and_then(|check| check(path, &accepted)) {
            problems.entry(path.to_owned()).or_default().push(FieldProblem::Message(message));
        }
        accepted
    }
}
