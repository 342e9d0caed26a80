//! Mistakes in the configuration: exit code 2 and one message that names file or variable, key, and what was meant.

use stoa_core::db::Backend;

use super::place::ShopFolder;

/// A configuration file, and words of the message.
const MISTAKES: &[(&str, &[&str])] = &[
    // Unknown keys.
    ("[server]\nlissten = \"127.0.0.1:1\"", &["lissten", "listen"]),
    ("[server]\nbase_ulr = \"http://x.example\"", &["base_ulr", "base_url"]),
    ("[serve]\nlisten = \"127.0.0.1:1\"", &["serve", "server"]),
    ("[shop]\ncurency = \"EUR\"", &["curency", "currency"]),
    ("[database]\nuri = \"sqlite://x.db\"", &["uri", "url"]),
    ("[worker]\nenable = false", &["enable", "enabled"]),
    ("[modules.inventroy]\nenabled = true", &["inventroy", "inventory"]),
    ("[payments.stripe]\nsecretkey = \"sk\"", &["secretkey", "secret_key"]),
    ("[limits]\ncatalogs = { requests = 1, per_seconds = 1 }", &["catalogs", "catalog"]),
    ("[limits]\ncatalog = { request = 1, per_seconds = 1 }", &["request", "requests"]),
    ("[secrets]\nkeyfile = \"x\"", &["keyfile", "key_file"]),
    ("[[shipping.methods]]\nid = \"a\"\nlabel = \"A\"\namount = 1\nfree_form = 5", &["free_form", "free_from"]),
    ("[zebra]\nstripes = 9", &["zebra"]),
    // Wrong types.
    ("[server]\nlisten = 8080", &["server.listen"]),
    ("[server]\ntrusted_proxies = \"10.0.0.0/8\"", &["server.trusted_proxies"]),
    ("[server]\nmetrics = \"yes\"", &["server.metrics"]),
    ("[shop]\ncurrency = 978", &["shop.currency"]),
    ("[shop]\ncountries = \"NL\"", &["shop.countries"]),
    ("[database]\nurl = 5", &["database.url"]),
    ("[database]\nauto_migrate = \"no\"", &["database.auto_migrate"]),
    ("[log]\nlevel = 5", &["log.level"]),
    ("[modules]\ninventory = true", &["inventory"]),
    ("[tax]\nrates = { NL = \"21%\" }", &["NL"]),
    // Impossible values.
    ("[server]\nlisten = \"not an address\"", &["server.listen"]),
    ("[server]\nlisten = \"127.0.0.1:99999\"", &["server.listen"]),
    ("[server]\nbase_url = \"not a url\"", &["server.base_url"]),
    ("[server]\ntrusted_proxies = [\"*\"]", &["server.trusted_proxies"]),
    ("[server]\ntrusted_proxies = [\"0.0.0.0/0\"]", &["server.trusted_proxies"]),
    ("[server]\ntrusted_proxies = [\"128.0.0.0/1\"]", &["server.trusted_proxies", "10.0.0.0/8"]),
    ("[server]\nmax_connections = 0", &["server.max_connections"]),
    ("[shop]\ncurrency = \"EURO\"", &["shop.currency"]),
    ("[shop]\ncountries = [\"Netherlands\"]", &["shop.countries"]),
    ("[database]\nurl = \"mysql://localhost/stoa\"", &["database.url", "sqlite://"]),
    ("[orders]\nunpaid_expiry_minutes = -5", &["orders.unpaid_expiry_minutes"]),
    ("[limits]\ncheckout = { requests = -1, per_seconds = 60 }", &["requests"]),
    ("[log]\nformat = \"xml\"", &["log.format"]),
    ("[payments.stripe]\nenabled = true", &["stripe", "secret_key"]),
    ("[payments.mollie]\nenabled = true\napi_key = \"\"", &["mollie", "api_key"]),
    ("[secrets]\nkey = \"short\"", &["secrets.key"]),
    // What was probably meant is named.
    ("[database]\nurl = \"data/stoa.db\"", &["database.url", "did you mean \"sqlite://data/stoa.db\"?"]),
    ("[tax]\nrates = { NL = 21.5 }", &["tax.rates.NL", "21.5 % is 2150"]),
    ("[tax.classes]\nreduced = { NL = 9.0 }", &["tax.classes.reduced.NL", "9 % is 900"]),
    ("[shop]\ncountries = [\"NL\", \"UK\"]", &["\"UK\"", "did you mean \"GB\"?"]),
    (
        "[[shipping.methods]]\nid = \"post\"\nlabel = \"Post\"\namount = 9.95",
        &["amount", "9.95 is 995 in a currency with two"],
    ),
    (
        "[payments.stripe]\nenabled = true\nsecret_key = \"pk_live_51Acceptance\"\nwebhook_secret = \"whsec_0123456789abcdef\"",
        &["payments.stripe.secret_key", "the publishable key", "(pk_…)", "sk_… or rk_…"],
    ),
    (
        "[payments.stripe]\nenabled = true\nsecret_key = \"sk_live_51Acceptance\"\nwebhook_secret = \"sk_live_51Acceptance\"",
        &["payments.stripe.webhook_secret", "the secret key (sk_…)", "whsec_…"],
    ),
    // No configuration at all.
    ("[server\nlisten = 1", &["config.toml:1:"]),
    ("[shop]\nname = \"A\"\nname = \"B\"", &["3:1", "duplicate key"]),
    ("just words", &["config.toml:1:"]),
];

