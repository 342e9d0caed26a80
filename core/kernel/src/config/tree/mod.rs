//! The configuration before it has types: a tree in which each setting knows where it was written.
//!
//! Layers are laid over one another here, and [`decode()`] turns a part of the tree into a type. It
//! reports every problem it finds instead of the first, each with its file, line and full key.

mod decode;
mod fault;
mod key_path;
mod parse;
mod suggestion;

use std::collections::BTreeMap;
use std::fmt;

pub(super) use decode::{Hints, Problems, decode, expect_table};
pub(super) use fault::unknown_key;
pub(super) use key_path::KeyPath;
pub(super) use parse::{parse_defaults, parse_file};
pub(crate) use suggestion::closest;

use super::error::Origin;

/// One setting, or a table or list of them.
#[derive(Clone, PartialEq)]
pub(super) struct Node {
    pub(super) path: KeyPath,
    pub(super) origin: Origin,
    pub(super) content: Content,
}

/// What a setting holds.
#[derive(Clone, PartialEq)]
#[cfg_attr(test, derive(Debug))]
pub(super) enum Content {
    Table(BTreeMap<String, Node>),
    List(Vec<Node>),
    Text(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    /// Something that no setting can be; the words say what.
    Other(&'static str),
    /// The text of an environment variable, which becomes what the setting has to be.
    Variable(String),
}

/// Shows no values: any of them may be a secret.
impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.content {
            Content::Table(entries) => return f.debug_set().entries(entries.values()).finish(),
            Content::List(_) => "list",
            Content::Text(_) => "text",
            Content::Integer(_) | Content::Float(_) => "number",
            Content::Boolean(_) => "boolean",
            Content::Other(kind) => kind,
            Content::Variable(_) => "variable",
        };
        write!(f, "{} ({kind}, {})", self.path, self.origin)
    }
}

impl Node {
    /// A table without settings.
    pub(super) fn empty_table(path: KeyPath, origin: Origin) -> Self {
        Self { path, origin, content: Content::Table(BTreeMap::new()) }
    }

    /// The settings of a table, by key; none when this is no table.
    pub(super) fn entries(&self) -> Option<&BTreeMap<String, Self>> {
        match &self.content {
            Content::Table(entries) => Some(entries),
            _ => None,
        }
    }

    /// The settings of a table, by key; none when this is no table.
    pub(super) fn into_entries(self) -> BTreeMap<String, Self> {
        match self.content {
            Content::Table(entries) => entries,
            _ => BTreeMap::new(),
        }
    }

    /// The setting `key` of this table, taken out of it.
    pub(super) fn take(&mut self, key: &str) -> Option<Self> {
        match &mut self.content {
            Content::Table(entries) => entries.remove(key),
            _ => None,
        }
    }

    /// The setting at `path` below this node, or the closest that is there on the way to it.
    pub(super) fn nearest(&self, path: &KeyPath) -> &Self {
        let leads_there = |child: &&Self| path.starts_with(&child.path);
        let next = match &self.content {
            Content::Table(entries) => entries.values().find(leads_there),
            Content::List(elements) => elements.iter().find(leads_there),
            _ => None,
        };
        next.map_or(self, |child| child.nearest(path))
    }

    /// Lays `upper` over this node: tables are joined key by key, anything else is replaced.
    pub(super) fn lay_over(&mut self, mut upper: Self) {
        if let Content::Table(lower) = &mut self.content {
            // A variable can hold a table too: `{ requests = 5, per_seconds = 60 }`.
            upper.open_variable();
            if let Content::Table(entries) = upper.content {
                for (key, node) in entries {
                    match lower.get_mut(&key) {
                        Some(below) => below.lay_over(node),
                        None => drop(lower.insert(key, node)),
                    }
                }
                self.origin = upper.origin;
                return;
            }
        }
        *self = upper;
    }

