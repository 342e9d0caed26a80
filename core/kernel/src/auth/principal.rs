//! Who makes a request: the holder of a token, or of a session (S5.1 rule 1).

use std::sync::Arc;

use http::{HeaderMap, header};

use super::ability::opens_to_guests;
use super::bearer::{Bearer, authenticate_bearer};
use super::cookies::presented_session;
use super::csrf::check_forgery;
use super::session::{Session, authenticate_session};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::Db;
use crate::encryption::Cipher;
use crate::from_shop;
use crate::from_shop::BaseUrl;
use crate::http::error::{ApiError, ErrorCode};

/// What the account of whoever makes a request says. It is read in one statement with the token or session, because
/// going to the database costs more than what is fetched there.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct AccountHolder {
    /// The customer's name.
    pub name: String,
    /// The e-mail address, in lower case.
    pub email: String,
    /// Whether the address is known to be the customer's.
    pub email_verified: bool,
    /// Whether it is a guest, who has no account to log in to.
    pub guest: bool,
}

/// Whoever a request is made by.
#[derive(Debug, Clone)]
pub enum Principal {
    /// The holder of an access token.
    Bearer(Bearer),
    /// The holder of a first-party session.
    Session(Session),
}

impl Principal {
    /// The customer.
    pub fn customer_id(&self) -> i64 {
        match self {
            Self::Bearer(bearer) => bearer.customer_id,
            Self::Session(session) => session.customer_id,
        }
    }

    /// The user behind the customer.
    pub fn user_id(&self) -> i64 {
        match self {
            Self::Bearer(bearer) => bearer.user_id,
            Self::Session(session) => session.user_id,
        }
    }

    /// What the account says.
    pub(crate) fn into_holder(self) -> AccountHolder {
        match self {
            Self::Bearer(bearer) => bearer.holder,
            Self::Session(session) => session.holder,
        }
    }

    /// Whether routes that need `ability` are open to them. A session has no abilities to lack (S5.1 rule 4); a guest's token never
    /// opens what belongs to an account.
    pub fn may(&self, ability: &str) -> bool {
        match self {
            Self::Bearer(bearer) => bearer.grants(ability) && (!bearer.holder.guest || opens_to_guests(ability)),
            Self::Session(_) => true,
        }
    }

    /// The token; none for a session.
    pub fn token_id(&self) -> Option<i64> {
        match self {
            Self::Bearer(bearer) => Some(bearer.token_id),
            Self::Session(_) => None,
        }
    }
}

from_shop! {
    /// What finds out who makes a request.
    pub struct Authentication {
        /// Where tokens and sessions are.
        pub db: Db,
        /// The time, at which they may be over.
        pub clock: Clock,
        /// What proves that a page of the shop's own has made a write.
        pub cipher: Cipher,
        /// How long sessions last, and which pages are the shop's own.
        pub config: Arc<Config>,
        /// Where the shop is, which decides what its cookies are called.
        pub base_url: BaseUrl,
    }
}

impl Authentication {
    /// Finds out who makes a request; 401 for nobody.
    ///
    /// An `Authorization` header decides alone: with a token that is not valid, a session beside it
    /// opens nothing, and with a valid one it adds nothing (contract 2).
    pub(crate) async fn principal(&self, headers: &HeaderMap) -> Result<Principal, ApiError> {
        let mut credentials = headers.get_all(header::AUTHORIZATION).into_iter();
        match (credentials.next(), credentials.next()) {
            (Some(value), None) => authenticate_bearer(&self.db, &self.clock, value).await.map(Principal::Bearer),
            // Two headers: which one counts would be a matter of luck.
            (Some(_), Some(_)) => Err(ApiError::unauthenticated()),
            (None, _) => self.browser(headers).await,
        }
    }

    /// Finds out who makes a request that everybody may make; none for a visitor who is nobody in particular.
    ///
    /// An `Authorization` header must be valid. A session that is over only makes its browser a visitor again.
    pub(crate) async fn visitor(&self, headers: &HeaderMap) -> Result<Option<Principal>, ApiError> {
        match self.principal(headers).await {
            Ok(principal) => Ok(Some(principal)),
            Err(error)
                if error.code() == ErrorCode::Unauthenticated && !headers.contains_key(header::AUTHORIZATION) =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Finds the session of a request, whatever token stands beside it; 401 for nobody.
    pub(crate) async fn browser(&self, headers: &HeaderMap) -> Result<Principal, ApiError> {
        let secret = presented_session(headers, &self.base_url).ok_or_else(ApiError::unauthenticated)?;
        authenticate_session(&self.db, &self.clock, &self.config, &secret).await.map(Principal::Session)
    }

    /// Refuses a write that the shop's own pages did not make.
    pub(crate) fn check_forgery(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        check_forgery(&self.cipher, &self.config, &self.base_url, headers)
    }
}
