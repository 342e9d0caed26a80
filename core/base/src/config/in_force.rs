//! The configuration as operators look at it: each setting that is in force, where it was written, and no secrets.

use std::ops::Deref;
use std::sync::Arc;

use figment::value::Value;

use super::tree::{KeyPath, Tree};

/// What is shown of a secret.
const HIDDEN: &str = "(hidden)";

/// Settings that are no secrets, though they stand among some or may hold one: what can be one in them is hidden all the same.
const SHOWN: [&[&str]; 5] = [
    &["limits", "store"],
    &["payments", "manual", "expiry_minutes"],
    &["payments", "mollie", "api_base"],
    &["payments", "paypal", "api_base"],
    &["payments", "stripe", "api_base"],
];

/// A setting that is in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingInForce {
    /// Its full name, such as `server.listen`.
    pub key: String,
    /// What it is; of a secret only that there is one.
    pub value: String,
    /// Where that was written; `None` if it is as it comes.
    pub origin: Option<String>,
}

/// All settings, by name. Where they were written makes no other configuration of them.
#[derive(Debug, Clone, Default)]
pub struct SettingsInForce(Arc<[SettingInForce]>);

impl PartialEq for SettingsInForce {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Deref for SettingsInForce {
    type Target = [SettingInForce];

    fn deref(&self) -> &[SettingInForce] {
        &self.0
    }
}

impl SettingsInForce {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut found = Vec::new();
        gather(tree, tree.root(), &KeyPath::default(), &mut found);
        found.sort_by(|one, other| one.key.cmp(&other.key));
        Self(found.into())
    }

    /// Notes a setting that the program itself has laid over the others.
    pub(super) fn note(&mut self, key: &str, value: &str, origin: &str) {
        let mut settings = self.0.iter().filter(|setting| setting.key != key).cloned().collect::<Vec<_>>();
        settings.push(SettingInForce { key: key.into(), value: value.into(), origin: Some(origin.into()) });
        settings.sort_by(|one, other| one.key.cmp(&other.key));
        self.0 = settings.into();
    }
}

fn gather(tree: &Tree, value: &Value, path: &KeyPath, found: &mut Vec<SettingInForce>) {
    match value {
        Value::Dict(_, entries) if !entries.is_empty() => {
            for (key, value) in entries {
                gather(tree, value, &path.key(key), found);
            }
        }
        Value::Array(_, elements) if elements.iter().any(|element| element.as_dict().is_some()) => {
            for (index, value) in elements.iter().enumerate() {
                gather(tree, value, &path.index(index), found);
            }
        }
        value => {
            let key = path.to_string();
            let value = if is_secret(path, value) { String::from(HIDDEN) } else { without_passwords(&written(value)) };
            let origin = Some(tree.origin(path)).filter(|origin| *origin != super::Origin::Defaults);
            found.push(SettingInForce { key, value, origin: origin.map(|origin| origin.to_string()) });
        }
    }
}

/// That something is on or off is told of every setting. An address hides a password before an `@`, or behind a `?`.
fn is_secret(path: &KeyPath, value: &Value) -> bool {
    let is_shown = SHOWN.iter().any(|shown| **path == **shown) && !written(value).contains(['@', '?']);
    !matches!(value, Value::Bool(..)) && !is_shown && path.is_secret()
}

fn written(value: &Value) -> String {
    match value {
        Value::String(_, text) => text.clone(),
        Value::Char(_, letter) => letter.to_string(),
        Value::Bool(_, flag) => flag.to_string(),
        Value::Num(_, number) => {
            number.to_i128().map_or_else(|| number.to_f64().unwrap_or_default().to_string(), |whole| whole.to_string())
        }
        Value::Empty(..) => String::new(),
        Value::Dict(..) => String::from("{}"),
        Value::Array(_, elements) => {
            let elements = elements.iter().map(written).collect::<Vec<_>>();
            format!("[{}]", elements.join(", "))
        }
    }
}

/// An address without the password that may stand in it.
fn without_passwords(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let end = rest.find('/').unwrap_or(rest.len());
    let shown = match rest[..end].rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://…@{host}"),
        None => format!("{scheme}://{}", &rest[..end]),
    };
    // What follows a question mark may be a password as well.
    let path = rest[end..].split('?').next().unwrap_or_default();
    format!("{shown}{path}")
}

#[cfg(test)]
mod tests {
    use super::super::{Config, Sources};
    use super::*;

    #[test]
    fn what_is_in_force_is_told_with_its_origin_and_without_secrets() {
        let sources = Sources::new("/nowhere").environment([
            ("STOA_SERVER__LISTEN", "127.0.0.1:9000"),
            ("STOA_DATABASE__URL", "postgres://stoa:geheim@db.example/stoa"),
            ("STOA_MAIL__FROM", "shop@shop.example"),
            ("STOA_MAIL__SMTP__HOST", "mail.example"),
            ("STOA_MAIL__SMTP__USERNAME", "shop"),
            ("STOA_MAIL__SMTP__PASSWORD", "geheim"),
        ]);
        let loaded = Config::load(sources).unwrap_or_else(|error| panic!("{error}"));
        let find = |key: &str| loaded.config.in_force.iter().find(|setting| setting.key == key).cloned();
        let listen = find("server.listen").expect("it is there");
        assert_eq!(listen.value, "127.0.0.1:9000");
        assert!(listen.origin.is_some_and(|origin| origin.contains("STOA_SERVER__LISTEN")));
        assert_eq!(find("mail.smtp.password").map(|setting| setting.value).as_deref(), Some(HIDDEN));
        assert_eq!(without_passwords("smtp://me:geheim@mail.example/x?y=geheim"), "smtp://…@mail.example/x");
        assert_eq!(find("shop.name").and_then(|setting| setting.origin), None);
        assert!(loaded.config.in_force.iter().all(|setting| !setting.value.contains("geheim")));
    }

    #[test]
    fn what_is_no_secret_is_told_among_secrets_unless_it_holds_one() {
        let shown = |store: &str| {
            let loaded = Config::load(Sources::new("/nowhere").environment([
                ("STOA_LIMITS__STORE", store),
                ("STOA_PAYMENTS__PAYPAL__API_BASE", "https://api-m.sandbox.paypal.com"),
                ("STOA_PAYMENTS__PAYPAL__CLIENT_ID", "geheim-geheim"),
            ]));
            let config = loaded.unwrap_or_else(|error| panic!("{error}")).config;
            let keys = [
                "payments.manual.expiry_minutes",
                "payments.paypal.api_base",
                "payments.paypal.client_id",
                "limits.store",
            ];
            keys.map(|key| config.in_force.iter().find(|setting| setting.key == key).expect(key).value.clone())
        };
        let base = "https://api-m.sandbox.paypal.com";
        assert_eq!(shown("memory"), ["20160", base, HIDDEN, "memory"]);
        assert_eq!(shown("redis://127.0.0.1:6379"), ["20160", base, HIDDEN, "redis://127.0.0.1:6379"]);
        assert_eq!(shown("redis://shop:geheim@127.0.0.1:6379"), ["20160", base, HIDDEN, HIDDEN]);
    }
}
