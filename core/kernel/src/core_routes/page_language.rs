//! The language of core's own pages.

use axum::extract::FromRequestParts;
use http::header;
use http::request::Parts;

use crate::http::error::ApiError;
use crate::http::extract::shop_of;
use crate::http::shape::Takes;
use crate::i18n::Language;

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
