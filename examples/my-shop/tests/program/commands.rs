//! What the module adds to the command line, and what the program's own commands tell about it.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stoa_core::clock::Clock;
use stoa_core::config::DatabaseUrl;
use stoa_core::db::{Db, DbError, Missing, OpenOptions, Sql};
use stoa_core::sql;

use crate::installation::{ended, installation, json_of, refused, with_customer, written};

const BEND: Sql = sql!(
    "INSERT INTO gift_wrap_wraps (customer_id, product_id, paper, message, surcharge_amount, currency, card_printed_at, created_at)
     SELECT c.id, p.id, 'stars', NULL, 0, 'EUR', '2026-01-15T12:00:00+00:00', '2026-01-15T12:00:00+00:00'
     FROM customers c, products p"
);
const WAIT: Sql = sql!("UPDATE gift_wrap_wraps SET message = 'Hello', card_printed_at = NULL");
const FORGET_MIGRATION: Sql = sql!("DELETE FROM _migrations_gift_wrap WHERE version = 2");
const DROP_INDEX: Sql = sql!("DROP INDEX gift_wrap_wraps_order");
const DROP_COLUMN: Sql = sql!("ALTER TABLE gift_wrap_wraps DROP COLUMN order_id");
const COUNT_COLUMN: Sql = sql!("SELECT COUNT(*) FROM pragma_table_info('gift_wrap_wraps') WHERE name = 'order_id'");
const PRODUCT: &str = r#"{"type": "product", "slug": "teapot", "name": "Teapot", "price_amount": 1000}"#;

/// Opens the installation's database beside the program.
async fn database(folder: &Path) -> Db {
    let url = DatabaseUrl::SqliteFile(folder.join("data/stoa.db"));
    let options = OpenOptions::new(url, Missing::Refuse, 2);
    Db::open(&options, Clock::system()).await.expect("there is a database")
}

async fn change(folder: &Path, statements: &[Sql]) {
    let db = database(folder).await;
    for statement in statements {
        let done = db.write(async |tx| -> Result<u64, DbError> { tx.run(*statement).execute().await }).await;
        done.expect("the database can be changed");
    }
    db.close().await;
}

fn switch(folder: &Path, enabled: bool) {
    let file = folder.join("config.toml");
    let config = fs::read_to_string(&file).expect("there is a configuration");
    let (on, off) = ("enabled = true", "enabled = false");
    let config = if enabled { config.replace(off, on) } else { config.replace(on, off) };
    fs::write(file, config).expect("the configuration is written");
}

#[test]
fn the_command_of_a_module_that_is_on_runs() {
    let folder = with_customer(true);
    let list = json_of(folder.path(), &["gift-wrap", "list", "--json"]);
    assert_eq!(list["data"].as_array().map(Vec::len), Some(0));
    let missing = refused(folder.path(), &["gift-wrap", "reprint", "4711"], 1);
    assert!(missing.contains("no wish 4711"), "{missing}");
}

#[test]
fn the_command_of_a_module_that_is_off_names_the_setting() {
    let folder = installation(false);
    for arguments in [&["gift-wrap", "list"][..], &["gift-wrap"], &["gift-wrap", "--help"]] {
        let told = refused(folder.path(), arguments, 2);
        assert!(told.contains("enabled = true") && told.contains("[modules.gift_wrap]"), "{told}");
    }
}

#[test]
fn a_command_that_nobody_has_is_told_with_what_was_meant() {
    let folder = installation(true);
    for (wrong, meant) in [("gift-warp", "'gift-wrap'"), ("gift_wrap", "'gift-wrap'"), ("modlues", "'modules'")] {
        let told = refused(folder.path(), &[wrong, "list"], 2);
        assert!(told.contains(wrong) && told.contains(meant), "{told}");
    }
    let told = refused(folder.path(), &["gift-wrap", "lst"], 2);
    assert!(told.contains("'list'"), "{told}");
    let told = refused(folder.path(), &["gift-wrap", "list", "--limit", "many"], 2);
    assert!(told.contains("many"), "{told}");
}

#[test]
fn a_broken_configuration_is_told_by_file_and_line() {
    let folder = installation(true);
    fs::write(folder.path().join("config.toml"), "[shop]\nname = 7\n").expect("written");
    let told = refused(folder.path(), &["gift-wrap", "list"], 2);
    assert!(told.contains("config.toml:2") && told.contains("shop.name"), "{told}");
    // Help is needed most by whoever cannot configure yet.
    assert!(written(folder.path(), &["--help"]).contains("Run the shop:"));
    assert!(written(folder.path(), &["completions", "bash"]).contains("doctor"));
}

#[test]
fn a_module_needs_the_database_that_the_shop_needs() {
    let folder = installation(true);
    let told = refused(folder.path(), &["gift-wrap", "list"], 1);
    assert!(told.contains("stoa migrate"), "{told}");
    assert!(written(folder.path(), &["gift-wrap", "list", "--help"]).contains("stoa gift-wrap list --waiting"));
}

