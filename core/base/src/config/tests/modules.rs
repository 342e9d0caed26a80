//! Modules: the switch, and settings that only they understand.

use serde::Deserialize;

use super::{ConfigFolder, config};
use crate::config::{Config, ConfigError, CountryCode};

/// What a module might have; on purpose without `deny_unknown_fields`.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(default)]
struct Settings {
    grace_days: u32,
    provider: Provider,
}

#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Provider {
    endpoint: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { grace_days: 3, provider: Provider::default() }
    }
}

fn decode(text: &str) -> Result<Settings, ConfigError> {
    config(text).modules["x"].decode()
}

#[test]
fn a_module_is_off_until_it_is_enabled() {
    let config =
        config("[modules.off]\nenabled = false\n[modules.on]\nenabled = true\n[modules.unsaid]\ngrace_days = 1\n");
    let enabled: Vec<_> = config.modules.iter().map(|(key, section)| (key.as_str(), section.enabled)).collect();
    assert_eq!(enabled, [("off", false), ("on", true), ("unsaid", false)]);
}

#[test]
fn a_module_decodes_its_own_settings() {
    let settings = decode("[modules.x]\nenabled = true\ngrace_days = 7\n[modules.x.provider]\nendpoint = 'here'\n");
    let expected = Settings { grace_days: 7, provider: Provider { endpoint: Some("here".to_owned()) } };
    assert_eq!(settings, Ok(expected));
    assert_eq!(decode("[modules.x]\nenabled = true\n"), Ok(Settings::default()));
}

#[test]
fn a_module_reads_variables_too() {
    let place = ConfigFolder::with_config("[modules.x]\nenabled = true\n");
    let load = |value| {
        let sources = place.sources().environment([("STOA_MODULES__X__GRACE_DAYS", value)]);
        Config::load(sources).expect("the core does not know the setting").config.modules["x"].decode::<Settings>()
    };
    assert_eq!(load("9").expect("a number").grace_days, 9);
    let error = load("nine").expect_err("no number").to_string();
    assert_eq!(
        error,
        "STOA_MODULES__X__GRACE_DAYS: `modules.x.grace_days` must be a whole number from 0 to 4294967295, not this text"
    );
}

#[test]
fn a_module_refuses_unknown_keys_with_the_one_that_was_meant() {
    for (text, expected) in [
        ("[modules.x]\nenabeld = true", "config.toml:2:1: unknown key `modules.x.enabeld`; did you mean `enabled`?"),
        (
            "[modules.x]\ngrace_day = 1",
            "config.toml:2:1: unknown key `modules.x.grace_day`; did you mean `grace_days`?",
        ),
        (
            "[modules.x]\nzebra = 1",
            "config.toml:2:1: unknown key `modules.x.zebra`\n  known there: `enabled`, `grace_days`, `provider`",
        ),
        (
            "[modules.x.provider]\nenabled = true",
            "config.toml:2:1: unknown key `modules.x.provider.enabled`\n  known there: `endpoint`",
        ),
    ] {
        assert_eq!(decode(text).expect_err("it is refused").to_string(), expected);
    }
}

#[test]
fn all_that_is_wrong_with_a_module_is_told_at_once() {
    let error = decode("[modules.x]\nenabeld = true\ngrace_days = -1\nprovider = { endpoint = 5 }\n")
        .expect_err("it is refused");
    assert_eq!(
        error.to_string(),
        "3 problems in the configuration:\n\
         config.toml:2:1: unknown key `modules.x.enabeld`; did you mean `enabled`?\n\
         config.toml:3:1: `modules.x.grace_days` must be a whole number from 0 to 4294967295, not this number\n\
         config.toml:4:14: `modules.x.provider.endpoint` must be text, not this number"
    );
}

#[test]
fn a_module_without_settings_has_only_the_switch() {
    assert_eq!(config("[modules.x]\nenabled = true\n").modules["x"].decode::<()>(), Ok(()));
    let error =
        config("[modules.x]\nenabeld = true\nother = 1\n").modules["x"].decode::<()>().expect_err("it is refused");
    assert_eq!(
        error.to_string(),
        "2 problems in the configuration:\n\
         config.toml:2:1: unknown key `modules.x.enabeld`; did you mean `enabled`?\n\
         config.toml:3:1: unknown key `modules.x.other`\n  known there: `enabled`"
    );
}

