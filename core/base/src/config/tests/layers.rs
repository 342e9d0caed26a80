//! Which layer wins, and where paths start.

use std::path::{Path, PathBuf};

use super::{AUTHORITY, ConfigFolder, message, refusal_of_variable};
use crate::config::{Config, CountryCode, DatabaseUrl, LimitStore};

fn loaded(place: &ConfigFolder, variables: &[(&str, &str)]) -> Config {
    let sources = place.sources().environment(variables.iter().copied());
    Config::load(sources).expect("the settings are right").config
}

#[test]
fn the_file_beats_the_defaults_the_environment_the_file_and_flags_the_environment() {
    let place = ConfigFolder::with_config("[shop]\nname = 'file'\n");
    assert_eq!(loaded(&place, &[]).shop.name, "file");
    assert_eq!(loaded(&place, &[("STOA_SHOP__NAME", "variable")]).shop.name, "variable");
    let sources = place.sources().environment([("STOA_SHOP__NAME", "variable")]).flag("shop.name", "flag");
    assert_eq!(Config::load(sources).expect("the settings are right").config.shop.name, "flag");
}

#[test]
fn a_layer_changes_only_the_settings_that_it_names() {
    let place = ConfigFolder::with_config("[limits]\ncatalog = { requests = 7 }\n");
    let limits = loaded(&place, &[("STOA_LIMITS__CHECKOUT__REQUESTS", "0")]).limits;
    assert_eq!((limits.catalog.requests, limits.catalog.per_seconds), (7, 60));
    assert_eq!((limits.checkout.requests, limits.checkout.per_seconds), (0, 60));
    assert!(limits.catalog.is_on() && !limits.checkout.is_on());
}

#[test]
fn shipping_methods_of_the_file_replace_the_default() {
    let config = super::config("[[shipping.methods]]\nid = 'express'\nlabel = 'Express'\namount = 900\n");
    let ids: Vec<_> = config.shipping.methods.iter().map(|method| method.id.as_str()).collect();
    assert_eq!(ids, ["express"]);
}

