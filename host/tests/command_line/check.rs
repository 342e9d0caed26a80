//! `stoa check`, and databases that are not as they should be.

use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::place::{ShopFolder, found};

both_databases!(a_database_is_right_once_it_is_migrated);
async fn a_database_is_right_once_it_is_migrated(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    let before = place.run(["check"]).await.refused(1, &["stoa migrate"]);
    assert!(before.err.contains("no database") || before.err.contains("pending"), "{before:?}");
    place.run(["migrate"]).await.succeeded();
    place.configure(COMPLETE);
    let after = place.run(["check"]).await.succeeded();
    assert!(after.out.lines().all(|line| line.starts_with("ok ")), "{}", after.out);
    assert_eq!(after.err, "");
}

/// What a shop says that forgets nothing.
const COMPLETE: &str = "[payments.manual]\ninstructions = \"Transfer {amount}.\"\n\n[seller]\nname = \"Ada\"\naddress = [\"Street 1\"]\n\
     city = \"Berlin\"\npostal_code = \"10115\"\ntax_id = \"DE123456789\"\nemail = \"office@example.com\"\n\
     phone = \"+49 30 1234567\"\n";

both_databases!(findings_are_json_whatever_they_are);
async fn findings_are_json_whatever_they_are(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    let before = place.run(["check", "--json"]).await;
    assert_eq!(before.code, 1);
    let findings = before.data();
    let check = if backend == Backend::Sqlite { "database.reachable" } else { "migrations" };
    assert!(found(&findings, check, "failure"), "{findings:?}");
    let failure = findings.iter().find(|finding| finding["state"] == "failure").expect("a failure");
    assert_eq!(failure["fix"], "stoa migrate");
    place.run(["migrate"]).await.succeeded();
    let findings = place.run(["check", "--json"]).await.succeeded().data();
    for check in ["configuration", "database.reachable", "migrations", "key", "modules", "payments"] {
        assert!(found(&findings, check, "ok"), "{check} is not ok: {findings:?}");
    }
}

const PRETEND_NEWER: Sql = sql!(
    "INSERT INTO _migrations_core SELECT version + 1000000, description, installed_on, success, checksum, execution_time
     FROM _migrations_core WHERE version = 1"
);

both_databases!(a_newer_database_is_refused);
async fn a_newer_database_is_refused(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let pretended =
        place.db().await.write(async |tx| -> Result<u64, DbError> { tx.run(PRETEND_NEWER).execute().await }).await;
    assert_eq!(pretended.expect("a row is written"), 1);
    for command in ["serve", "worker", "migrate", "check", "export"] {
        let outcome =
            if command == "export" { place.run([command, "out.jsonl"]).await } else { place.run([command]).await };
        outcome.refused(1, &["newer than this program", "1000001"]);
    }
}

const PRETEND_CHANGED: Sql = sql!("UPDATE _migrations_core SET checksum = $1 WHERE version = 2");

both_databases!(a_changed_migration_is_refused);
async fn a_changed_migration_is_refused(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let db = place.db().await;
    let changed =
        db.write(async |tx| -> Result<u64, DbError> { tx.run(PRETEND_CHANGED).bind(vec![7_u8; 48]).execute().await });
    assert_eq!(changed.await.expect("a row is written"), 1);
    for command in ["serve", "migrate", "check"] {
        place.run([command]).await.refused(1, &["not the one that was applied"]);
    }
}

#[tokio::test]
async fn only_some_commands_make_a_database() {
    let place = ShopFolder::empty();
    let words =
        ["no database", "data/stoa.db", "stoa migrate", "no config.toml here", "`--config FILE`", "`stoa init`"];
    place.run(["check"]).await.refused(1, &words);
    place.run(["jobs", "list"]).await.refused(1, &["no database", "stoa migrate"]);
    place.run(["events"]).await.refused(1, &["no database"]);
    place.run(["migrate", "status"]).await.refused(1, &["no database"]);
    place.run(["customer", "create", "--email", "a@b.example", "--name", "A"]).await.refused(1, &["no database"]);
    place.run(["token", "create", "--customer", "a@b.example", "--name", "A"]).await.refused(1, &["no database"]);
    assert!(!place.path().join("data").exists());
    place.run(["migrate"]).await.succeeded();
    assert!(place.path().join("data/stoa.db").is_file());
}

#[tokio::test]
async fn a_file_that_is_no_database_is_told() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite://notes.txt\"\n");
    place.write("notes.txt", "Dear diary, today I opened a shop. ".repeat(200));
    for command in ["check", "migrate", "worker"] {
        place.run([command]).await.refused(1, &["notes.txt", "not a database"]);
    }
}

#[tokio::test]
async fn a_database_below_a_file_is_told() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite://a-file/stoa.db\"\n");
    place.write("a-file", "x");
    place.run(["migrate"]).await.refused(1, &["a-file"]);
    place.run(["check"]).await.refused(1, &["a-file"]);
}

