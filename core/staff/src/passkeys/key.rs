//! Public keys of passkeys, as COSE writes them, and the signatures that they check.

use ciborium::Value;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};
use stoa_kernel::auth::sha256;

const EDDSA: i64 = -8;
const ES256: i64 = -7;
const RS256: i64 = -257;

/// The algorithms that are asked for, the best first: Ed25519, ECDSA on P-256, and RSA, which some TPMs have alone.
pub(super) const ALGORITHMS: [i64; 3] = [EDDSA, ES256, RS256];

/// Bytes of a number of P-256, and of a key of Ed25519.
const COORDINATE: usize = 32;

/// A public key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PasskeyKey {
    Es256([u8; 1 + 2 * COORDINATE]),
    Ed25519([u8; COORDINATE]),
    Rs256 { n: Vec<u8>, e: Vec<u8> },
}

/// The value of a label in a map of COSE or of an attestation object.
pub(super) fn member<'a>(map: &'a [(Value, Value)], label: &Value) -> Option<&'a Value> {
    map.iter().find(|(known, _)| known == label).map(|(_, value)| value)
}

impl PasskeyKey {
    /// Reads a key; none for one of a kind that was not asked for.
    pub(super) fn of(cose: &Value) -> Option<Self> {
        let map = cose.as_map()?;
        let value = |label: i64| member(map, &Value::from(label));
        let number = |label| i64::try_from(value(label)?.as_integer()?).ok();
        let coordinate = |label| <[u8; COORDINATE]>::try_from(value(label)?.as_bytes()?.as_slice()).ok();
        match (number(1)?, number(3)?) {
            (2, ES256) if number(-1)? == 1 => {
                let point = [[4].as_slice(), &coordinate(-2)?, &coordinate(-3)?].concat();
                point.try_into().ok().map(Self::Es256)
            }
            (1, EDDSA) if number(-1)? == 6 => coordinate(-2).map(Self::Ed25519),
            (3, RS256) => Some(Self::Rs256 { n: value(-1)?.as_bytes()?.clone(), e: value(-2)?.as_bytes()?.clone() }),
            _ => None,
        }
    }

    /// The same from bytes that hold nothing else.
    pub(super) fn stored(mut bytes: &[u8]) -> Option<Self> {
        let cose = ciborium::from_reader::<Value, _>(&mut bytes).ok()?;
        if bytes.is_empty() { Self::of(&cose) } else { None }
    }

    /// Its algorithm, by the number that it is asked for with.
    pub(super) fn algorithm(&self) -> i64 {
        match self {
            Self::Es256(_) => ES256,
            Self::Ed25519(_) => EDDSA,
            Self::Rs256 { .. } => RS256,
        }
    }

    /// Whether it is this key that has signed what the authenticator says, and what the browser has said to it. A point that is not on
    /// the curve has signed nothing.
    pub(super) fn has_signed(&self, (said, client_data): (&[u8], &[u8]), signature: &[u8]) -> bool {
        let message = [said, sha256(client_data).as_slice()].concat();
        let verified = match self {
            Self::Es256(point) => UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(&message, signature),
            Self::Ed25519(key) => UnparsedPublicKey::new(&ED25519, key).verify(&message, signature),
            Self::Rs256 { n, e } => {
                RsaPublicKeyComponents { n, e }.verify(&RSA_PKCS1_2048_8192_SHA256, &message, signature)
            }
        };
        verified.is_ok()
    }
}
