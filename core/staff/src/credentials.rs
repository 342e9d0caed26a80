//! Logging in: by password within the guard of failed attempts, or by a link.

use std::net::IpAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use stoa_kernel::audit::{Acting, Actor, Subject};
use stoa_kernel::auth::{LimitClass, Limiter, PasswordCheck, PasswordHasher, RandomSecret};
use stoa_kernel::config::ConsoleConfig;
use stoa_kernel::console::{end_staff_session, start_staff_session};
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::random::Random;

use super::links::find_link;
use super::members::stored;
use super::queries;

/// What checks who wants to log in.
#[derive(Clone)]
pub struct StaffCredentials {
    /// Counts failures.
    pub limiter: Arc<Limiter>,
    /// Compares passwords.
    pub passwords: PasswordHasher,
}

/// Whoever knows the password, or has a link or a passkey.
#[derive(Debug, Clone, sqlx::FromRow)]
pub(crate) struct Known {
    id: i64,
    email: String,
    password_hash: Option<String>,
    has_second_factor: bool,
}

/// A session that has begun.
#[derive(Debug, Clone)]
pub struct LoggedIn {
    /// The secret for the cookie.
    pub secret: RandomSecret,
    /// Whether the second factor is to be shown before it opens anything.
    pub awaits_factor: bool,
}

/// The browser that somebody logs in with.
#[derive(Debug, Clone, Copy)]
pub struct Arriving<'a> {
    /// Where it is.
    pub client: IpAddr,
    /// What it calls itself.
    pub user_agent: Option<&'a str>,
    /// The session that it had; it ends.
    pub before: Option<&'a RandomSecret>,
}

impl StaffCredentials {
    /// Logs somebody in; none for wrong credentials, alike for unknown addresses. After too many failures for an address it is an
    /// error, which says how long to wait.
    pub async fn log_in(
        &self,
        db: &Db,
        random: &Random,
        config: &ConsoleConfig,
        (email, password): (&str, &str),
        browser: Arriving<'_>,
    ) -> ApiResult<Option<LoggedIn>> {
        let email = stored(email);
        // Somebody may be a customer as well, whose failures are others.
        let counted = format!("staff:{email}");
        let attempt = Box::pin(self.verify(db, browser.client, &email, password));
        let Some(known) = self.limiter.attempt(LimitClass::FailedLogins, &counted, attempt).await? else {
            return Ok(None);
        };
        let db = acting(db, &known.email, browser.client);
        db.write(async |tx| {
            let confirm = tx.run(queries::CONFIRM_PASSWORD).bind(known.id).bind(known.password_hash.as_deref());
            if confirm.optional_scalar::<i64>().await?.is_none() {
                return Ok(None);
            }
            Ok(Some(begin(tx, random, config, &known, browser, By::Password).await?))
        })
        .await
    }

    /// The person if the password is right. A hash that was made at another cost is made anew.
    async fn verify(&self, db: &Db, client: IpAddr, email: &str, password: &str) -> ApiResult<Option<Known>> {
        let known = db.read(queries::CREDENTIALS).bind(email).optional::<Known>().await?;
        let stored = known.as_ref().and_then(|known| known.password_hash.clone());
        let checked = self.passwords.verify(client, password.to_owned(), stored).await?;
        let (PasswordCheck::Right { renewed }, Some(mut known)) = (checked, known) else { return Ok(None) };
        if let Some(renewed) = renewed {
            let before = known.password_hash.replace(renewed.clone());
            let renew = async |tx: &mut Tx| {
                let renew = tx.run(queries::RENEW_HASH).bind(known.id).bind(before.as_deref());
                renew.bind(renewed.as_str()).execute().await
            };
            if db.write(renew).await? == 0 {
                return Ok(None);
            }
        }
        Ok(Some(known))
    }

    /// Whether a password is the one of somebody who is logged in.
    pub async fn is_password_of(&self, db: &Db, client: IpAddr, email: &str, password: &str) -> ApiResult<bool> {
        let counted = format!("staff:{email}");
        let attempt = Box::pin(self.verify(db, client, email, password));
        Ok(self.limiter.attempt(LimitClass::FailedLogins, &counted, attempt).await?.is_some())
    }

    /// Whom a link is for that would work now.
    pub async fn link_is_for(&self, db: &Db, secret: &RandomSecret) -> Result<Option<String>, DbError> {
        find_link(db, secret).await
    }

    /// Uses a link up and logs in whom it is for; none for one that does not work any more. A second factor is asked for all the
    /// same.
    pub async fn log_in_by_link(
        &self,
        db: &Db,
        random: &Random,
        config: &ConsoleConfig,
        link: &RandomSecret,
        browser: Arriving<'_>,
    ) -> Result<Option<LoggedIn>, DbError> {
        let Some(email) = find_link(db, link).await? else { return Ok(None) };
        acting(db, &email, browser.client)
            .write(async |tx| {
                let now = tx.now();
                let used =
                    tx.run(queries::USE_LINK).bind(link.hash().to_vec()).bind(now).optional_scalar::<i64>().await?;
                let Some(staff_id) = used else { return Ok(None) };
                let Some(known) = known_of(tx, staff_id).await? else { return Ok(None) };
                begin(tx, random, config, &known, browser, By::Link).await.map(Some)
            })
            .await
    }
}

/// By what somebody logs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    /// The password, after which the second factor is asked for.
    Password,
    /// A login link, after which it is as well.
    Link,
    /// A passkey, which is both in one.
    Passkey,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Link => "link",
            Self::Passkey => "passkey",
        }
    }
}

/// Somebody who may log in.
pub(crate) async fn known_of(tx: &mut Tx, staff_id: i64) -> Result<Option<Known>, DbError> {
    tx.run(queries::KNOWN).bind(staff_id).optional().await
}

pub(super) fn acting(db: &Db, email: &str, client: IpAddr) -> Db {
    db.clone().acting_as(Acting { actor: Actor::Staff(email.into()), address: Some(client) })
}

pub(crate) async fn begin(
    tx: &mut Tx,
    random: &Random,
    config: &ConsoleConfig,
    known: &Known,
    browser: Arriving<'_>,
    by: By,
) -> Result<LoggedIn, DbError> {
    if let Some(before) = browser.before {
        end_staff_session(tx, before).await?;
    }
    let awaits_factor = known.has_second_factor && by != By::Passkey;
    let place = (browser.user_agent, browser.client);
    let secret = start_staff_session(tx, random, config, known.id, awaits_factor, place).await?;
    let after = json!({"by": by.name(), "second_factor_awaited": awaits_factor});
    tx.audit("staff.log-in", Subject::staff(&known.email), Value::Null, after).await?;
    Ok(LoggedIn { secret, awaits_factor })
}
