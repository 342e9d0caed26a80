//! Who may do what: abilities, access tokens, passwords and rate limits.

mod ability;
mod bearer;
mod limiter;
mod password;
mod queries;

pub use ability::{Ability, AbilityCatalog, FULL_ACCESS, SPECIFIED};
pub use bearer::{Bearer, NewToken, authenticate_bearer, issue_token, revoke_token};
pub use limiter::{LimitClass, Limiter, Standing};
pub use password::{PasswordHasher, PasswordParameters};