#[test]
fn a_module_can_refuse_what_it_decoded() {
    let config = config("[modules.x]\nenabled = true\nprovider = { endpoint = 'here' }\n");
    let problem = |key| config.modules["x"].problem(key, "this is no address").to_string();
    assert_eq!(problem("provider.endpoint"), "config.toml:3:14: `modules.x.provider.endpoint`: this is no address");
    assert_eq!(problem("grace_days"), "config.toml:1:10: `modules.x.grace_days`: this is no address");
}

#[test]
fn a_module_that_is_not_there_is_refused_with_the_one_that_was_meant() {
    let config = config("[modules.inventroy]\nenabled = true\n[modules.zebra]\nenabled = false\n[modules.downloads]\n");
    let said: Vec<_> =
        config.check_module_keys(&["downloads", "inventory"], &[]).iter().map(ToString::to_string).collect();
    assert_eq!(
        said,
        [
            "config.toml:1:10: unknown module `inventroy` in `modules.inventroy`; did you mean `inventory`?\n  this program contains: `downloads`, `inventory`",
            "config.toml:3:10: unknown module `zebra` in `modules.zebra`\n  this program contains: `downloads`, `inventory`; the module of a crate that Cargo.toml names is linked by `use the_crate as _;` in src/main.rs",
        ]
    );
    assert_eq!(config.check_module_keys(&["downloads", "inventroy", "zebra"], &[]), []);
    let said = config.check_module_keys(&[], &[])[0].to_string();
    assert!(said.contains("\n  this program contains no modules; the module of a crate"), "{said}");
}

#[test]
fn an_unknown_module_of_a_variable_is_told_with_the_variable() {
    let place = ConfigFolder::new();
    let sources = place.sources().environment([("STOA_MODULES__INVENTROY__ENABLED", "true")]);
    let config = Config::load(sources).expect("modules are not known here").config;
    let said = config.check_module_keys(&["inventory"], &[])[0].to_string();
    assert!(said.starts_with("STOA_MODULES__INVENTROY__ENABLED: unknown module `inventroy`"), "{said}");
}

#[test]
fn the_demo_switches_on_what_the_configuration_does_not_mention() {
    let mut config = config("[modules.downloads]\nenabled = false\n");
    assert!(!config.payments.development.enabled && !config.payments.simulated.enabled);
    config.apply_demo(&["downloads", "x"]);
    assert!(config.payments.development.enabled && config.payments.simulated.enabled);
    assert!(config.seller.country.is_some(), "the checkout begins with it");
    assert!(config.modules["x"].enabled && !config.modules["downloads"].enabled);
    let problem = config.modules["x"].problem("grace_days", "too few");
    assert_eq!(problem.to_string(), "built-in defaults: `modules.x.grace_days`: too few");
    assert_eq!(config.modules["x"].decode(), Ok(Settings::default()));
}

#[test]
fn the_demo_has_tax_unless_the_configuration_says_something_of_it() {
    let greece = CountryCode::parse("GR").expect("it is one");
    for (written, rate) in [
        ("", 2400),
        ("[tax]\nrates = { GR = 1300 }\n", 1300),
        ("[tax.classes]\nreduced = { GR = 600 }\n", 0),
        ("[seller]\ntax_exemption = \"A small business\"\n", 0),
    ] {
        let mut config = config(written);
        config.apply_demo(&[]);
        assert_eq!(config.tax.rates.of(greece).get(), rate, "{written}");
        let told = config.in_force.iter().find(|setting| setting.key == "tax.rates").map(|told| told.value.as_str());
        assert_eq!(told.is_some_and(|told| told.contains("GR = 2400")), rate == 2400, "{written}: {told:?}");
    }
}

#[test]
fn what_a_type_says_about_its_value_is_told_with_the_key() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(try_from = "u32")]
    struct Even(u32);

    impl TryFrom<u32> for Even {
        type Error = &'static str;

        fn try_from(number: u32) -> Result<Self, Self::Error> {
            if number.is_multiple_of(2) { Ok(Self(number)) } else { Err("this is an odd number") }
        }
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Numbers {
        one: Even,
        many: Vec<Even>,
    }

    let text = "[modules.x]\none = 3\nmany = [2, 4, 7]\n";
    let error = config(text).modules["x"].decode::<Numbers>().expect_err("it is refused");
    assert_eq!(
        error.to_string(),
        "2 problems in the configuration:\n\
         config.toml:2:1: `modules.x.one`: this is an odd number\n\
         config.toml:3:15: `modules.x.many[2]`: this is an odd number"
    );
}
