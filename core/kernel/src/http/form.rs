//! The fields of a form, as browsers send them.

use std::sync::Arc;

use axum::extract::{FromRequest, Request};
use serde_json::{Map, Value};

use super::error::{ApiError, ApiResult};
use super::extract::Input;
use super::receive::receive_form;
use super::rules::{Kind, Rules};
use super::shape::Takes;

/// Largest form that is read, in bytes: a question of 10,000 characters, the longest text that a page takes, fits in most scripts.
const MAX_FORM: usize = 128 * 1024;

/// A text without the one character that no browser sends by itself and that PostgreSQL keeps in no text: a sign that something was
/// wrong stands in its place.
pub(crate) fn without_nul(text: String) -> String {
    if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }
}

/// The fields of a form in their order. A name may come more than once.
#[derive(Debug, Clone, Default)]
pub struct FormFields(Arc<[(String, String)]>);

impl FormFields {
    /// The text of a field, trimmed; none where it is empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.raw(name).map(str::trim).filter(|text| !text.is_empty())
    }

    /// The text of a field as it was sent, such as a password.
    pub fn raw(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All texts of a field that may be there several times.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// All fields.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What was typed, for showing it once more: the first text of each field. Passwords are typed anew.
    pub fn typed(&self) -> Value {
        let mut typed = Map::new();
        for (name, value) in self.fields().filter(|(name, _)| !name.contains("password")) {
            typed.entry(name).or_insert_with(|| Value::from(value));
        }
        Value::Object(typed)
    }

    /// The fields by the rules of a JSON body: texts become numbers, lists, yes and no where the rules want these. An empty field that
    /// may be left out was left out.
    ///
    /// # Errors
    ///
    /// 422 with what is wrong by field.
    pub fn accept<T: Input>(&self) -> ApiResult<T> {
        let rules = T::rules();
        let accepted = rules.validate(&self.value_of(&rules))?;
        serde_json::from_value(accepted).map_err(ApiError::internal)
    }

    /// The fields as a rule table checks them.
    pub(crate) fn value_of(&self, rules: &Rules) -> Value {
        let mut members = Map::new();
        for field in &rules.fields {
            let text = self.raw(field.name);
            let value = match (&field.kind, text) {
                (Kind::Boolean, text) => Value::Bool(text.is_some()),
                (_, None) => continue,
                (_, Some(text)) if text.trim().is_empty() && !field.required => continue,
                (_, Some(text)) if text.trim().is_empty() => Value::Null,
                (Kind::Integer { .. }, Some(text)) => match text.trim().parse::<i64>() {
                    Ok(number) => number.into(),
                    Err(_) => Value::from(text),
                },
                (Kind::Array { .. }, Some(_)) => {
                    let lines = self.all(field.name).flat_map(str::lines);
                    lines.map(str::trim).filter(|line| !line.is_empty()).map(Value::from).collect()
                }
                (_, Some(text)) => Value::from(text),
            };
            members.insert(field.name.to_owned(), value);
        }
        Value::Object(members)
    }
}

impl From<Vec<(String, String)>> for FormFields {
    fn from(fields: Vec<(String, String)>) -> Self {
        Self(fields.into())
    }
}

impl<S: Send + Sync> FromRequest<S> for FormFields {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        receive_form(&parts.headers, body, MAX_FORM).await.map(Self::from)
    }
}

impl Takes for FormFields {}
