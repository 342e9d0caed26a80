//! The rule table of one input, and what of a body it accepts.

use serde_json::{Map, Value};

use super::Field;
use crate::http::error::{ApiError, ApiResult, FieldProblem, FieldProblems};
use crate::i18n::{Message, Violation};

/// The rule table of one input.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    pub(crate) fields: Vec<Field>,
}

impl Rules {
    /// A table of these fields.
    pub fn new(fields: impl Into<Vec<Field>>) -> Self {
        Self { fields: fields.into() }
    }

    /// The names of the fields.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.fields.iter().map(|field| field.name)
    }

    /// Checks a whole body: all problems of all fields at once, unknown members ignored.
    pub fn validate(&self, body: &Value) -> ApiResult<Value> {
        self.validate_with(body, |_| FieldProblems::new())
    }

    /// The same, with the problems that `further` finds in what the table has accepted; what it refuses is null there.
    pub fn validate_with(&self, body: &Value, further: impl FnOnce(&Value) -> FieldProblems) -> ApiResult<Value> {
        let (accepted, problems) = self.examine(body, further)?;
        if problems.is_empty() { Ok(accepted) } else { Err(ApiError::validation(problems)) }
    }

    /// What of a whole body is accepted, and what is wrong with the rest, which is null there; refused is what is no object.
    pub fn examine(
        &self,
        body: &Value,
        further: impl FnOnce(&Value) -> FieldProblems,
    ) -> ApiResult<(Value, FieldProblems)> {
        let Value::Object(members) = body else {
            return Err(ApiError::invalid_body(Message::BodyNotObject));
        };
        let mut problems = FieldProblems::new();
        let accepted = Value::Object(self.accept("", members, &mut problems));
        for (field, found) in further(&accepted) {
            problems.entry(field).or_default().extend(found);
        }
        Ok((accepted, problems))
    }

    pub(super) fn accept(
        &self,
        prefix: &str,
        members: &Map<String, Value>,
        problems: &mut FieldProblems,
    ) -> Map<String, Value> {
        let mut accepted = Map::new();
        for field in &self.fields {
            let path = format!("{prefix}{}", field.name);
            match members.get(field.name) {
                Some(value) => {
                    accepted.insert(field.name.to_owned(), field.accept(&path, value, problems));
                }
                None if field.required => {
                    let message = Violation::Required.on(path.clone());
                    problems.entry(path).or_default().push(FieldProblem::Message(message));
                }
                None => {}
            }
        }
        accepted
    }
}
