//! `[secrets]`: the key for what is encrypted at rest.

use std::fmt;
use std::path::PathBuf;

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use serde::Deserialize;
use subtle::ConstantTimeEq;

use super::value::{self, Malformed, read_from_text};
use crate::secret::Secret;

/// Settings of encryption at rest.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SecretsConfig {
    /// File with the key, made when it is missing.
    #[serde(deserialize_with = "value::path")]
    pub key_file: PathBuf,
    /// The key itself; when it is there, the file is not used.
    pub key: Option<EncryptionKey>,
}

/// A key of 32 bytes, which is shown by no `Debug` and compared in constant time.
#[derive(Clone)]
pub struct EncryptionKey([u8; 32]);

impl EncryptionKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The key that a text spells in base64, with or without padding and white space around it.
    pub fn from_base64(text: &str) -> Option<Self> {
        let padding = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
        let bytes = GeneralPurpose::new(&STANDARD, padding).decode(text.trim()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// The key in base64, as a key file and `STOA_SECRETS__KEY` hold it.
    pub fn to_base64(&self) -> Secret {
        Secret::new(base64::prelude::BASE64_STANDARD.encode(self.0))
    }

    /// The bytes, for the one place that needs them.
    pub fn expose(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Debug for EncryptionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl PartialEq for EncryptionKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

read_from_text!(EncryptionKey, "32 bytes in base64, which `openssl rand -base64 32` makes", |text| {
    Self::from_base64(text).ok_or(Malformed::Unexpected)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_exactly_32_bytes() {
        let key = |bytes: usize| EncryptionKey::from_base64(&base64::prelude::BASE64_STANDARD.encode(vec![7; bytes]));
        assert_eq!(key(32).expect("32 bytes").expose(), &[7; 32]);
        assert_eq!(key(31), None);
        assert_eq!(key(33), None);
        assert_eq!(EncryptionKey::from_base64("no base64!"), None);
        assert_eq!(EncryptionKey::from_base64(""), None);
    }

    #[test]
    fn padding_and_line_breaks_do_not_matter() {
        let bare = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
        assert_eq!(EncryptionKey::from_base64(bare), EncryptionKey::from_base64(&format!("{bare}=\n")));
        assert!(EncryptionKey::from_base64(bare).is_some());
    }

    #[test]
    fn debug_does_not_show_the_key() {
        let key = EncryptionKey([7; 32]);
        assert_eq!(format!("{key:?}"), "[secret]");
    }
}