#[tokio::test]
async fn every_mistake_names_the_file_and_the_key() {
    for (text, words) in MISTAKES {
        let outcome = ShopFolder::with(text).run(["check"]).await.refused(2, words);
        assert!(outcome.err.contains("config.toml"), "the file is not named: {}", outcome.err);
        assert!(outcome.err.lines().count() <= 12, "one mistake is told at length: {}", outcome.err);
    }
}

/// A variable, its value, and words of the message.
const WRONG_VARIABLES: &[(&str, &str, &[&str])] = &[
    ("STOA_SERVER__LISTEN", "nonsense", &["STOA_SERVER__LISTEN"]),
    ("STOA_SERVER__LISSTEN", "127.0.0.1:1", &["STOA_SERVER__LISSTEN", "listen"]),
    ("STOA_SERVER__TRUSTED_PROXIES", "*", &["STOA_SERVER__TRUSTED_PROXIES"]),
    ("STOA_SERVER__TRUSTED_PROXIES", "[\"0.0.0.0/0\"]", &["STOA_SERVER__TRUSTED_PROXIES"]),
    ("STOA_WORKER__ENABLED", "perhaps", &["STOA_WORKER__ENABLED"]),
    ("STOA_WEBHOOKS__SCHEDULER_INTERVAL_SECONDS", "ten", &["STOA_WEBHOOKS__SCHEDULER_INTERVAL_SECONDS"]),
    ("STOA_MODULES__INVENTROY__ENABLED", "true", &["INVENTROY", "inventory"]),
];

#[tokio::test]
async fn a_wrong_variable_is_named() {
    for (name, value, words) in WRONG_VARIABLES {
        ShopFolder::empty().variable(name, value).run(["check"]).await.refused(2, words);
    }
}

#[tokio::test]
async fn a_variable_without_levels_is_no_configuration() {
    let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_LISTEN", "nonsense").variable("STOA_", "x");
    place.run(["check"]).await.succeeded();
}

#[tokio::test]
async fn every_command_that_reads_the_configuration_stops_at_a_mistake() {
    let place = ShopFolder::with("[server]\nlissten = \"x\"\n");
    for command in ["serve", "worker", "migrate", "check", "doctor", "modules", "routes", "openapi", "events"] {
        place.run([command]).await.refused(2, &["config.toml", "lissten"]);
    }
}

#[tokio::test]
async fn a_mistake_shows_no_secret() {
    let place = ShopFolder::with(
        "[payments.stripe]\nenabled = true\nsecret_key = \"sk_live_hunter2\"\nwebhok_secret = \"x\"\n",
    );
    let outcome = place.run(["check"]).await.refused(2, &["webhok_secret"]);
    assert!(!outcome.err.contains("hunter2"), "{}", outcome.err);
}

#[tokio::test]
async fn the_file_may_be_named_before_or_after_the_command() {
    let place = ShopFolder::with("[server]\nlissten = \"x\"\n");
    place.write("other.toml", "[database]\nurl = \"sqlite://other.db\"\n");
    place.run(["--config", "other.toml", "migrate"]).await.succeeded();
    place.run(["check", "--config", "other.toml"]).await.succeeded();
    place.run(["jobs", "list", "--config", "other.toml"]).await.succeeded();
    assert!(place.path().join("other.db").is_file());
    place.run(["check"]).await.refused(2, &["lissten"]);
}

#[tokio::test]
async fn a_file_that_is_named_must_be_there() {
    let place = ShopFolder::empty();
    place.run(["check", "--config", "absent.toml"]).await.refused(2, &["absent.toml"]);
    place.run(["--config", "absent.toml", "check"]).await.refused(2, &["absent.toml"]);
    place.run(["--config", ".", "check"]).await.refused(2, &["cannot be read"]);
    place.run(["--config", "", "check"]).await.refused(2, &["config"]);
}

#[tokio::test]
async fn relative_paths_start_at_the_file() {
    let place = ShopFolder::empty();
    std::fs::create_dir(place.path().join("shop")).expect("a folder can be made");
    place.write("shop/shop.toml", "[database]\nurl = \"sqlite://here.db\"\n");
    place.run(["--config", "shop/shop.toml", "migrate"]).await.succeeded();
    assert!(place.path().join("shop/here.db").is_file());
    assert!(place.path().join("shop/data/stoa.key").is_file());
}

#[tokio::test]
async fn a_variable_beats_the_file() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite://file.db\"\n")
        .variable("STOA_DATABASE__URL", "sqlite://variable.db");
    place.run(["migrate"]).await.succeeded();
    assert!(place.path().join("variable.db").is_file() && !place.path().join("file.db").exists());
}

/// The module is off; its texts are looked at like its settings.
#[tokio::test]
async fn a_mistake_in_a_text_of_a_mail_is_told_with_its_place() {
    let place = ShopFolder::with("[mail]\ntemplates = \"texts\"\n");
    std::fs::create_dir(place.path().join("texts")).expect("a folder can be made");
    for (file, text, words) in [
        ("order_placed.de.txt", "Subject: {order_number}\n\nGuten Tag {nmae}\n", "order_placed.de.txt:3:11"),
        ("subscriptions_renewal_due.en.txt", "Subject: {produkt}\n\nx\n", "subscriptions_renewal_due.en.txt:1:10"),
    ] {
        let path = format!("texts/{file}");
        place.write(&path, text);
        place.run(["check"]).await.refused(2, &[words, "there is no placeholder"]);
        place.write(&path, "Subject: {order_number}\n\nx\n");
    }
    place.run(["migrate"]).await.succeeded();
    place.run(["check"]).await.succeeded();
    place.write("texts/subscription_renewal_due.en.txt", "Subject: x\n\nx\n");
    place.run(["check"]).await.refused(2, &["subscription_renewal_due.en.txt: this is the text of no mail"]);
}
