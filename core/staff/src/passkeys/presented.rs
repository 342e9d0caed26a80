//! A passkey that is shown to log in: what the standard has a site check of it (7.2).

use serde::Deserialize;
use serde_json::json;

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::{LimitClass, Outcome, RandomSecret};
use stoa_kernel::config::ConsoleConfig;
use stoa_kernel::console::StaffSession;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::random::Random;

use super::authenticator::AuthenticatorData;
use super::client_data::{Base64Url, Ceremony};
use super::key::PasskeyKey;
use super::registration::PresentedPasskey;
use super::{PasskeyShop, Refusal, challenge, queries};
use crate::credentials::{Arriving, By, LoggedIn, StaffCredentials, acting, begin, known_of};
use crate::factor::pass;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    raw_id: Base64Url,
    response: Assertion,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    #[serde(rename = "clientDataJSON")]
    client_data: Base64Url,
    authenticator_data: Base64Url,
    signature: Base64Url,
    #[serde(default)]
    user_handle: Option<Base64Url>,
}

#[derive(sqlx::FromRow)]
struct Kept {
    id: i64,
    name: String,
    public_key: Vec<u8>,
    sign_count: i64,
    may_be_backed_up: bool,
    passkey_handle: Option<Vec<u8>>,
}

/// A passkey that was shown, and whose it may be.
struct Read {
    shown: Shown,
    email: String,
}

/// Whose passkey it says that it is.
async fn read(db: &Db, credential: &str) -> Result<Result<Read, Refusal>, DbError> {
    let Ok(shown) = serde_json::from_str::<Shown>(credential) else { return Ok(Err(Refusal::Malformed)) };
    let owner = db.read(queries::OWNER).bind(shown.raw_id.0.clone()).optional_scalar::<String>().await?;
    Ok(owner.map(|email| Read { shown, email }).ok_or(Refusal::Unknown))
}

/// What was signed is right, and by the key that is kept.
fn check(kept: &Kept, assertion: &Assertion, shop: &PasskeyShop) -> Result<AuthenticatorData, Refusal> {
    if assertion.user_handle.as_ref().is_some_and(|handle| Some(&handle.0) != kept.passkey_handle.as_ref()) {
        return Err(Refusal::Unknown);
    }
    let said = AuthenticatorData::read(&assertion.authenticator_data.0)?;
    said.check(shop)?;
    if said.may_be_backed_up() != kept.may_be_backed_up {
        return Err(Refusal::Copies);
    }
    let key = PasskeyKey::stored(&kept.public_key).ok_or(Refusal::Key)?;
    let signed = (assertion.authenticator_data.0.as_slice(), assertion.client_data.0.as_slice());
    if key.has_signed(signed, &assertion.signature.0) { Ok(said) } else { Err(Refusal::Signature) }
}

/// Whose passkey it is, once everything about it is right. The challenge is used up in any case.
async fn verified(
    tx: &mut Tx,
    cipher: &Cipher,
    presented: PresentedPasskey<'_>,
    read: &Read,
) -> Result<Result<i64, Refusal>, DbError> {
    let Shown { raw_id, response } = &read.shown;
    let client_data = (response.client_data.0.as_slice(), Ceremony::Get);
    if let Err(refusal) = challenge::take(tx, cipher, presented, client_data).await? {
        return Ok(Err(refusal));
    }
    let owner = tx.run(queries::LOCK_OWNER).bind(raw_id.0.clone()).optional_scalar::<i64>().await?;
    let kept = tx.run(queries::FIND).bind(raw_id.0.clone()).optional::<Kept>().await?;
    let Some((owner, kept)) = owner.zip(kept) else { return Ok(Err(Refusal::Unknown)) };
    let said = match check(&kept, response, presented.shop) {
        Ok(said) => said,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let (now, count) = (tx.now(), i64::from(said.count));
    let note = tx.run(queries::USE).bind(kept.id).bind(count).bind(said.is_backed_up()).bind(now);
    if note.execute().await? == 0 {
        let before = json!({"passkey": kept.name, "signatures": kept.sign_count});
        tx.audit("staff.refuse-passkey", Subject::staff(&read.email), before, json!({"signatures": count})).await?;
        return Ok(Err(Refusal::Counter));
    }
    Ok(Ok(owner))
}

fn refused<T>(refusal: Refusal) -> Option<T> {
    tracing::info!(%refusal, "a passkey was refused");
    None
}

impl StaffCredentials {
    /// Logs whoever it is in by a passkey alone; none for one that is not right. After too many of these from an address it is an
    /// error, which says how long to wait.
    pub async fn log_in_by_passkey(
        &self,
        (db, cipher, random): (&Db, &Cipher, &Random),
        config: &ConsoleConfig,
        presented: PresentedPasskey<'_>,
        browser: Arriving<'_>,
    ) -> ApiResult<Option<LoggedIn>> {
        let attempt = Box::pin(async {
            let read = match read(db, presented.credential).await? {
                // Without a handle, it does not say whose it is, as one must that logs in by itself.
                Ok(read) if read.shown.response.user_handle.is_some() => read,
                Ok(_) => return Ok(refused(Refusal::Malformed)),
                Err(refusal) => return Ok(refused(refusal)),
            };
            let log_in = async |tx: &mut Tx| -> Result<Option<LoggedIn>, DbError> {
                let owner = match verified(tx, cipher, presented, &read).await? {
                    Ok(owner) => owner,
                    Err(refusal) => return Ok(refused(refusal)),
                };
                let Some(known) = known_of(tx, owner).await? else { return Ok(refused(Refusal::Unknown)) };
                begin(tx, random, config, &known, browser, By::Passkey).await.map(Some)
            };
            Ok(acting(db, &read.email, browser.client).write(log_in).await?)
        });
        let judge = |outcome: &ApiResult<Option<LoggedIn>>| match outcome {
            Ok(Some(_)) => Outcome::Succeeded,
            Ok(None) => Outcome::Failed,
            Err(_) => Outcome::Unknown,
        };
        self.limiter.attempt_from(LimitClass::FailedLogins, browser.client, attempt, judge).await
    }

    /// Shows a passkey as the second factor. Gives the secret of a new session; none for one that is not right, or somebody else's.
    /// It counts with the codes: after too many failures it is an error.
    pub async fn show_passkey(
        &self,
        (db, cipher, random): (&Db, &Cipher, &Random),
        config: &ConsoleConfig,
        session: &StaffSession,
        presented: PresentedPasskey<'_>,
        browser: Arriving<'_>,
    ) -> ApiResult<Option<RandomSecret>> {
        let attempt = Box::pin(async {
            let read = match read(db, presented.credential).await? {
                Ok(read) if read.email == session.email => read,
                Ok(_) => return Ok(refused(Refusal::Unknown)),
                Err(refusal) => return Ok(refused(refusal)),
            };
            let show = async |tx: &mut Tx| -> Result<Option<RandomSecret>, DbError> {
                match verified(tx, cipher, presented, &read).await? {
                    Ok(_) => pass(tx, random, config, session, browser, "passkey").await.map(Some),
                    Err(refusal) => Ok(refused(refusal)),
                }
            };
            Ok(acting(db, &session.email, browser.client).write(show).await?)
        });
        self.limiter.attempt(LimitClass::FailedLogins, &format!("staff-code:{}", session.email), attempt).await
    }
}
