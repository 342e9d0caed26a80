//! The full name of a setting, such as `shipping.methods[0].amount`.

use std::fmt;
use std::ops::Deref;

/// The way from the root of the configuration to one setting: keys, and the places of elements, `[0]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::config) struct KeyPath(Vec<String>);

/// Sections all of whose values stay unsaid. Modules are among them because only they know which
/// of their settings are secret.
const SECRET_SECTIONS: [&str; 3] = ["payments", "secrets", "modules"];

/// A key with one of these in its name holds a secret, wherever it stands.
const SECRET_WORDS: [&str; 4] = ["secret", "password", "token", "key"];

/// Addresses that may hold a password.
const SECRET_ADDRESSES: [[&str; 2]; 2] = [["database", "url"], ["limits", "store"]];

impl KeyPath {
    /// The setting of these keys, from the root on.
    pub(in crate::config) fn of<'k>(keys: impl IntoIterator<Item = &'k str>) -> Self {
        Self(keys.into_iter().map(str::to_owned).collect())
    }

    /// The setting `key` of the table at this path.
    pub(in crate::config) fn key(&self, key: &str) -> Self {
        self.join(&[key.to_owned()])
    }

    /// The setting that a name with points leads to from the table at this path, such as `s3.endpoint`.
    pub(in crate::config) fn below(&self, name: &str) -> Self {
        name.split('.').fold(self.clone(), |path, key| path.key(key))
    }

    /// The element at `index`, counted from 0, of the list at this path.
    pub(in crate::config) fn index(&self, index: usize) -> Self {
        self.join(&[format!("[{index}]")])
    }

    /// What is `rest` below this path.
    pub(in crate::config) fn join(&self, rest: &[String]) -> Self {
        Self([&**self, rest].concat())
    }

    /// The last key, which names the setting within its table.
    pub(in crate::config) fn last_key(&self) -> &str {
        self.iter().rfind(|segment| index_of(segment).is_none()).map_or("", String::as_str)
    }

    /// Whether no message may repeat the value of this setting (contract 1).
    pub(in crate::config) fn is_secret(&self) -> bool {
        let section = self.first().map_or("", String::as_str);
        let name = self.last_key();
        SECRET_SECTIONS.contains(&section)
            || self.iter().any(|segment| segment == "headers")
            || SECRET_WORDS.iter().any(|word| name.contains(word))
            || SECRET_ADDRESSES.iter().any(|address| **self == *address)
    }
}

impl Deref for KeyPath {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, segment) in self.iter().enumerate() {
            let is_index = index_of(segment).is_some();
            let dot = if place == 0 || is_index { "" } else { "." };
            if is_index || is_bare(segment) {
                write!(f, "{dot}{segment}")?;
            } else {
                write!(f, "{dot}{segment:?}")?;
            }
        }
        Ok(())
    }
}

/// The place of an element that a segment stands for; none when it is a key.
pub(super) fn index_of(segment: &str) -> Option<usize> {
    segment.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Whether TOML lets a key stand without quotes.
fn is_bare(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[&str]) -> KeyPath {
        KeyPath::of(keys.iter().copied())
    }

    #[test]
    fn a_path_is_written_as_in_toml() {
        assert_eq!(path(&["shipping", "methods"]).index(0).key("amount").to_string(), "shipping.methods[0].amount");
        assert_eq!(path(&["tax", "classes", "a.b"]).to_string(), r#"tax.classes."a.b""#);
    }

    #[test]
    fn secrets_are_known_by_section_name_and_address() {
        for keys in [
            &["payments", "stripe", "api_base"] as &[&str],
            &["secrets", "key_file"],
            &["modules", "x", "anything"],
            &["mail", "smtp", "password"],
            &["database", "url"],
            &["limits", "store"],
        ] {
            assert!(path(keys).is_secret(), "{keys:?}");
        }
        for keys in [&["server", "base_url"] as &[&str], &["database", "auto_migrate"], &["shop", "name"]] {
            assert!(!path(keys).is_secret(), "{keys:?}");
        }
    }
}
