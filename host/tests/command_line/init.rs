//! `stoa init`: from an empty folder to a shop with an owner.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestDatabase, both_databases};

use super::place::ShopFolder;
use super::stock::names;

both_databases!(a_shop_is_begun_without_a_question);
async fn a_shop_is_begun_without_a_question(backend: Backend) {
    let database = TestDatabase::empty(backend).await;
    let place = ShopFolder::empty().variable("STOA_DATABASE__URL", &super::place::url_of(&database));
    let options = ["--name", "Lamps of Leiden", "--country", "nl", "--iban", "NL91ABNA0417164300"];
    let begin = [&["init", "--yes", "--json", "--owner", "ada@example.com"], &options[..]].concat();
    let made = place.run(&begin).await.succeeded().json();
    assert_eq!(made["config"], json!(place.path().join("config.toml")));
    let link = made["login_link"].as_str().expect("a link");
    assert!(link.starts_with("http://127.0.0.1:8080/console/login/link?token="), "{link}");
    let text = std::fs::read_to_string(place.path().join("config.toml")).expect("it is written");
    for written in
        ["name = \"Lamps of Leiden\"", "currency = \"EUR\"", "rates = { NL = 2100 }", "iban = \"NL91ABNA0417164300\""]
    {
        assert!(text.contains(written), "{written} is missing in {text}");
    }
    place.run(["check"]).await.succeeded();
    let staff = place.run(["staff", "list", "--json"]).await.succeeded().data();
    assert_eq!((staff.len(), &staff[0]["email"], &staff[0]["role"]), (1, &json!("ada@example.com"), &json!("owner")));

    place.run(&begin).await.refused(1, &["config.toml", "already"]);
    assert_eq!(std::fs::read_to_string(place.path().join("config.toml")).expect("it is there"), text);
}

#[tokio::test]
async fn where_nobody_can_be_asked_the_defaults_have_to_be_wanted() {
    let place = ShopFolder::empty();
    place.run(["init"]).await.refused(2, &["nobody can be asked", "--yes"]);
    for (option, wrong, expected) in [
        ("--country", "Holland", "two letters of a country"),
        ("--country", "Netherlands", "such as NL; did you mean `NL`?"),
        ("--currency", "Euro", "three letters of a currency"),
        ("--locale", "de_AT", "de-AT was expected"),
        ("--locale", "klingon", "a language tag such as en"),
        ("--tax", "a fifth", "percent such as 21"),
        ("--owner", "ada", "an e-mail address"),
        ("--base-url", "shop.example.com/lamps", "an address without a path"),
        ("--iban", "NL91ABNA0417164301", "no IBAN"),
    ] {
        place.run(["init", "--yes", option, wrong]).await.refused(2, &[option, expected]);
    }
    let both = ["init", "--yes", "--no-console", "--owner", "ada@example.com"];
    place.run(both).await.refused(2, &["--owner", "--no-console"]);
    assert_eq!(names(place.path()), Vec::<String>::new(), "nothing was written");
}

#[tokio::test]
async fn a_shop_at_a_port_of_this_machine_listens_there_and_its_links_lead_there() {
    let place = ShopFolder::empty();
    let begin = ["init", "--yes", "--base-url", "http://localhost:8221", "--owner", "ada@example.com", "--json"];
    let made = place.run(begin).await.succeeded().json();
    assert!(
        made["login_link"].as_str().is_some_and(|link| link.starts_with("http://localhost:8221/console/")),
        "{made}"
    );
    let text = std::fs::read_to_string(place.path().join("config.toml")).expect("it is written");
    assert!(text.contains("[server]\nlisten = \"127.0.0.1:8221\"\nbase_url = \"http://localhost:8221\"\n"), "{text}");
    let told = place.run(["check"]).await.succeeded().out;
    assert!(!told.contains("links lead to"), "{told}");
    let told = place.variable("STOA_SERVER__LISTEN", "127.0.0.1:8080").run(["check"]).await.succeeded().out;
    let words = ["links lead to http://localhost:8221", "port 8080", "set `server.listen` to \"127.0.0.1:8221\""];
    assert!(words.iter().all(|words| told.contains(words)), "{told}");

    let public = ShopFolder::empty();
    public.run(["init", "--yes", "--base-url", "https://shop.example.com"]).await.succeeded();
    let text = std::fs::read_to_string(public.path().join("config.toml")).expect("it is written");
    assert!(!text.contains("listen"), "{text}");
}

#[tokio::test]
async fn begun_by_the_packages_command_a_shop_is_started_as_a_service() {
    let place = ShopFolder::empty().variable("SHOP_COMMAND", "shop");
    let told = place.run(["init", "--yes", "--owner", "ada@example.com"]).await.succeeded().out;
    assert!(told.contains("start the shop with  systemctl enable --now stoa\n"), "{told}");
    assert!(told.contains("`shop staff login-link ada@example.com`"), "{told}");
}

#[tokio::test]
async fn without_a_word_a_shop_has_what_it_has_by_default() {
    let place = ShopFolder::empty();
    let told = place.run(["init", "--yes"]).await.succeeded().out;
    assert!(told.contains("start the shop with  stoa serve") && told.contains("stoa staff create"), "{told}");
    place.run(["check"]).await.succeeded();
    let modules = place.run(["modules", "--json"]).await.succeeded().data();
    let storefront = modules.iter().find(|module| module["key"] == "storefront").expect("it is linked");
    assert_eq!(storefront["enabled"], json!(true));
    let documentation = modules.iter().find(|module| module["key"] == "documentation").expect("it is linked");
    assert_eq!(documentation["enabled"], json!(true));
}

#[tokio::test]
async fn a_configuration_that_could_not_be_used_is_not_written_and_not_in_the_way_of_the_next_try() {
    let place = ShopFolder::empty();
    let wrong =
        ["init", "--yes", "--mail-host", "smtp.example.com", "--mail-user", "ada", "--owner", "ada@example.com"];
    let told = place.run(wrong).await.refused(2, &["mail.smtp", "a user name needs a password", "was not written"]);
    assert!(!told.err.contains(".stoa-"), "nobody has heard of that file: {told:?}");
    assert_eq!(names(place.path()), Vec::<String>::new(), "nothing was written");

    let place = place.variable("STOA_MAIL__SMTP__PASSWORD", "secret");
    place.run(wrong).await.succeeded();
    place.run(["check"]).await.succeeded();

    let place = ShopFolder::empty().variable("STOA_DATABASE__URL", "postgres://127.0.0.1:1/nothing");
    place.run(["init", "--yes"]).await.refused(1, &["was not written"]);
    assert_eq!(names(place.path()), Vec::<String>::new(), "nothing was written");
}