#[tokio::test]
async fn a_shop_in_memory_is_pointed_out() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite::memory:\"\n");
    let outcome = place.run(["check"]).await.succeeded();
    assert!(outcome.out.contains("warning") && outcome.out.contains("gone when it stops"), "{}", outcome.out);
    let place = place.variable("STOA_DATABASE__AUTO_MIGRATE", "false");
    place.run(["check"]).await.refused(1, &["database.auto_migrate = true"]);
}

#[tokio::test]
async fn a_key_that_is_gone_or_another_is_told() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let key = place.path().join("data/stoa.key");
    std::fs::remove_file(&key).expect("`migrate` made the key");
    place.run(["check"]).await.refused(1, &["stoa.key", "missing"]);
    let place = place.variable("STOA_SECRETS__KEY", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
    let outcome = place.run(["check"]).await.refused(1, &["not this shop's"]);
    assert!(!outcome.err.contains("MDEyMzQ1"), "the key is shown");
}

#[tokio::test]
async fn a_gateway_that_takes_no_money_is_pointed_out() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.configure("[payments]\ndevelopment.enabled = true\nsimulated.enabled = true\n");
    let outcome = place.run(["check"]).await.succeeded();
    for key in ["payments.development.enabled", "payments.simulated.enabled"] {
        assert!(outcome.out.contains("warning") && outcome.out.contains(key), "{}", outcome.out);
    }
}

#[tokio::test]
async fn a_key_for_trying_out_is_pointed_out_where_customers_can_see_the_shop() {
    for (base_url, is_told) in [("http://127.0.0.1:8080", false), ("https://shop.example.com", true)] {
        let place = ShopFolder::migrated(Backend::Sqlite)
            .await
            .variable("STOA_PAYMENTS__MOLLIE__ENABLED", "true")
            .variable("STOA_PAYMENTS__MOLLIE__API_KEY", "test_0123456789")
            .variable("STOA_SERVER__BASE_URL", base_url);
        let told = place.run(["check"]).await.succeeded().out;
        assert_eq!(told.contains("`payments.mollie.api_key` is a test key"), is_told, "{told}");
        assert!(!told.contains("test_0123456789"), "a key is shown: {told}");
    }
}

#[tokio::test]
async fn what_a_new_shop_forgets_is_pointed_out_and_is_no_failure() {
    let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_SERVER_LISTEN", "127.0.0.1:1");
    place.configure("[tax.rates]\nNL = 21\n\n[shop]\ncountries = [\"AT\", \"NL\"]\n");
    let told = place.run(["check"]).await.succeeded().out;
    for words in [
        "there are no instructions",
        "invoices do not say who the seller is",
        "`tax.rates.NL = 21` is 0.21 %",
        "write 2100 for 21 %",
        "have no tax rate, so orders to them carry no tax: AT",
        "STOA_SERVER_LISTEN is no setting",
        "name it STOA_SERVER__LISTEN",
    ] {
        assert!(told.contains(words), "{words:?} is missing in {told}");
    }
    let lines = told.lines().filter(|line| !line.starts_with(' ')).collect::<Vec<_>>();
    let first_ok = lines.iter().position(|line| line.starts_with("ok ")).expect("something is well");
    assert!(lines[..first_ok].len() >= 5 && lines[first_ok..].iter().all(|line| line.starts_with("ok ")), "{told}");
}

both_databases!(a_module_that_is_off_and_is_needed_is_pointed_out);
async fn a_module_that_is_off_and_is_needed_is_pointed_out(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    place.configure("[modules.inventory]\nenabled = true\n");
    place.write("shelf.jsonl", concat!(
        r#"{"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "capabilities": ["inventory"], "modules": {"inventory": {"quantity": 3}}}"#, "\n",
    ));
    place.run(["import", "shelf.jsonl"]).await.succeeded();
    let before = place.run(["check"]).await.succeeded().out;
    assert!(!before.contains("because the module is off"), "{before}");
    let place = place.variable("STOA_MODULES__INVENTORY__ENABLED", "false");
    for command in ["check", "doctor"] {
        let told = place.run([command]).await.out;
        assert!(
            told.contains("1 stock keeping unit is sold without being counted, because the module is off"),
            "{told}"
        );
        assert!(told.contains("set `modules.inventory.enabled = true`"), "{told}");
    }
}

both_databases!(what_a_module_cannot_start_with_is_told_before_it_starts);
async fn what_a_module_cannot_start_with_is_told_before_it_starts(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.configure("[modules.storefront]\nenabled = true\ntheme = \"theme\"\n");
    std::fs::create_dir_all(place.path().join("theme/templates")).expect("a folder can be made");
    place.write("theme/templates/home.html", "<h1>Welcome</h1>\n{% if cart %}\n");
    let words = [
        "storefront.theme",
        "theme/templates/home.html:2: syntax error",
        "the shop does not start until this is mended",
    ];
    place.run(["check"]).await.refused(1, &words);
    let told = place.run(["doctor"]).await.out;
    assert!(words.iter().all(|word| told.contains(word)), "{told}");
    let findings = place.run(["check", "--json"]).await.data();
    assert!(found(&findings, "storefront.theme", "failure"), "{findings:?}");
    place.run(["serve"]).await.refused(1, &["the module `storefront` could not start", words[1]]);
    place.write("theme/templates/home.html", "<h1>Welcome</h1>\n");
    let mended = place.run(["check"]).await.succeeded();
    assert!(mended.out.contains("nothing keeps the module `storefront` from starting"), "{}", mended.out);
}

