//! Adding a passkey: what the standard has a site check of a new one (7.1).

use serde::Deserialize;
use serde_json::{Value, json};

use stoa_kernel::audit::Subject;
use stoa_kernel::auth::RandomSecret;
use stoa_kernel::console::StaffSession;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::random::Random;

use super::attestation::attested;
use super::authenticator::AuthenticatorData;
use super::client_data::{Base64Url, Ceremony};
use super::{PasskeyShop, Refusal, challenge, queries};
use crate::factor::new_recovery_codes;
use crate::members::{StaffError, lock};

/// Passkeys that somebody may have.
const MOST: i64 = 20;

/// Longest name, in characters.
const MAX_NAME: usize = 100;

/// What a browser shows of a passkey, and that it is the one that was asked.
#[derive(Debug, Clone, Copy)]
pub struct PresentedPasskey<'a> {
    /// The shop that it is for.
    pub shop: &'a PasskeyShop,
    /// The secret of the browser that was asked.
    pub holder: &'a RandomSecret,
    /// What the browser has sent, as JSON.
    pub credential: &'a str,
}

/// A passkey that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedPasskey {
    /// The recovery codes of somebody who had no second factor before; they are nowhere else.
    pub recovery_codes: Vec<String>,
}

/// Why a passkey was not added.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// The name is empty, too long, or has control characters.
    #[error("the name of a passkey has 1 to {MAX_NAME} characters")]
    Name,
    /// There are as many as there may be.
    #[error("there may be {MOST} passkeys: remove one that you do not use")]
    TooMany,
    /// What the browser has sent is not what was asked for.
    #[error("the passkey was not taken, or it took too long: try again")]
    Refused,
    /// The person is not there any more, or the database failed.
    #[error(transparent)]
    Staff(#[from] StaffError),
}

impl From<DbError> for PasskeyError {
    fn from(error: DbError) -> Self {
        Self::Staff(error.into())
    }
}

#[derive(Deserialize)]
struct Registered {
    response: Attestation,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attestation {
    #[serde(rename = "clientDataJSON")]
    client_data: Base64Url,
    attestation_object: Base64Url,
}

async fn verified(
    tx: &mut Tx,
    cipher: &Cipher,
    presented: PresentedPasskey<'_>,
) -> Result<Result<AuthenticatorData, Refusal>, DbError> {
    let Ok(sent) = serde_json::from_str::<Registered>(presented.credential) else {
        return Ok(Err(Refusal::Malformed));
    };
    let client_data = sent.response.client_data.0.as_slice();
    if let Err(refusal) = challenge::take(tx, cipher, presented, (client_data, Ceremony::Create)).await? {
        return Ok(Err(refusal));
    }
    let said = attested(&sent.response.attestation_object.0, client_data);
    Ok(said.and_then(|said| said.check(presented.shop).map(|()| said)))
}

#[derive(sqlx::FromRow)]
struct Count {
    passkeys: i64,
    has_app: bool,
}

/// Adds a passkey to those of somebody.
pub async fn add_passkey(
    (db, cipher, random): (&Db, &Cipher, &Random),
    me: &StaffSession,
    name: &str,
    presented: PresentedPasskey<'_>,
) -> Result<AddedPasskey, PasskeyError> {
    let name = name.trim();
    if !(1..=MAX_NAME).contains(&name.chars().count()) || name.contains(char::is_control) {
        return Err(PasskeyError::Name);
    }
    // What was refused is committed as well: the challenge is used up.
    let added = db.write(async |tx| -> Result<Result<AddedPasskey, PasskeyError>, PasskeyError> {
        lock(tx, &me.email).await?;
        let said = match verified(tx, cipher, presented).await? {
            Ok(said) => said,
            Err(refusal) => {
                tracing::info!(staff = me.staff_id, %refusal, "a new passkey was refused");
                return Ok(Err(PasskeyError::Refused));
            }
        };
        let Some(credential) = &said.credential else { return Ok(Err(PasskeyError::Refused)) };
        let count = tx.run(queries::COUNT).bind(me.staff_id).one::<Count>().await?;
        if count.passkeys >= MOST {
            return Ok(Err(PasskeyError::TooMany));
        }
        let now = tx.now();
        let insert = tx.run(queries::INSERT).bind(me.staff_id).bind(credential.id.clone());
        let insert = insert.bind(credential.public_key.clone()).bind(i64::from(said.count));
        let insert = insert.bind(said.may_be_backed_up()).bind(said.is_backed_up()).bind(name).bind(now);
        if insert.execute().await? == 0 {
            return Ok(Err(PasskeyError::Refused));
        }
        let is_first = count.passkeys == 0 && !count.has_app;
        let recovery_codes = if is_first { new_recovery_codes(tx, random, me.staff_id).await? } else { Vec::new() };
        tx.audit("staff.add-passkey", Subject::staff(&me.email), Value::Null, json!({"passkey": name})).await?;
        Ok(Ok(AddedPasskey { recovery_codes }))
    });
    added.await?
}
