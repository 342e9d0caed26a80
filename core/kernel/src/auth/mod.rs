//! Who may do what: abilities, access tokens, passwords and rate limits.

mod ability;
mod bearer;
mod cookies;
mod csrf;
mod limiter;
mod password;
mod principal;
mod queries;
mod random_secret;
mod session;
mod usage;

pub use ability::{Ability, AbilityCatalog, FULL_ACCESS, SPECIFIED};
pub use bearer::{Bearer, NewToken, authenticate_bearer, issue_token, revoke_token};
pub use limiter::{LimitClass, LimitReached, LimitState, Limiter, REDIS_PATIENCE, RedisTrouble, examine_limit_store};
pub use password::{
    PasswordCheck, PasswordError, PasswordHasher, PasswordParameters, WeakPassword, check_password, is_guessable,
};
pub use principal::{AccountHolder, Authentication, Principal};
pub use session::Session;
pub use usage::Usage;

pub use cookies::{SetCookies, presented_session, session_cookie_name};
pub(crate) use cookies::{are_secure, value as cookie_value};
pub use csrf::{CsrfToken, check_forgery};
pub(crate) use csrf::{comes_from_page_of, is_ours as is_our_token, refuse_foreign_page};
pub use limiter::Outcome;
pub use random_secret::{RandomSecret, sha256};
pub use session::{SessionSecret, end_session, start_session};
