//! Mistakes in the configuration: exit code 2 and one message that names file or variable, key, and what was meant.

use stoa_core::db::Backend;

use super::place::ShopFolder;

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
