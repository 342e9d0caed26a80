//! `stoa database copy`.

use std::fs;

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use url::Url;

use super::place::ShopFolder;
use super::stock::{Stocked, answers, empty_place, log_in, names, revoke, serve, snapshot, stop};

const PASSWORD: &str = "hunter2";

/// The URL of a place's database with a password, which a server that trusts everybody does not look at.
fn with_password(place: &ShopFolder) -> String {
    let mut url = Url::parse(&place.database_url()).expect("a URL");
    url.query_pairs_mut().append_pair("password", PASSWORD);
    url.into()
}

/// A SQLite shop, an empty database, and the shop's folder set up to use that database.
async fn copied(backend: Backend) -> (Stocked, ShopFolder) {
    let (shop, target) = (Stocked::on(Backend::Sqlite).await, empty_place(backend).await);
    let told = shop.place.run(["database", "copy", "--to", &target.database_url()]).await.succeeded();
    assert!(told.out.contains("products") && told.out.contains("copied and compared"), "{}", told.out);
    for name in ["data/media/lamps", "data"] {
        fs::create_dir_all(target.path().join(name)).expect("the folder is ours");
    }
    for name in ["data/stoa.key", "data/media/lamps/all.svg", "data/media/lamps/desk.svg"] {
        fs::copy(shop.place.path().join(name), target.path().join(name)).expect("it can be copied");
    }
    (shop, target)
}

both_databases!(the_copy_of_a_shop_answers_as_the_shop);
async fn the_copy_of_a_shop_answers_as_the_shop(backend: Backend) {
    let (shop, copy) = copied(backend).await;
    copy.run(["check"]).await.succeeded();
    assert_eq!(answers(&copy).await, answers(&shop.place).await);
    let (running, address) = serve(&copy).await;
    assert_eq!(log_in(&address).await.status, 201);
    assert_eq!(revoke(&address, &shop.token).await.status, 200);
    stop(running).await;
}

both_databases!(a_shop_that_was_copied_there_and_back_is_the_same);
async fn a_shop_that_was_copied_there_and_back_is_the_same(backend: Backend) {
    let (shop, there) = copied(backend).await;
    let told = there.run(["database", "copy", "--to", "sqlite://back.db", "--json"]).await.succeeded().json();
    let copy = there.path().join("back.db");
    assert_eq!(told["to"], format!("sqlite://{}", copy.display()));
    assert_eq!(told["left_out"].as_array().map(Vec::len), Some(0));
    let products = told["tables"].as_array().expect("a list").iter().find(|table| table["table"] == "products");
    let products = products.expect("it is told");
    assert_eq!(products["rows"], 2);
    assert_eq!(products["sha256"].as_str().map(str::len), Some(64));

    let back = there.variable("STOA_DATABASE__URL", &format!("sqlite://{}", copy.display()));
    let (copied, original) = (tables(&back, "sqlite://one.db").await, tables(&shop.place, "sqlite://two.db").await);
    assert_eq!(copied, original);
    assert_eq!(exported(&back).await, exported(&shop.place).await);
    assert_eq!(answers(&back).await, answers(&shop.place).await);
}

/// The numbers of rows in each table, told by one more copy.
async fn tables(place: &ShopFolder, to: &str) -> Vec<(Value, Value)> {
    let told = place.run(["database", "copy", "--to", to, "--json"]).await.succeeded().json();
    let tables = told["tables"].as_array().expect("a list").iter();
    tables.map(|table| (table["table"].clone(), table["rows"].clone())).collect()
}

