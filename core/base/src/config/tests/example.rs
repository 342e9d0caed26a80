//! `config.toml` at the top of the project: right, complete, and equal to the defaults.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};

use super::{AUTHORITY, ConfigFolder, refusal};
use crate::config::misnamed::uncommented;
use crate::config::sources::DEFAULTS;
use crate::config::{Config, ConfigError};

/// The settings in this text over the defaults, with all paths as they are written.
fn settings_of(text: &str) -> Result<Config, ConfigError> {
    let place = ConfigFolder::with_config(text);
    let layers = place.sources().read()?;
    Config::decode(&Arc::new(layers.tree), Path::new(""))
}

/// All settings in this text by their full names, without those of tables in lists.
pub(super) fn settings(text: &str) -> BTreeMap<String, Value> {
    let table: Table = text.parse().expect("the text is TOML");
    let mut settings = BTreeMap::new();
    collect(table, "", &mut settings);
    settings
}

fn collect(table: Table, path: &str, settings: &mut BTreeMap<String, Value>) {
    for (key, value) in table {
        match value {
            Value::Table(inner) if !inner.is_empty() => {
                collect(inner, &format!("{path}{key}."), settings);
            }
            value => drop(settings.insert(format!("{path}{key}"), value)),
        }
    }
}

#[test]
fn the_example_equals_the_defaults() {
    assert_eq!(settings_of(DEFAULTS), Ok(Config::default()));
    assert_eq!(settings_of(""), Ok(Config::default()));
}

#[test]
fn only_settings_without_a_default_are_commented() {
    let live = settings(DEFAULTS);
    let mut commented = settings(&uncommented());
    commented.retain(|name, _| !live.contains_key(name));
    assert!(commented.len() > 15, "only {commented:?} were found");
    for (name, value) in commented {
        // Some are refused alone because they need another one; so they are no default either.
        let result = settings_of(&format!("{name} = {value}\n"));
        assert_ne!(result, Ok(Config::default()), "{name} shows its default and can be live");
    }
}

#[test]
fn every_commented_setting_is_right_too() {
    // A standby is one of PostgreSQL; all else is as it is shown.
    let shown = uncommented();
    let on_postgres = shown.replacen("url = \"sqlite://data/stoa.db\"", "url = \"postgres://stoa@db.example/stoa\"", 1);
    assert_ne!(on_postgres, shown);
    let place = ConfigFolder::with_config(&on_postgres).with_file("extra-ca.pem", AUTHORITY);
    let config = place.load().unwrap_or_else(|error| panic!("{error}")).config;
    assert_eq!(config.modules.len(), 8);
    assert!(config.modules.values().all(|section| section.enabled));
    assert!(config.secrets.key.is_some() && config.mail.smtp.password.is_some());
}

#[test]
fn the_example_shows_every_setting() {
    let example: Table = uncommented().parse().expect("the example is TOML");
    let mut seen = 0;
    assert_shows_all(&example, &mut Vec::new(), &mut seen);
    assert!(seen > 80, "only {seen} settings were looked at");
}

/// Asks each table for the settings that it knows, by way of one that it does not.
fn assert_shows_all<'a>(table: &'a Table, path: &mut Vec<&'a str>, seen: &mut usize) {
    let header = if path.is_empty() { String::new() } else { format!("[{}]\n", path.join(".")) };
    let said = refusal(&format!("{header}qqqqqqqqqqqq = 0\n"));
    let Some((_, known)) = said.split_once("known there: ") else {
        return; // A table whose keys are the operator's own, such as tax rates.
    };
    for key in known.split(", ").map(|key| key.trim_matches('`')) {
        assert!(table.contains_key(key), "`{}.{key}` is not in config.toml", path.join("."));
        *seen += 1;
    }
    for (key, value) in table {
        if let Value::Table(inner) = value {
            path.push(key);
            assert_shows_all(inner, path, seen);
            path.pop();
        }
    }
}

#[test]
fn the_example_shows_every_setting_of_a_shipping_method() {
    let example: Table = uncommented().parse().expect("the example is TOML");
    let method = &example["shipping"]["methods"][0];
    let said = refusal("[[shipping.methods]]\nqqqqqqqqqqqq = 0\n");
    let (_, known) = said.lines().find_map(|line| line.split_once("known there: ")).expect("they are told");
    for key in known.split(", ").map(|key| key.trim_matches('`')) {
        assert!(method.get(key).is_some(), "`{key}` is not in config.toml");
    }
}
