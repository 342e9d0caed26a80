//! What comes with a new passkey: what its authenticator says, and a statement about the authenticator's model.
//!
//! Models are not asked for, so browsers leave only a statement that the passkey itself has signed. That one has to be right: it shows
//! that whoever adds the passkey has its key. A statement by a certificate is not looked at, and such a passkey counts as one without.

use ciborium::Value;

use super::Refusal;
use super::authenticator::AuthenticatorData;
use super::key::{PasskeyKey, member};

/// What the authenticator says to what the browser has said.
pub(super) fn attested(mut object: &[u8], client_data: &[u8]) -> Result<AuthenticatorData, Refusal> {
    let read = ciborium::from_reader::<Value, _>(&mut object).map_err(|_| Refusal::Malformed)?;
    let parts = read.as_map().filter(|_| object.is_empty()).ok_or(Refusal::Malformed)?;
    let part = |name: &str| member(parts, &Value::from(name)).ok_or(Refusal::Malformed);
    let format = part("fmt")?.as_text().ok_or(Refusal::Malformed)?;
    let statement = part("attStmt")?.as_map().ok_or(Refusal::Malformed)?;
    let bytes = part("authData")?.as_bytes().ok_or(Refusal::Malformed)?;
    let said = AuthenticatorData::read(bytes)?;
    if format == "none" && !statement.is_empty() {
        return Err(Refusal::Malformed);
    }
    if format == "packed" && member(statement, &Value::from("x5c")).is_none() {
        let signed = (bytes.as_slice(), client_data);
        if !said.credential.as_ref().is_some_and(|made| is_own(statement, &made.key, signed)) {
            return Err(Refusal::Signature);
        }
    }
    Ok(said)
}

/// Whether a statement without a certificate is signed by the new key itself.
fn is_own(statement: &[(Value, Value)], key: &PasskeyKey, signed: (&[u8], &[u8])) -> bool {
    let part = |name: &str| member(statement, &Value::from(name));
    let algorithm = part("alg").and_then(Value::as_integer).and_then(|number| i64::try_from(number).ok());
    let signature = part("sig").and_then(Value::as_bytes);
    algorithm == Some(key.algorithm()) && signature.is_some_and(|signature| key.has_signed(signed, signature))
}
