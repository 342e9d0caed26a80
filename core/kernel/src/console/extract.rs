//! What handlers of the console's pages take.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header;
use http::request::Parts;

use super::{ConsoleAbilities, MenuEntry, StaffSession, Told, find_staff_session, presented_staff_session};
use crate::auth::{CsrfToken, RandomSecret};
use crate::http::error::ApiError;
use crate::http::extract::{admission, shop_of};
use crate::http::shape::Takes;

/// Who works in the console, as the guard has let them in.
#[derive(Debug, Clone)]
pub struct Staff {
    /// The session and the person.
    pub session: Arc<StaffSession>,
    /// The value that forms send back in the field `csrf`.
    pub csrf: Arc<str>,
    /// Where the console begins, such as `/console`.
    pub console: Arc<str>,
    /// The modules' entries of the menu, also those that this person may not open.
    pub menu: Arc<[MenuEntry]>,
    /// What the form before has come to.
    pub told: Option<Told>,
    pub(crate) abilities: Arc<ConsoleAbilities>,
}

impl Staff {
    /// Whether the person may do this.
    pub fn may(&self, ability: &str) -> bool {
        self.abilities.allows(&self.session.role, ability)
    }

    /// Refuses who may not: 403.
    pub fn require(&self, ability: &str) -> Result<(), ApiError> {
        if self.may(ability) { Ok(()) } else { Err(ApiError::not_for_role()) }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Staff {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let staff = parts.extensions.get::<Self>().cloned();
        staff.ok_or_else(|| ApiError::internal("a page of the console runs without its guard"))
    }
}

impl Takes for Staff {}

/// Whoever stands before the console's door: on the pages to log in with.
#[derive(Debug, Clone)]
pub struct Doorstep {
    /// The session that is there already, complete or not.
    pub session: Option<StaffSession>,
    /// The secret that was presented, whether there is such a session or not.
    pub secret: Option<RandomSecret>,
    /// The value that forms send back in the field `csrf`.
    pub csrf: String,
    /// Where the console begins, such as `/console`.
    pub console: Arc<str>,
    /// Where the request comes from, seen through trusted proxies.
    pub client: IpAddr,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for Doorstep {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let client = admission(parts)?.client;
        let shop = shop_of(parts)?;
        let secret = presented_staff_session(&parts.headers, &shop.base_url);
        let session = match &secret {
            Some(secret) => find_staff_session(&shop.db, &shop.config.console, secret).await?,
            None => None,
        };
        let csrf = CsrfToken::new(&shop.random, &shop.cipher, secret.as_ref()).as_str().to_owned();
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let console = shop.config.console.path.0.as_str().into();
        Ok(Self { session, secret, csrf, console, client, user_agent })
    }
}

impl Takes for Doorstep {}

/// What the guard has read of a form.
#[derive(Debug, Clone, Default)]
pub(crate) struct FormContent(pub(crate) Arc<[(String, String)]>);

/// The fields of a form of the console, in their order. The guard has read it and looked at its token.
#[derive(Debug, Clone, Default)]
pub struct StaffForm(pub(super) Arc<[(String, String)]>);

impl StaffForm {
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
}

impl<S: Send + Sync> FromRequestParts<S> for StaffForm {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(parts.extensions.get::<FormContent>().cloned().unwrap_or_default().0))
    }
}

impl Takes for StaffForm {}
