//! Sealing and opening values with the installation's key.

use std::fmt;
use std::sync::Arc;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use crate::config::EncryptionKey;
use crate::random::Random;

/// The first byte of a sealed value: how it was sealed, so that this can change one day.
const XCHACHA20_POLY1305: u8 = 1;

/// Bytes of a nonce. 24 random bytes never repeat, whoever draws them.
const NONCE: usize = 24;

/// Where a sealed value is kept.
///
/// It is bound to the value: one that somebody copied into another row or column cannot be opened there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealContext {
    /// The table.
    pub table: &'static str,
    /// The column.
    pub column: &'static str,
    /// The id of the row.
    pub row: i64,
}

impl SealContext {
    /// The context as bytes. Names of tables and columns hold no point, so no two contexts spell the same.
    fn bytes(&self) -> Vec<u8> {
        format!("{}.{}.{}", self.table, self.column, self.row).into_bytes()
    }
}

impl fmt::Display for SealContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{} of row {}", self.table, self.column, self.row)
    }
}

/// A sealed value that cannot be opened: it was changed, moved, or sealed with another key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot be decrypted")]
pub struct Unreadable(pub SealContext);

/// Seals and opens values under the installation's key. Cloning is cheap; nothing shows the key.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::config::EncryptionKey;
/// use stoa_core::encryption::{Cipher, SealContext};
/// use stoa_core::random::Random;
///
/// let cipher = Cipher::new(&EncryptionKey::new([7; 32]), Random::system());
/// let context = SealContext { table: "gift_wrap_codes", column: "code", row: 12 };
/// let sealed = cipher.seal(context, b"secret");
/// assert_eq!(cipher.open(context, &sealed).unwrap(), b"secret");
/// ```
#[derive(Clone)]
pub struct Cipher(Arc<Inner>);

struct Inner {
    key: EncryptionKey,
    values: XChaCha20Poly1305,
    random: Random,
}

impl Cipher {
    /// A cipher for this key, without comparing it with any database.
    ///
    /// A shop opens its own with [`Cipher::of_installation`].
    pub fn new(key: &EncryptionKey, random: Random) -> Self {
        let values = XChaCha20Poly1305::new(&derive(key, "values").into());
        Self(Arc::new(Inner { key: key.clone(), values, random }))
    }

    /// Encrypts a value for its place in the database. The same value is sealed differently each time.
    pub fn seal(&self, context: SealContext, value: &[u8]) -> Vec<u8> {
        let nonce = self.0.random.bytes::<NONCE>();
        let message = Payload { msg: value, aad: &context.bytes() };
        let sealed = self.0.values.encrypt(&XNonce::from(nonce), message);
        let sealed = sealed.expect("only a value of more than 256 GB is too long");
        [&[XCHACHA20_POLY1305], nonce.as_slice(), &sealed].concat()
    }

    /// Decrypts what was sealed for this context.
    pub fn open(&self, context: SealContext, sealed: &[u8]) -> Result<Vec<u8>, Unreadable> {
        let unreadable = || Unreadable(context);
        let (&XCHACHA20_POLY1305, rest) = sealed.split_first().ok_or_else(unreadable)? else {
            return Err(unreadable());
        };
        let (nonce, sealed) = rest.split_first_chunk::<NONCE>().ok_or_else(unreadable)?;
        let message = Payload { msg: sealed, aad: &context.bytes() };
        self.0.values.decrypt(&XNonce::from(*nonce), message).map_err(|_| unreadable())
    }

    /// A key for one purpose, from which neither the installation's key nor another purpose's can be found.
    ///
    /// Purposes never change: what was made with the derived key would be unknown afterwards.
    pub fn derive(&self, purpose: &'static str) -> [u8; 32] {
        derive(&self.0.key, purpose)
    }

    /// What tells this key from others without giving it away: 32 hexadecimal digits.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.0.key)
    }

    /// The key itself, for the one place that puts it into a backup.
    pub fn key(&self) -> &EncryptionKey {
        &self.0.key
    }
}

impl fmt::Debug for Cipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cipher([secret])")
    }
}

