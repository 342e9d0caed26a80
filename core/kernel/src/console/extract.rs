//! What handlers of the console's pages take.

use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::header;
use http::request::Parts;

use super::{ConsoleAbilities, MenuEntry, StaffSession, Told, WayBack, find_staff_session, presented_staff_session};
use crate::auth::{CsrfToken, RandomSecret};
use crate::http::error::ApiError;
use crate::http::extract::{admission, shop_of};
use crate::http::form::FormFields;
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
    /// The way back to the list that was narrowed last.
    pub way_back: WayBack,
    pub(crate) abilities: Arc<ConsoleAbilities>,
}

impl Staff {
    /// Whether the person may do this.
    pub fn may(&self, ability: &str) -> bool {
        self.abilities.allows(&self.session.role, ability)
    }

    /// Where a page of the console is: `/orders` is `/console/orders`, with what that list was narrowed by if it was the last.
    pub fn way_to(&self, path: &str) -> String {
        self.way_back.to(&format!("{}{path}", self.console))
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

/// The fields of a form of the console. The guard has read it and looked at its token.
#[derive(Debug, Clone, Default)]
pub struct StaffForm(pub(crate) FormFields);

impl Deref for StaffForm {
    type Target = FormFields;

    fn deref(&self) -> &FormFields {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for StaffForm {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

impl Takes for StaffForm {}
