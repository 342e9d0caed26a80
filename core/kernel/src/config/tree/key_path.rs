//! The full name of a setting, such as `shipping.methods[0].amount`.

use std::fmt;

/// The way from the root of the configuration to one setting.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::config) struct KeyPath(Vec<Segment>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Segment {
    Key(String),
    Index(usize),
}

/// Sections all of whose values stay unsaid. Modules are among them because only they know which
/// of their settings are secret.
const SECRET_SECTIONS: [&str; 3] = ["payments", "secrets", "modules"];

/// A key with one of these in its name holds a secret, wherever it stands.
const SECRET_WORDS: [&str; 4] = ["secret", "password", "token", "key"];

/// Addresses that may hold a password.
const SECRET_ADDRESSES: [[&str; 2]; 2] = [["database", "url"], ["limits", "store"]];

impl KeyPath {
    /// The root of the configuration.
    pub(in crate::config) fn root() -> Self {
        Self::default()
    }

    /// The setting `key` of the table at this path.
    pub(in crate::config) fn key(&self, key: &str) -> Self {
        self.with(Segment::Key(key.to_owned()))
    }

    /// The element at `index`, counted from 0, of the list at this path.
    pub(in crate::config) fn index(&self, index: usize) -> Self {
        self.with(Segment::Index(index))
    }

    fn with(&self, segment: Segment) -> Self {
        let mut path = self.clone();
        path.0.push(segment);
        path
    }

    /// The table or list that this setting stands in; none for the root.
    pub(in crate::config) fn parent(&self) -> Option<Self> {
        let (_, parents) = self.0.split_last()?;
        Some(Self(parents.to_vec()))
    }

    /// The last key, which names the setting within its table.
    pub(in crate::config) fn last_key(&self) -> Option<&str> {
        self.keys().last()
    }

    /// Whether this is `other` or something in it.
    pub(in crate::config) fn starts_with(&self, other: &Self) -> bool {
        self.0.starts_with(&other.0)
    }

    /// Whether no message may repeat the value of this setting (contract 1).
    pub(in crate::config) fn is_secret(&self) -> bool {
        let section = self.keys().next().unwrap_or_default();
        let name = self.last_key().unwrap_or_default();
        SECRET_SECTIONS.contains(&section)
            || SECRET_WORDS.iter().any(|word| name.contains(word))
            || SECRET_ADDRESSES.iter().any(|address| self.keys().eq(address.iter().copied()))
    }

    fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|segment| match segment {
            Segment::Key(key) => Some(key.as_str()),
            Segment::Index(_) => None,
        })
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Index(index) => write!(f, "[{index}]")?,
                Segment::Key(key) => {
                    let dot = if place == 0 { "" } else { "." };
                    if is_bare(key) {
                        write!(f, "{dot}{key}")?;
                    } else {
                        write!(f, "{dot}{key:?}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether TOML lets a key stand without quotes.
fn is_bare(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[&str]) -> KeyPath {
        keys.iter().fold(KeyPath::root(), |path, key| path.key(key))
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
