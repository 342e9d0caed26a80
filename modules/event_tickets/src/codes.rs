//! What is signed: the code on a ticket, and the list of those that are void.
//!
//! Both are a letter that says what it is, JSON in base64url, and the signature over all before the last point. Whoever has
//! the public keys can tell a genuine one without asking the shop.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::{Signature, VerifyingKey};
use stoa_core::prelude::*;

use crate::keys::{Signer, queries};

/// How the code on a ticket begins.
pub const TICKET: &str = "T1.";

/// How a revocation list begins.
pub const REVOCATIONS: &str = "R1.";

/// What the code on a ticket says. Nothing personal: whoever finds a ticket can read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketCode {
    /// The key that it is signed with.
    pub key_id: String,
    /// The ticket's number, as revocation lists name it.
    pub number: String,
    /// The ticket's token.
    pub token: String,
    /// The event's slug.
    pub event: String,
    /// The seat, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
}

/// Signs something as what `kind` says.
pub(crate) fn sign(signer: &Signer, kind: &str, content: &impl Serialize) -> String {
    let json = serde_json::to_vec(content).expect("texts and times have a JSON form");
    let signed = format!("{kind}{}", URL_SAFE_NO_PAD.encode(json));
    let signature = signer.sign(&signed);
    format!("{signed}.{signature}")
}

/// The public keys of the shop, to tell genuine codes.
#[derive(Debug, Default)]
pub struct Verifier(HashMap<String, VerifyingKey>);

impl Verifier {
    /// All keys of the shop, those that were retired too.
    pub async fn load(db: &Db) -> Result<Self, DbError> {
        let rows = db.read(queries::LIST_PUBLIC).all::<(String, Vec<u8>)>().await?;
        let key = |(key_id, bytes): (String, Vec<u8>)| {
            let bytes = <[u8; 32]>::try_from(bytes).ok()?;
            Some((key_id, VerifyingKey::from_bytes(&bytes).ok()?))
        };
        Ok(Self(rows.into_iter().filter_map(key).collect()))
    }

    /// What a genuine code says; nothing for any other text.
    pub fn read(&self, code: &str) -> Option<TicketCode> {
        let (signed, signature) = code.rsplit_once('.')?;
        let json = URL_SAFE_NO_PAD.decode(signed.strip_prefix(TICKET)?).ok()?;
        let said = serde_json::from_slice::<TicketCode>(&json).ok()?;
        let key = self.0.get(&said.key_id)?;
        let signature = Signature::from_slice(&URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
        key.verify_strict(signed.as_bytes(), &signature).ok()?;
        Some(said)
    }
}