    /// Sets what stands at `keys` below this table, as a layer of its own.
    ///
    /// Keys ignore case where the tree already has one: an environment variable cannot tell
    /// `tax.rates.NL` from `tax.rates.nl`.
    pub(super) fn set(&mut self, keys: &[&str], content: Content, origin: &Origin) {
        let Some((first, rest)) = keys.split_first() else {
            return self.lay_over(Self { path: self.path.clone(), origin: origin.clone(), content });
        };
        self.open_variable();
        if self.entries().is_none() {
            *self = Self::empty_table(self.path.clone(), origin.clone());
        }
        let Content::Table(entries) = &mut self.content else { unreachable!("made a table above") };
        let known = entries.keys().find(|key| key.eq_ignore_ascii_case(first));
        let key = known.cloned().unwrap_or_else(|| (*first).to_owned());
        let path = self.path.key(&key);
        let child = entries.entry(key).or_insert_with(|| Self::empty_table(path, origin.clone()));
        child.set(rest, content, origin);
    }

    /// Replaces the text of a variable by the table that it spells, if it does.
    pub(super) fn open_variable(&mut self) {
        if let Content::Variable(text) = &self.content
            && let Some(table @ Content::Table(_)) = parse::parse_value(text, &self.path, &self.origin)
        {
            self.content = table;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(toml: &str) -> Node {
        parse_file(toml, "config.toml").expect("the text is TOML")
    }

    fn variable() -> Origin {
        Origin::Variable("STOA_A__B".into())
    }

    /// What stands at exactly these keys.
    fn content<'a>(root: &'a Node, keys: &[&str]) -> Option<&'a Content> {
        let path = keys.iter().fold(KeyPath::root(), |path, key| path.key(key));
        let node = root.nearest(&path);
        (node.path == path).then_some(&node.content)
    }

    #[test]
    fn an_upper_layer_joins_tables_and_replaces_the_rest() {
        let mut root = tree("a = { x = 1, y = 2 }\nlist = [1, 2]\n");
        root.lay_over(tree("a = { y = 3 }\nlist = [4]\n"));
        assert_eq!(content(&root, &["a", "x"]), Some(&Content::Integer(1)));
        assert_eq!(content(&root, &["a", "y"]), Some(&Content::Integer(3)));
        assert!(matches!(content(&root, &["list"]), Some(Content::List(elements)) if elements.len() == 1));
    }

    #[test]
    fn a_variable_reaches_into_tables_without_regard_to_case() {
        let mut root = tree("[tax.rates]\nNL = 2100\n");
        root.set(&["tax", "rates", "nl"], Content::Integer(900), &variable());
        root.set(&["tax", "rates", "be"], Content::Integer(600), &variable());
        assert_eq!(content(&root, &["tax", "rates", "NL"]), Some(&Content::Integer(900)));
        assert_eq!(content(&root, &["tax", "rates", "be"]), Some(&Content::Integer(600)));
    }

    #[test]
    fn a_variable_that_holds_a_table_is_joined_with_the_table_below() {
        let mut root = tree("[limits.catalog]\nrequests = 120\nper_seconds = 60\n");
        let table = Content::Variable("{ requests = 5 }".to_owned());
        root.set(&["limits", "catalog"], table, &variable());
        let catalog = |key| content(&root, &["limits", "catalog", key]);
        assert_eq!(catalog("requests"), Some(&Content::Integer(5)));
        assert_eq!(catalog("per_seconds"), Some(&Content::Integer(60)));
    }

    #[test]
    fn a_variable_takes_the_place_of_what_is_in_its_way() {
        let mut root = tree("modules = 5\n");
        root.set(&["modules", "inventory", "enabled"], Content::Boolean(true), &variable());
        assert_eq!(content(&root, &["modules", "inventory", "enabled"]), Some(&Content::Boolean(true)));
    }

    #[test]
    fn the_nearest_setting_stands_for_one_that_is_missing() {
        let root = tree("[payments.stripe]\nenabled = true\n");
        let stripe = KeyPath::root().key("payments").key("stripe");
        assert_eq!(root.nearest(&stripe.key("enabled")).path, stripe.key("enabled"));
        assert_eq!(root.nearest(&stripe.key("secret_key")).path, stripe);
    }

    #[test]
    fn debug_shows_keys_but_no_values() {
        let shown = format!("{:?}", tree("[payments.stripe]\nsecret_key = \"sk_live_1\"\n"));
        assert!(shown.contains("payments.stripe.secret_key"), "{shown}");
        assert!(!shown.contains("sk_live_1"), "{shown}");
    }
}