#[test]
fn help_and_completions_know_the_commands_of_modules_that_are_on() {
    let (on, off) = (installation(true), installation(false));
    let help = written(on.path(), &["--help"]);
    let modules = help.split("\nModules:\n").nth(1).expect("there is a group of modules");
    assert!(modules.trim_start().starts_with("gift-wrap"), "{help}");
    assert!(!written(off.path(), &["--help"]).contains("gift-wrap"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(written(on.path(), &["completions", shell]).contains("reprint"), "{shell}");
        assert!(!written(off.path(), &["completions", shell]).contains("reprint"), "{shell}");
    }
    let help = written(on.path(), &["help", "gift-wrap"]);
    assert!(help.contains("reprint") && help.contains("Examples:"), "{help}");
}

#[tokio::test]
async fn what_breaks_a_promise_of_the_module_is_found() {
    let folder = with_customer(true);
    fs::write(folder.path().join("shelf.jsonl"), PRODUCT).expect("written");
    written(folder.path(), &["import", "shelf.jsonl"]);
    assert_eq!(written(folder.path(), &["verify"]), "everything adds up\n");
    change(folder.path(), &[BEND]).await;
    let told = refused(folder.path(), &["verify"], 1);
    assert!(told.contains("gift_wrap_cards") && told.contains("gift wrap 1"), "{told}");
    switch(folder.path(), false);
    let told = written(folder.path(), &["verify"]);
    assert!(told.starts_with("everything that was checked adds up\n"), "{told}");
    assert!(told.contains("not checked") && told.contains("gift_wrap"), "what is off is not looked at: {told}");
}

#[tokio::test]
async fn the_module_has_its_part_of_the_doctor() {
    let folder = with_customer(true);
    fs::write(folder.path().join("shelf.jsonl"), PRODUCT).expect("written");
    written(folder.path(), &["import", "shelf.jsonl"]);
    let finding = || {
        // It may exit with 1 for what this machine lacks.
        let (_, output, _) = ended(folder.path(), &["doctor", "--json"]);
        let report = serde_json::from_str::<Value>(&output).expect("the output is JSON");
        let findings = report["data"].as_array().expect("a list").clone();
        findings.into_iter().find(|finding| finding["check"] == "gift_wrap.cards")
    };
    assert_eq!(finding().expect("it is looked at")["state"], "ok");
    change(folder.path(), &[BEND, WAIT]).await;
    let told = finding().expect("it is looked at");
    assert_eq!(told["state"], "warning");
    assert!(told["fix"].as_str().is_some_and(|fix| fix.contains("stoa events --failed")), "{told}");
    switch(folder.path(), false);
    assert_eq!(finding(), None);
}

#[tokio::test]
async fn the_tables_of_a_module_that_was_on_are_migrated_while_it_is_off() {
    let folder = with_customer(true);
    // As an older version of the module has left it.
    change(folder.path(), &[FORGET_MIGRATION, DROP_INDEX, DROP_COLUMN]).await;
    switch(folder.path(), false);
    let pending = refused(folder.path(), &["verify"], 1);
    assert!(pending.contains("1 migration(s) are pending"), "{pending}");
    let applied = json_of(folder.path(), &["migrate", "--json"]);
    assert_eq!((&applied["data"][0]["set"], &applied["data"][0]["version"]), (&"gift_wrap".into(), &2.into()));
    let db = database(folder.path()).await;
    assert_eq!(db.read(COUNT_COLUMN).scalar::<i64>().await.expect("a count"), 1);

    let never_on = with_customer(false);
    let db = database(never_on.path()).await;
    assert_eq!(db.read(COUNT_COLUMN).scalar::<i64>().await.expect("a count"), 0);
}

#[tokio::test]
async fn modules_are_checked_and_the_list_says_what_is_broken() {
    let folder = with_customer(true);
    let checked = written(folder.path(), &["module", "check", "gift_wrap"]);
    assert!(checked.starts_with("gift_wrap keeps the rules (17 looked at)\n"), "{checked}");
    // What has to hold on both databases is looked at on those that there are.
    assert!(checked.contains("not looked at: columns: no PostgreSQL database was given"), "{checked}");
    let report = json_of(folder.path(), &["module", "check", "--json"]);
    let modules = report["data"].as_array().expect("a list");
    assert!(modules.len() > 1 && modules.iter().any(|module| module["module"] == "gift_wrap"), "{report}");
    assert!(modules.iter().all(|module| module["breaches"] == Value::Array(vec![])), "{report}");

    change(folder.path(), &[sql!("UPDATE _migrations_gift_wrap SET checksum = x'00' WHERE version = 1")]).await;
    let told = refused(folder.path(), &["module", "check"], 1);
    assert!(told.contains("frozen_migrations: migration 0001"), "{told}");
    let (code, output, _) = ended(folder.path(), &["module", "check", "gift_wrap", "--json"]);
    let report = serde_json::from_str::<Value>(&output).expect("the output is JSON");
    assert_eq!((code, &report["data"][0]["breaches"][0]["rule"]), (Some(1), &"frozen_migrations".into()));

    let told = refused(folder.path(), &["module", "check", "gift_warp"], 2);
    assert!(told.contains("`gift_warp`") && told.contains("`gift_wrap`"), "{told}");
    let told = refused(folder.path(), &["module", "check", "gift_wrap", "--sources", "."], 2);
    assert!(told.contains("README.md"), "{told}");
}

#[test]
fn a_module_can_be_checked_without_an_installation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let checked = written(folder.path(), &["module", "check"]);
    assert!(checked.contains("gift_wrap keeps the rules (16 looked at)\n"), "{checked}");
    assert!(checked.contains("not looked at: frozen_migrations: there is no database"), "{checked}");
}
