//! `[accounts]`: registration, passwords and sessions.

use serde::Deserialize;
use serde::de::Deserializer;

use super::address::LinkTemplate;
use super::check::Check;
use super::value::{self, MAX_MINUTES, Malformed, within};

/// Settings of customers' accounts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AccountsConfig {
    /// Whether `POST /session/register` is open (contract 2.4).
    pub registration: bool,
    /// Whether visitors may buy as guests, without an account (contract 6.3).
    pub guests: bool,
    /// A page of another website that confirms e-mail addresses, in place of the shop's own.
    #[serde(default, deserialize_with = "link_template")]
    pub verify_email_url: Option<LinkTemplate>,
    /// A page of another website that sets new passwords, in place of the shop's own.
    #[serde(default, deserialize_with = "link_template")]
    pub reset_password_url: Option<LinkTemplate>,
    /// Cost of hashing a password.
    pub password_hash: PasswordHashConfig,
    /// How long sessions of browsers last.
    pub sessions: SessionsConfig,
}

/// Parameters of Argon2id; the defaults are the least that OWASP advises, and the least accepted.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PasswordHashConfig {
    /// Memory for one password, in KiB.
    #[serde(deserialize_with = "within::<_, _, 19_456, 4_194_304>")]
    pub memory_kib: u32,
    /// Passes over that memory.
    #[serde(deserialize_with = "within::<_, _, 2, 100>")]
    pub iterations: u32,
    /// Lanes that can be computed at once.
    #[serde(deserialize_with = "within::<_, _, 1, 64>")]
    pub parallelism: u32,
}

/// How long sessions of browsers last.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionsConfig {
    /// Minutes without a request after which a session ends.
    #[serde(deserialize_with = "within::<_, _, 1, MAX_MINUTES>")]
    pub idle_minutes: u32,
    /// Minutes after which a session ends in any case.
    #[serde(deserialize_with = "within::<_, _, 1, MAX_MINUTES>")]
    pub absolute_minutes: u32,
}

impl AccountsConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        self.sessions.check(&mut check.table("sessions"));
    }
}

impl SessionsConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        let Self { idle_minutes, absolute_minutes } = *self;
        if check.is_sound() && idle_minutes > absolute_minutes {
            let reason = format!(
                "this is longer than a whole session lasts, {absolute_minutes} minutes; lower it, or raise `absolute_minutes`"
            );
            check.refuse_because_of("absolute_minutes", "idle_minutes", &reason);
        }
    }
}

fn link_template<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LinkTemplate>, D::Error> {
    let expected = "an address with {token} once in it, such as \"https://www.example.com/verify?token={token}\"";
    value::text(deserializer, expected, |text| LinkTemplate::parse(text).map(Some).ok_or(Malformed::Unexpected))
}
