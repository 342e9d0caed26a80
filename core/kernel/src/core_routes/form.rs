//! What pages of the shop's own root take.

use axum::extract::{FromRequest, FromRequestParts, Request};
use http::header;
use http::request::Parts;
use serde_json::{Map, Value};

use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::{Input, shop_of};
use crate::http::receive::receive_form;
use crate::http::shape::Takes;
use crate::i18n::Language;

/// Largest form that is read, in bytes; a password of 200 characters fits in every spelling.
const MAX_FORM: usize = 16 * 1024;

/// The fields of a form that one of the shop's pages has sent.
#[derive(Debug, Clone)]
pub struct FormFields(Map<String, Value>);

impl FormFields {
    /// The text of a field.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// The fields by the rules of a JSON body.
    pub fn accept<T: Input>(self) -> ApiResult<T> {
        let accepted = T::rules().validate(&Value::Object(self.0))?;
        serde_json::from_value(accepted).map_err(ApiError::internal)
    }
}

impl<S: Send + Sync> FromRequest<S> for FormFields {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let fields = receive_form(&parts.headers, body, MAX_FORM).await?;
        Ok(Self(fields.into_iter().map(|(name, value)| (name, Value::String(value))).collect()))
    }
}

impl Takes for FormFields {}

/// The language of a page: the one that the browser prefers, as errors are told in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageLanguage(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for PageLanguage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let wish = parts.headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Ok(Self(shop_of(parts)?.texts.negotiate(wish)))
    }
}

impl Takes for PageLanguage {}
