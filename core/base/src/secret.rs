//! Text that must never be shown: keys, passwords, signing secrets.

use std::fmt;

use serde::{Deserialize, Deserializer};
use subtle::ConstantTimeEq;

/// A secret text, which is shown by no `Debug` and compared in constant time.
///
/// There is no `Display` and no `Serialize` on purpose: whoever needs the text calls
/// [`expose`](Secret::expose), which is easy to find in a review.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Keeps `text` secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text itself, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether there is no text but white space.
    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Secret {}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_does_not_show_the_text() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "[secret]");
    }

    #[test]
    fn only_equal_texts_are_equal() {
        assert_eq!(Secret::new("a"), Secret::new("a"));
        assert_ne!(Secret::new("a"), Secret::new("b"));
        assert_ne!(Secret::new("a"), Secret::new("aa"));
    }

    #[test]
    fn white_space_is_blank() {
        assert!(Secret::new(" \n").is_blank());
        assert!(!Secret::new(" x ").is_blank());
    }
}