#[tokio::test]
async fn a_folder_of_the_storefront_that_is_not_there_is_told_with_its_setting() {
    for setting in ["theme", "pages"] {
        let place = ShopFolder::migrated(Backend::Sqlite).await;
        place.configure(&format!("[modules.storefront]\nenabled = true\n{setting} = \"nowhere\"\n"));
        let setting = format!("/nowhere; make it, or take `modules.storefront.{setting}` out");
        place.run(["check"]).await.refused(1, &["there is no folder", &setting]);
        place.run(["serve"]).await.refused(1, &["there is no folder", &setting]);
    }
}

#[tokio::test]
async fn names_that_nothing_has_are_told_of_a_theme_before_it_is_shown() {
    let place = ShopFolder::with("[modules.storefront]\nenabled = true\ntheme = \"theme\"\n");
    std::fs::create_dir_all(place.path().join("theme/templates")).expect("a folder can be made");
    let body = |line: &str| format!("{{% extends 'base.html' %}}\n{{% block main %}}\n{line}\n{{% endblock %}}\n");
    for (template, told) in [
        // In a way that a page takes now and then as well.
        (body("{% if account %}{{ account.name|uper }}{% endif %}"), "home.html:3: there is no filter `uper`"),
        (body("{% if newest is odds %}{% endif %}"), "home.html:3: there is no test `odds`"),
        (body("{{ asset_of('shop.css') }}"), "home.html:3: there is no function `asset_of`"),
        (body("{{ newst[0].name }}"), "home.html:3: there is no variable `newst`; did you mean `newest`?"),
        (
            body("{% for one in newest %}{{ one.nmae }}{% endfor %}"),
            "home.html:3: there is no member `nmae`; did you mean `name`?",
        ),
        (body("{% if account %}{{ account.emial }}{% endif %}"), "there is no member `emial`; did you mean `email`?"),
        (body("{% include 'parts/lising.html' %}"), "did you mean `parts/listing.html`?"),
        (body("{% from 'parts/macros.html' import crad %}"), "`parts/macros.html` has no `crad`; did you mean `card`?"),
        (body("").replace("base.html", "bse.html"), "home.html:1: there is no template `bse.html`"),
        (body("").replace("block main", "block mian"), "home.html:2: there is no block `mian` to put this into"),
    ] {
        place.write("theme/templates/home.html", &template);
        place.run(["check"]).await.refused(1, &["storefront.theme", told]);
    }
    place.run(["serve"]).await.refused(1, &["the module `storefront` could not start"]);
    // Members of the API that no template shows which comes along, what modules say that are off, and what a template makes itself.
    let own = "{% block inner %}{% set mine = newest|first %}{{ mine.name }}{{ mine.weight_grams }}{{ mine.details.event_tickets.venue }}\
               {% set bag = {'labl': mine.sku} %}{{ bag.labl }}{% set counted = namespace(total=0) %}{% set counted.total = 1 %}\
               {% for one in newest %}{{ loop.revindex }}{{ newest['freely'] }}{% endfor %}{% endblock %}\
               {% include '_mine.html' ignore missing %}";
    place.write("theme/templates/home.html", body(own));
    let checked = place.run(["check"]).await;
    assert!(!checked.err.contains("storefront.theme"), "{checked:?}");
}

#[tokio::test]
async fn a_theme_is_written_before_there_is_a_shop_and_is_as_good_as_the_own_one() {
    let place = ShopFolder::empty();
    let written = place.run(["storefront", "theme", "mine"]).await.succeeded();
    assert!(written.out.contains("files written to mine, 0 left as they were"), "{}", written.out);
    let base = std::fs::read_to_string(place.path().join("mine/templates/base.html")).expect("it was written");
    assert!(base.contains("<!doctype html>"));
    assert!(!place.path().join("data").exists(), "no shop is made for it");
    place.write("config.toml", "[modules.storefront]\nenabled = true\ntheme = \"mine\"\n");
    place.run(["migrate"]).await.succeeded();
    place.run(["check"]).await.succeeded();
}

#[tokio::test]
async fn what_a_module_cannot_start_with_is_told_without_a_database() {
    let place = ShopFolder::with("[modules.storefront]\nenabled = true\ntheme = \"theme\"\n");
    let folder = place.path().join("theme").display().to_string();
    place.run(["check"]).await.refused(1, &["no database", "storefront.theme", &folder, "there is no folder"]);
}
