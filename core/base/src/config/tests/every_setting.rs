//! What holds for each setting of `config.toml`: any slip in it is refused by name.

use super::{ConfigFolder, example};
use crate::config::misnamed::uncommented;
use crate::config::{Config, ConfigError};

/// Full names of all settings, without those whose names are the operator's own.
fn names() -> Vec<String> {
    let is_free = |name: &String| {
        ["tax.rates", "tax.classes", "modules", "console.roles", "telemetry.headers", "catalog.purge"]
            .iter()
            .any(|free| name.starts_with(free))
    };
    let names: Vec<_> = example::settings(&uncommented()).into_keys().filter(|name| !is_free(name)).collect();
    assert!(names.len() > 60, "only {} settings were found", names.len());
    names
}

/// Loads a file with this one line.
fn load(line: &str) -> Result<Config, ConfigError> {
    ConfigFolder::with_config(line).load().map(|loaded| loaded.config)
}

#[test]
fn no_setting_takes_just_anything() {
    let values =
        ["true", "5", "-1", "1.5", "''", "'x y'", "['x y']", "{ qqqqqqqq = 1 }", "1979-05-27", "99999999999999999999"];
    for name in names() {
        let refused: Vec<_> = values.iter().filter_map(|value| load(&format!("{name} = {value}\n")).err()).collect();
        assert!(refused.len() >= 5, "{name} was refused only {} times", refused.len());
        for error in refused {
            let said = error.to_string();
            // Another setting may have become impossible by it; the place is still that of this one.
            let section = name.split('.').next().expect("settings stand in sections");
            assert!(said.contains("config.toml:1:") && said.contains(section), "{name}: {said}");
        }
    }
}

#[test]
fn a_missing_letter_in_any_setting_finds_the_setting() {
    for name in names() {
        let (section, key) = name.rsplit_once('.').expect("settings stand in sections");
        for left_out in (0..key.len()).filter(|_| key.len() > 3) {
            let mut wrong = key.to_owned();
            wrong.remove(left_out);
            let said = load(&format!("{section}.{wrong} = 0\n")).expect_err("there is no such key").to_string();
            assert!(said.contains(&format!("did you mean `{key}`?")), "{said}");
        }
    }
}

#[test]
fn a_variable_is_named_when_its_setting_is_refused() {
    let mut refused = 0;
    for name in names() {
        let variable = format!("STOA_{}", name.to_uppercase().replace('.', "__"));
        let place = ConfigFolder::new();
        let sources = place.sources().environment([(variable.as_str(), "{ qqqqqqqq = 1 }")]);
        // Settings that are any text, such as names and secrets, take this one too.
        if let Err(error) = Config::load(sources) {
            assert!(error.to_string().starts_with(&variable), "{name}: {error}");
            refused += 1;
        }
    }
    assert!(refused > 40, "only {refused} were refused");
}