#[test]
fn a_variable_becomes_what_its_setting_has_to_be() {
    let place = ConfigFolder::new();
    let config = loaded(
        &place,
        &[
            ("STOA_SHOP__NAME", "42"),
            ("STOA_SERVER__METRICS", "true"),
            ("STOA_SERVER__MAX_CONNECTIONS", "7"),
            ("STOA_SERVER__TRUSTED_PROXIES", r#"["10.0.0.0/8", "::1"]"#),
            ("STOA_SERVER__BASE_URL", "https://shop.example"),
            ("STOA_SHOP__COUNTRIES", "['NL', 'be']"),
            ("STOA_SHOP__CURRENCY", "\"JPY\""),
            ("STOA_TAX__RATES__NL", "2100"),
            ("STOA_LIMITS__CATALOG", "{ requests = 1, per_seconds = 2 }"),
            ("STOA_LIMITS__STORE", "redis://cache:6379"),
            ("STOA_LOG__FORMAT", "json"),
            ("STOA_PAYMENTS__MOLLIE__API_KEY", "5"),
            ("STOA_MODULES__SERVICES__ENABLED", "true"),
        ],
    );
    assert_eq!(config.shop.name, "42");
    assert!(config.server.metrics);
    assert_eq!(config.server.max_connections, 7);
    assert_eq!(config.server.trusted_proxies.len(), 2);
    assert_eq!(config.server.base_url.expect("it is set").as_str(), "https://shop.example");
    assert_eq!(config.shop.countries.iter().map(|code| code.as_str()).collect::<Vec<_>>(), ["BE", "NL"]);
    assert_eq!(config.shop.currency.code(), "JPY");
    let netherlands = CountryCode::parse("NL").expect("a country");
    assert_eq!(config.tax.rates.of(netherlands).get(), 2100);
    assert_eq!((config.limits.catalog.requests, config.limits.catalog.per_seconds), (1, 2));
    assert!(matches!(config.limits.store, LimitStore::Redis(url) if url.expose() == "redis://cache:6379"));
    assert_eq!(config.log.format, crate::config::LogFormat::Json);
    assert_eq!(config.payments.mollie.api_key.expect("it is set").expose(), "5");
    assert!(config.modules["services"].enabled);
}

#[test]
fn the_variable_of_a_key_beats_that_of_its_table() {
    let place = ConfigFolder::new();
    let limits = loaded(
        &place,
        &[("STOA_LIMITS__CATALOG__REQUESTS", "5"), ("STOA_LIMITS__CATALOG", "{ requests = 1, per_seconds = 2 }")],
    )
    .limits;
    assert_eq!((limits.catalog.requests, limits.catalog.per_seconds), (5, 2));
}

#[test]
fn a_bad_variable_is_named() {
    for (name, value, expected) in [
        ("STOA_SERVER__LISTEN", "nonsense", "`server.listen` must be an IP address and port"),
        ("STOA_WORKER__ENABLED", "perhaps", "`worker.enabled` must be `true` or `false`, not \"perhaps\""),
        (
            "STOA_WEBHOOKS__SCHEDULER_INTERVAL_SECONDS",
            "ten",
            "`webhooks.scheduler_interval_seconds` must be a whole number",
        ),
        ("STOA_SERVER__LISSTEN", "127.0.0.1:1", "unknown key `server.lissten`; did you mean `listen`?"),
        (
            "STOA_SERVER__TRUSTED_PROXIES",
            "*",
            "`server.trusted_proxies` must be a list, not \"*\"\n  a list is written as in the file: [\"one\", \"two\"]",
        ),
        (
            "STOA_SERVER__TRUSTED_PROXIES",
            r#"["0.0.0.0/0"]"#,
            "`server.trusted_proxies[0]`: this would believe everybody",
        ),
        ("STOA_MODULES__INVENTORY__ENABLED", "maybe", "`modules.inventory.enabled` must be `true` or `false`"),
        ("STOA_MODULES__INVENTORY", "true", "`modules.inventory` must be a table"),
        (
            "STOA_SERVER__BASE_URL",
            "",
            "`server.base_url` must be an address with http:// or https://, such as \"https://shop.example.com\", not empty text",
        ),
        ("STOA_SERVER__", "x", "unknown key `server.\"\"`"),
        ("STOA___", "x", "unknown key `\"\"`"),
        ("STOA_ZEBRA__STRIPES", "9", "unknown key `zebra`"),
    ] {
        let said = refusal_of_variable(name, value);
        assert!(said.starts_with(&format!("{name}: {expected}")), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_text_is_refused() {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    let place = ConfigFolder::new();
    let value = OsString::from_vec(vec![b'a', 0xff]);
    let sources = place.sources().environment([(OsString::from("STOA_SHOP__NAME"), value)]);
    assert_eq!(message(Config::load(sources)), "STOA_SHOP__NAME: the value of this variable is not UTF-8 text");
}

#[test]
fn variables_without_levels_are_no_configuration() {
    let place = ConfigFolder::new();
    for name in
        ["STOA_TEST_POSTGRES_URL", "STOA_LISTEN", "STOA_", "STOA_SERVER", "stoa_server__listen", "SERVER__LISTEN", "__"]
    {
        assert_eq!(loaded(&place, &[(name, "nonsense")]), loaded(&place, &[]), "{name}");
    }
}

#[test]
fn a_named_file_is_read_instead_of_the_default_one() {
    let place =
        ConfigFolder::with_config("[server]\nlissten = 'x'\n").with_file("other.toml", "[shop]\nname = 'other'\n");
    let loaded = Config::load(place.sources().file("other.toml")).expect("the other file is right");
    assert_eq!(loaded.config.shop.name, "other");
    assert_eq!(loaded.file, Some(place.path().join("other.toml")));
    assert!(place.load().is_err());
}

#[test]
fn a_named_file_must_be_there_and_be_a_file() {
    let place = ConfigFolder::new().with_file("folder/x", "");
    let said = |file: &str| message(Config::load(place.sources().file(file)));
    assert_eq!(said("absent.toml"), "absent.toml: there is no such configuration file");
    assert!(said("folder").starts_with("folder: this configuration file cannot be read: "), "{}", said("folder"));
}

#[test]
fn a_file_in_another_encoding_is_refused_with_its_line() {
    let latin = ConfigFolder::new().with_file("config.toml", b"[shop]\nname = 'Caf\xe9'\n");
    assert_eq!(message(latin.load()), "config.toml: line 2 is not UTF-8 text; save the file as UTF-8");
    let utf_16: Vec<u8> = "\u{feff}[shop]\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf_16 = ConfigFolder::new().with_file("config.toml", utf_16);
    assert_eq!(message(utf_16.load()), "config.toml: line 1 is not UTF-8 text; save the file as UTF-8");
}

#[test]
fn a_byte_order_mark_and_line_ends_of_windows_do_no_harm() {
    let place = ConfigFolder::with_config("\u{feff}[shop]\r\nname = 'Shop'\r\n[server]\r\nlissten = 1\r\n");
    assert_eq!(message(place.load()), "config.toml:4:1: unknown key `server.lissten`; did you mean `listen`?");
}

#[test]
fn relative_paths_start_at_the_folder_of_the_file() {
    let place = ConfigFolder::new()
        .with_file("etc/stoa.toml", "[webhooks]\nextra_ca_file = 'ca.pem'\n")
        .with_file("etc/ca.pem", AUTHORITY);
    let etc = place.path().join("etc");
    let loaded = Config::load(place.sources().file("etc/stoa.toml")).expect("the file is right");
    assert_eq!(loaded.folder, etc);
    assert_eq!(
        paths(&loaded.config),
        [etc.join("data/stoa.db"), etc.join("data/media"), etc.join("data/stoa.key"), etc.join("ca.pem")]
    );
}

#[test]
fn without_a_file_relative_paths_start_at_the_working_directory() {
    let place = ConfigFolder::new();
    let loaded = place.load().expect("the defaults are right");
    assert_eq!(loaded.folder, place.path());
    assert_eq!(paths(&loaded.config)[0], place.path().join("data/stoa.db"));
}

#[test]
fn absolute_paths_stay_as_they_are() {
    let place = ConfigFolder::new();
    let config =
        loaded(&place, &[("STOA_DATABASE__URL", "sqlite:///srv/stoa.db"), ("STOA_MEDIA__FOLDER", "/srv/media")]);
    assert_eq!(config.database.url, DatabaseUrl::SqliteFile("/srv/stoa.db".into()));
    assert_eq!(config.media.folder, Path::new("/srv/media"));
    assert_eq!(loaded(&place, &[("STOA_DATABASE__URL", "sqlite::memory:")]).database.url, DatabaseUrl::SqliteMemory);
}

/// Database, media folder, key file and certificate authority.
fn paths(config: &Config) -> Vec<PathBuf> {
    let DatabaseUrl::SqliteFile(database) = &config.database.url else { panic!("{:?}", config.database.url) };
    let mut paths = vec![database.clone(), config.media.folder.clone(), config.secrets.key_file.clone()];
    paths.extend(config.webhooks.extra_ca_file.clone());
    paths
}
