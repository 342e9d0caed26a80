//! What an authenticator says and signs: for which site it is, whether somebody has unlocked it, and how often it has signed.

use ciborium::Value;
use stoa_kernel::auth::sha256;

use super::key::PasskeyKey;
use super::{PasskeyShop, Refusal};

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const MAY_BE_BACKED_UP: u8 = 1 << 3;
const IS_BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// Longest id that the standard allows, in bytes.
const MAX_CREDENTIAL_ID: usize = 1023;

/// Bytes that say of which model the authenticator is, which nothing here depends on.
const MODEL: usize = 16;

/// What it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AuthenticatorData {
    site: [u8; 32],
    flags: u8,
    /// How often it has signed; 0 of one that does not count.
    pub(super) count: u32,
    /// The passkey that it has made.
    pub(super) credential: Option<NewCredential>,
}

/// A passkey that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewCredential {
    pub(super) id: Vec<u8>,
    /// The public key, as COSE.
    pub(super) public_key: Vec<u8>,
    /// The same, read.
    pub(super) key: PasskeyKey,
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], Refusal> {
    let (taken, left) = rest.split_at_checked(length).ok_or(Refusal::Malformed)?;
    *rest = left;
    Ok(taken)
}

fn take_cbor(rest: &mut &[u8]) -> Result<Value, Refusal> {
    ciborium::from_reader(rest).map_err(|_| Refusal::Malformed)
}

fn number<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Refusal> {
    bytes.try_into().map_err(|_| Refusal::Malformed)
}

impl NewCredential {
    fn take(rest: &mut &[u8]) -> Result<Self, Refusal> {
        take(rest, MODEL)?;
        let length = usize::from(u16::from_be_bytes(number(take(rest, 2)?)?));
        if length > MAX_CREDENTIAL_ID {
            return Err(Refusal::Malformed);
        }
        let id = take(rest, length)?.to_vec();
        let before = *rest;
        let cose = take_cbor(rest)?;
        let key = PasskeyKey::of(&cose).ok_or(Refusal::Key)?;
        Ok(Self { id, public_key: before[..before.len() - rest.len()].to_vec(), key })
    }
}

impl AuthenticatorData {
    /// Reads it; nothing may be left over.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        let mut rest = bytes;
        let site = number(take(&mut rest, 32)?)?;
        let [flags] = number(take(&mut rest, 1)?)?;
        let count = u32::from_be_bytes(number(take(&mut rest, 4)?)?);
        let credential = if flags & HAS_CREDENTIAL == 0 { None } else { Some(NewCredential::take(&mut rest)?) };
        if flags & HAS_EXTENSIONS != 0 && !take_cbor(&mut rest)?.is_map() {
            return Err(Refusal::Malformed);
        }
        if rest.is_empty() { Ok(Self { site, flags, count, credential }) } else { Err(Refusal::Malformed) }
    }

    fn says(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether the passkey may be copied to other devices.
    pub(super) fn may_be_backed_up(&self) -> bool {
        self.says(MAY_BE_BACKED_UP)
    }

    /// Whether it is.
    pub(super) fn is_backed_up(&self) -> bool {
        self.says(IS_BACKED_UP)
    }

    /// Refuses what is for another site, or what nobody has unlocked.
    pub(super) fn check(&self, shop: &PasskeyShop) -> Result<(), Refusal> {
        if self.site != sha256(shop.id.as_bytes()) {
            return Err(Refusal::Site);
        }
        if !self.says(USER_PRESENT) || !self.says(USER_VERIFIED) {
            return Err(Refusal::NotVerified);
        }
        if self.is_backed_up() && !self.may_be_backed_up() {
            return Err(Refusal::Copies);
        }
        Ok(())
    }
}
