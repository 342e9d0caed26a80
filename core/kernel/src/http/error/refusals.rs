//! All that is wrong with a request, told in one answer, wherever it is found.

use http::StatusCode;

use super::{ApiError, ApiResult, ErrorCode, FieldProblem, FieldProblems};
use crate::events::Veto;

/// What is wrong with a request so far. Status, code and message are those of what was found first; `errors` has the problems
/// of all fields.
#[derive(Debug, Default)]
pub struct Refusals(Option<ApiError>);

impl Refusals {
    /// What the fields are refused for, if they are.
    pub fn of_fields(problems: FieldProblems) -> Self {
        Self((!problems.is_empty()).then(|| ApiError::validation(problems)))
    }

    /// What came out well, or none and the refusal is noted.
    ///
    /// # Errors
    ///
    /// What no other input would mend, such as a database that fails, ends the request by itself.
    pub fn note<T>(&mut self, found: Result<T, impl Into<ApiError>>) -> ApiResult<Option<T>> {
        let refusal: ApiError = match found {
            Ok(found) => return Ok(Some(found)),
            Err(error) => error.into(),
        };
        if !refusal.is_about_input() {
            return Err(refusal);
        }
        self.0 = Some(match self.0.take() {
            Some(first) => first.beside(&refusal),
            None => refusal,
        });
        Ok(None)
    }

    /// Notes that something is refused.
    ///
    /// # Errors
    ///
    /// As [`Refusals::note`].
    pub fn refuse(&mut self, refusal: impl Into<ApiError>) -> ApiResult<()> {
        self.note::<()>(Err(refusal)).map(|_| ())
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a problem of this field, or of a part of it, was noted.
    pub fn tells(&self, field: &str) -> bool {
        let mut told = self.0.iter().flat_map(|refusal| refusal.0.errors.keys());
        told.any(|told| told == field || is_below(told, field))
    }

    /// The one answer for everything that was noted.
    pub fn into_error(self) -> ApiError {
        self.0.unwrap_or_else(|| ApiError::internal("a request was refused for nothing"))
    }
}

impl ApiError {
    /// 422 `invalid_state` with all that listeners have against it; code and message are the first one's. None if they have nothing.
    pub fn vetoed(vetoes: impl IntoIterator<Item = Veto>) -> Option<Self> {
        let mut vetoes = vetoes.into_iter();
        let first = Self::from(vetoes.next()?);
        Some(first.change(|parts| {
            for Veto { field, message, .. } in vetoes {
                parts.errors.entry(field).or_default().push(FieldProblem::Message(message));
            }
        }))
    }

    /// Whether the client can mend it with other input.
    fn is_about_input(&self) -> bool {
        self.0.status == StatusCode::UNPROCESSABLE_ENTITY && self.0.code != ErrorCode::PaymentFailed
    }

    /// The same error with the problems of another one besides. Where a field was refused, what follows from that is not told.
    fn beside(self, other: &Self) -> Self {
        let is_told = |field: &String| {
            let mut told = self.0.errors.keys();
            told.any(|told| told == field || is_below(told, field) || is_below(field, told))
        };
        let further = other.0.errors.iter().filter(|(field, _)| !is_told(field));
        let further = further.map(|(field, problems)| (field.clone(), problems.clone())).collect::<FieldProblems>();
        self.change(|parts| parts.errors.extend(further))
    }
}

/// Whether a field is a part of another, as `billing.city` is of `billing`.
fn is_below(field: &str, whole: &str) -> bool {
    field.strip_prefix(whole).is_some_and(|rest| rest.starts_with('.'))
}
