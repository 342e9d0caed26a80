//! `[[shop.consents]]`: what customers agree to with an order.

use std::collections::{BTreeMap, HashSet};

use serde::Deserialize;
use serde::de::{Deserializer, Error};

use super::check::Check;
use super::value::{self, Malformed, read_from_text};

/// Something that customers agree to with an order.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table with `id`, `version` and `label`")]
pub struct ConsentConfig {
    /// Lasting name that orders refer to.
    #[serde(deserialize_with = "id")]
    pub id: String,
    /// Which edition of the text it is; orders keep it.
    #[serde(deserialize_with = "version")]
    pub version: String,
    /// What customers read, by language; never empty.
    #[serde(deserialize_with = "labels")]
    label: BTreeMap<LanguageKey, Label>,
    /// Where the whole text stands.
    #[serde(default, deserialize_with = "url")]
    pub url: Option<String>,
    /// Whether there is no order without it.
    #[serde(default = "yes")]
    pub required: bool,
    /// Which orders it is asked for.
    #[serde(default)]
    pub when: ConsentScope,
}

/// Which orders a consent is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsentScope {
    /// All.
    #[default]
    Always,
    /// Those with something that is not sent by parcel.
    Digital,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LanguageKey(String);

read_from_text!(LanguageKey, "a language in two or three letters, such as \"en\"", |text| {
    let is_language = (2..=3).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_lowercase());
    if is_language { Ok(Self(text.to_owned())) } else { Err(Malformed::Unexpected) }
});

#[derive(Debug, Clone, PartialEq)]
struct Label(String);

read_from_text!(Label, "a text of 1 to 500 characters on one line", |text| {
    let text = text.trim();
    let is_label = (1..=500).contains(&text.chars().count()) && !text.contains(char::is_control);
    if is_label { Ok(Self(text.to_owned())) } else { Err(Malformed::Unexpected) }
});

impl ConsentConfig {
    /// What customers read in a language, or else in the shop's own.
    pub fn label_in(&self, language: &str, of_shop: &str) -> &str {
        let find = |language: &str| self.label.iter().find(|(key, _)| key.0 == language);
        let found = find(language).or_else(|| find(of_shop)).or_else(|| self.label.iter().next());
        found.map(|(_, label)| label.0.as_str()).unwrap_or_default()
    }

    /// Notes what is wrong about all consents together, and with the shop's own language.
    pub(super) fn check(all: &[Self], of_shop: &str, check: &mut Check<'_>) {
        let mut ids = HashSet::new();
        for (index, consent) in all.iter().enumerate() {
            let mut check = check.element("consents", index);
            if !ids.insert(&consent.id) {
                check.refuse("id", "another consent has this id already; choose a new one");
            }
            if !consent.label.keys().any(|language| language.0 == of_shop) {
                check.refuse(
                    "label",
                    &format!("the shop's own language, `{of_shop}`, is missing; add {of_shop} = \"…\""),
                );
            }
        }
    }
}

fn yes() -> bool {
    true
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::name(deserializer, "1 to 40 letters, digits, `-` and `_`, such as \"terms\"")
}

fn version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::text(deserializer, "1 to 40 letters, digits, `.`, `-` and `_`, such as \"2026-11\"", |text| {
        let is_version = (1..=40).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte));
        if is_version { Ok(text.to_owned()) } else { Err(Malformed::Unexpected) }
    })
}

fn url<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let expected = "a web address or a path of this shop, such as \"https://www.example.com/terms\" or \"/terms\"";
    value::text(deserializer, expected, |text| {
        let is_web = url::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
        let is_path = text.starts_with('/') && !text.starts_with("//");
        let is_plain =
            text.len() <= 500 && !text.contains(|letter: char| letter.is_control() || letter.is_whitespace());
        if is_plain && (is_web || is_path) { Ok(Some(text.to_owned())) } else { Err(Malformed::Unexpected) }
    })
}

fn labels<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<LanguageKey, Label>, D::Error> {
    let labels = BTreeMap::<LanguageKey, Label>::deserialize(deserializer)?;
    if labels.is_empty() {
        return Err(D::Error::custom("a text in the shop's own language is missing, such as { en = \"I agree.\" }"));
    }
    Ok(labels)
}
