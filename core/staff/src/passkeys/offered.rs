//! What a browser is asked for, as it takes it: `navigator.credentials.create` and `.get`.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use stoa_kernel::auth::RandomSecret;
use stoa_kernel::console::StaffSession;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::random::Random;

use super::key::ALGORITHMS;
use super::{PasskeyShop, challenge, queries};

/// Bytes by which authenticators know somebody, as the standard advises.
const HANDLE: usize = 64;

async fn passkeys_of(db: &Db, staff_id: i64) -> Result<Vec<Value>, DbError> {
    let ids = db.read(queries::CREDENTIAL_IDS).bind(staff_id).scalars::<Vec<u8>>().await?;
    Ok(ids.iter().map(|id| json!({"type": "public-key", "id": URL_SAFE_NO_PAD.encode(id)})).collect())
}

/// What the browser that holds this secret is asked for to make a passkey for somebody.
pub async fn passkey_to_add(
    (db, cipher, random): (&Db, &Cipher, &Random),
    (shop, shop_name): (&PasskeyShop, &str),
    me: &StaffSession,
    holder: &RandomSecret,
) -> Result<Value, DbError> {
    let fresh = random.bytes::<HANDLE>().to_vec();
    let handle = async |tx: &mut Tx| tx.run(queries::HANDLE).bind(me.staff_id).bind(fresh).scalar::<Vec<u8>>().await;
    let handle = db.write(handle).await?;
    let algorithms = ALGORITHMS.map(|algorithm| json!({"type": "public-key", "alg": algorithm}));
    Ok(json!({
        "challenge": challenge::new(cipher, random, db.now(), holder),
        "rp": {"id": shop.id, "name": shop_name},
        "user": {"id": URL_SAFE_NO_PAD.encode(handle), "name": me.email, "displayName": me.name},
        "pubKeyCredParams": algorithms,
        "excludeCredentials": passkeys_of(db, me.staff_id).await?,
        "authenticatorSelection":
            {"residentKey": "required", "requireResidentKey": true, "userVerification": "required"},
        "attestation": "none",
        "timeout": challenge::WITHIN.num_milliseconds(),
    }))
}

/// What it is asked for to show one: of somebody, or of whoever it is.
pub async fn passkey_to_show(
    (db, cipher, random): (&Db, &Cipher, &Random),
    shop: &PasskeyShop,
    staff_id: Option<i64>,
    holder: &RandomSecret,
) -> Result<Value, DbError> {
    let allowed = match staff_id {
        Some(staff_id) => passkeys_of(db, staff_id).await?,
        None => Vec::new(),
    };
    Ok(json!({
        "challenge": challenge::new(cipher, random, db.now(), holder),
        "rpId": shop.id,
        "allowCredentials": allowed,
        "userVerification": "required",
        "timeout": challenge::WITHIN.num_milliseconds(),
    }))
}