/// The catalog. The order of members is not kept by PostgreSQL, and does not matter here.
async fn exported(place: &ShopFolder) -> Vec<Value> {
    place.run(["export", "exported.jsonl"]).await.succeeded();
    let text = fs::read_to_string(place.path().join("exported.jsonl")).expect("it was written");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

both_databases!(ids_in_the_copy_go_on_after_the_highest);
async fn ids_in_the_copy_go_on_after_the_highest(backend: Backend) {
    let (shop, copy) = copied(backend).await;
    let create = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--json"];
    let made = copy.run(create).await.succeeded().json();
    assert_eq!(made["id"].as_i64(), Some(shop.customer + 1));
    let create = ["token", "create", "--customer", "bob@example.com", "--name", "x", "--json"];
    let token = copy.run(create).await.succeeded().json()["id"].as_i64().expect("an id");
    let last = shop.token.split_once('|').and_then(|(id, _)| id.parse::<i64>().ok()).expect("an id");
    assert_eq!(token, last + 1);
}

both_databases!(a_shop_is_not_copied_over_another);
async fn a_shop_is_not_copied_over_another(backend: Backend) {
    let (shop, other) = (Stocked::on(Backend::Sqlite).await, Stocked::on(backend).await.place);
    let before = (snapshot(&shop.place).await, snapshot(&other).await);
    let outcome = shop.place.run(["database", "copy", "--to", &other.database_url()]).await;
    outcome.refused(1, &["not empty", "products", "customers", "new database"]);
    assert_eq!((snapshot(&shop.place).await, snapshot(&other).await), before);
}

both_databases!(a_shop_is_not_copied_onto_itself);
async fn a_shop_is_not_copied_onto_itself(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let before = snapshot(&shop.place).await;
    let url = shop.place.database_url();
    shop.place.run(["database", "copy", "--to", &url]).await.refused(2, &["--to", "database.url"]);
    if backend == Backend::Sqlite {
        // The same file under another name is found to be filled.
        let link = shop.place.path().join("link.db");
        std::os::unix::fs::symlink(url.trim_start_matches("sqlite://"), &link).expect("the folder is ours");
        shop.place.run(["database", "copy", "--to", "sqlite://link.db"]).await.refused(1, &["not empty"]);
        fs::remove_file(link).expect("it is ours");
    }
    assert_eq!(snapshot(&shop.place).await, before);
}

both_databases!(there_must_be_a_shop_to_be_copied);
async fn there_must_be_a_shop_to_be_copied(backend: Backend) {
    let place = empty_place(backend).await;
    place.run(["database", "copy", "--to", "sqlite://copy.db"]).await.refused(1, &["stoa migrate"]);
    assert_eq!(names(place.path()), ["config.toml"]);
}

#[tokio::test]
async fn what_names_no_database_is_wrong_usage() {
    let shop = Stocked::on(Backend::Sqlite).await;
    for url in [
        "",
        "copy.db",
        "sqlite://",
        "sqlite:copy.db",
        "sqlite::memory:",
        "sqlite://copy.db?mode=ro",
        "mysql://shop:hunter2@127.0.0.1/stoa",
        "postgres://shop:hunter2@127.0.0.1:port/stoa",
        "postgres://shop:hunter2@[::1/stoa",
    ] {
        let outcome = shop.place.run(["database", "copy", "--to", url]).await;
        let outcome = outcome.refused(2, &["--to", "sqlite://PATH", "postgres://"]);
        assert!(!outcome.err.contains(PASSWORD), "{}", outcome.err);
    }
    shop.place.run(["database", "copy"]).await.refused(2, &["--to"]);
    shop.place.run(["database"]).await.refused(2, &["Usage", "copy"]);
    assert!(!shop.place.path().join("copy.db").exists());
}

#[tokio::test]
async fn a_target_that_cannot_be_reached_is_told() {
    let shop = Stocked::on(Backend::Sqlite).await;
    let before = snapshot(&shop.place).await;
    let unreachable = "postgres://shop:hunter2@127.0.0.1:1/stoa";
    let outcome = shop.place.run(["database", "copy", "--to", unreachable]).await.refused(1, &["127.0.0.1:1"]);
    assert!(!outcome.err.contains(PASSWORD), "{}", outcome.err);
    shop.place.run(["database", "copy", "--to", "sqlite://catalog.jsonl/copy.db"]).await.refused(1, &["catalog.jsonl"]);
    shop.place.run(["database", "copy", "--to", "sqlite://catalog.jsonl"]).await.refused(1, &["not a database"]);
    assert_eq!(snapshot(&shop.place).await, before);
}

#[test]
fn a_password_in_the_url_is_never_shown() {
    stoa_core::testing::run_test(Backend::Postgres, async |backend| {
        let (shop, target) = (Stocked::on(Backend::Sqlite).await, empty_place(backend).await);
        let stranger = with_password(&target).replacen("://postgres@", "://nobody-knows@", 1);
        let stranger = stranger.replacen("user=postgres", "user=nobody-knows", 1);
        let outcome = shop.place.run(["database", "copy", "--to", &stranger]).await.refused(1, &["nobody-knows"]);
        assert!(!outcome.err.contains(PASSWORD), "{}", outcome.err);
        let told = shop.place.run(["database", "copy", "--to", &with_password(&target), "--json"]).await.succeeded();
        assert!(!told.out.contains(PASSWORD), "{}", told.out);
        let again = shop.place.run(["database", "copy", "--to", &with_password(&target)]).await.refused(1, &["empty"]);
        assert!(!again.err.contains(PASSWORD), "{}", again.err);
    });
}