/// What tells a key from others without giving it away: 32 hexadecimal digits.
pub(super) fn fingerprint(key: &EncryptionKey) -> String {
    hex::encode(&derive(key, "fingerprint")[..16])
}

fn derive(key: &EncryptionKey, purpose: &str) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.expose()).expect("a key of any length is fine");
    mac.update(b"stoa ");
    mac.update(purpose.as_bytes());
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTEXT: SealContext = SealContext { table: "webhook_endpoints", column: "secret", row: 3 };

    /// `value`, sealed at [`CONTEXT`] under a key of 32 times the byte 7, by another implementation.
    const SEALED: &str = "01000102030405060708090a0b0c0d0e0f1011121314151617456a0e7189e5619ead62b536\
                          e08e872ef78612f4da";

    fn cipher(byte: u8) -> Cipher {
        Cipher::new(&EncryptionKey::new([byte; 32]), Random::seeded(byte.into()))
    }

    #[test]
    fn a_sealed_value_is_opened_in_its_context() {
        for value in [&b""[..], b"x", &[0; 5000]] {
            let sealed = cipher(1).seal(CONTEXT, value);
            assert_eq!(cipher(1).open(CONTEXT, &sealed).as_deref(), Ok(value));
        }
    }

    #[test]
    fn a_sealed_value_shows_nothing_and_differs_each_time() {
        let cipher = cipher(1);
        let (one, other) = (cipher.seal(CONTEXT, b"whsec_hello"), cipher.seal(CONTEXT, b"whsec_hello"));
        assert_ne!(one, other);
        assert!(!one.windows(5).any(|part| part == b"whsec"));
    }

    #[test]
    fn another_place_cannot_open_it() {
        let sealed = cipher(1).seal(CONTEXT, b"value");
        for context in [
            SealContext { row: 33, ..CONTEXT },
            SealContext { column: "name", ..CONTEXT },
            SealContext { table: "webhooks", ..CONTEXT },
        ] {
            assert_eq!(cipher(1).open(context, &sealed), Err(Unreadable(context)));
        }
    }

    #[test]
    fn another_key_cannot_open_it() {
        let sealed = cipher(1).seal(CONTEXT, b"value");
        assert_eq!(cipher(2).open(CONTEXT, &sealed), Err(Unreadable(CONTEXT)));
    }

    #[test]
    fn a_flipped_bit_is_found_wherever_it_is() {
        let sealed = cipher(1).seal(CONTEXT, b"value");
        for position in 0..sealed.len() {
            for bit in 0..8 {
                let mut changed = sealed.clone();
                changed[position] ^= 1 << bit;
                assert_eq!(cipher(1).open(CONTEXT, &changed), Err(Unreadable(CONTEXT)), "byte {position}, bit {bit}");
            }
        }
    }

    #[test]
    fn a_cut_value_is_unreadable() {
        let sealed = cipher(1).seal(CONTEXT, b"value");
        for length in 0..sealed.len() {
            assert_eq!(cipher(1).open(CONTEXT, &sealed[..length]), Err(Unreadable(CONTEXT)), "{length} bytes");
        }
    }

    #[test]
    fn purposes_have_different_keys() {
        let cipher = cipher(1);
        assert_ne!(cipher.derive("carts"), cipher.derive("sessions"));
        assert_ne!(&cipher.derive("carts"), cipher.key().expose());
        assert_eq!(cipher.derive("carts"), self::cipher(1).derive("carts"));
    }

    /// What is stored must stay readable in later versions, so neither derivation may change.
    #[test]
    fn derivations_stay_as_they_are() {
        let cipher = cipher(7);
        assert_eq!(cipher.fingerprint(), "6fe3f5b37429c3ed414e53b0ee7a2c73");
        let sealed = hex::decode(SEALED).unwrap();
        assert_eq!(cipher.open(CONTEXT, &sealed).as_deref(), Ok(b"value".as_slice()));
    }

    #[test]
    fn debug_does_not_show_the_key() {
        let shown = format!("{:?}", cipher(7));
        assert_eq!(shown, "Cipher([secret])");
    }
}
