//! A database file that something has emptied, while the key of its shop is still there.

use std::fs;
use std::path::PathBuf;

use super::place::{ShopFolder, found};
use super::stock::names;

const DATABASE: &str = "data/stoa.db";
const KEY: &str = "data/stoa.key";

/// Commands that would make a shop of the file, or take it for one.
const COMMANDS: [&[&str]; 9] = [
    &["serve"],
    &["worker"],
    &["migrate"],
    &["migrate", "status"],
    &["check"],
    &["import", "catalog.jsonl"],
    &["import", "catalog.jsonl", "--dry-run"],
    &["backup", "another.tar.gz"],
    &["customer", "list"],
];

/// A place with a shop that was backed up into `shop.tar.gz` before its database was emptied.
async fn emptied() -> ShopFolder {
    let place = ShopFolder::with("[server]\nlisten = \"127.0.0.1:0\"\n");
    place.write("catalog.jsonl", r#"{"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 4900}"#);
    place.run(["import", "catalog.jsonl"]).await.succeeded();
    place.run(["backup", "shop.tar.gz"]).await.succeeded();
    place.write(DATABASE, "");
    place
}

fn path(place: &ShopFolder, name: &str) -> PathBuf {
    place.path().join(name)
}

fn size(place: &ShopFolder) -> u64 {
    fs::metadata(path(place, DATABASE)).expect("it is there").len()
}

#[tokio::test]
async fn an_emptied_database_beside_a_key_is_refused_and_stays_as_it_is() {
    let place = emptied().await;
    for command in COMMANDS {
        place.run(command).await.refused(1, &["stoa.db", "0 bytes", "stoa restore FILE", "stoa.key away"]);
        assert_eq!(size(&place), 0, "{command:?} has made a database of it");
    }
    let told = place.run(["doctor", "--json"]).await;
    assert_eq!(told.code, 1, "{told:?}");
    assert!(found(&told.data(), "database.reachable", "failure"), "{told:?}");
    assert_eq!(size(&place), 0);
}

#[tokio::test]
async fn an_emptied_database_is_mended_by_its_backup() {
    let place = emptied().await;
    place.run(["restore", "shop.tar.gz"]).await.succeeded();
    place.run(["export", "again.jsonl"]).await.succeeded();
    let listed = fs::read_to_string(path(&place, "again.jsonl")).expect("it is written");
    assert!(listed.contains("\"lamp\""), "{listed}");
}

#[tokio::test]
async fn a_backup_that_is_refused_leaves_an_emptied_database_empty() {
    let place = emptied().await;
    place.write("shop.tar.gz", "no backup");
    place.run(["restore", "shop.tar.gz"]).await.refused(1, &["is no backup"]);
    assert_eq!(size(&place), 0);
    place.run(["migrate"]).await.refused(1, &["0 bytes"]);
}

#[tokio::test]
async fn an_empty_file_without_a_key_becomes_a_new_shop() {
    let place = emptied().await;
    fs::rename(path(&place, KEY), path(&place, "data/stoa.key.before")).expect("it is ours");
    place.run(["migrate"]).await.succeeded();
    place.run(["check"]).await.succeeded();
}

#[tokio::test]
async fn an_emptied_database_is_refused_under_a_configured_key_until_it_is_removed() {
    let place = emptied().await;
    let key = fs::read_to_string(path(&place, KEY)).expect("`import` made it");
    fs::remove_file(path(&place, KEY)).expect("it is ours");
    let place = place.variable("STOA_SECRETS__KEY", key.trim());
    place.run(["serve"]).await.refused(1, &["0 bytes", "STOA_SECRETS__KEY", "remove the empty file"]);
    fs::remove_file(path(&place, DATABASE)).expect("it is ours");
    place.run(["migrate"]).await.succeeded();
}

#[tokio::test]
async fn a_new_shop_may_bring_its_key_and_leaves_no_draft_behind() {
    let place = emptied().await;
    for name in [DATABASE, "data/stoa.db-wal", "data/stoa.db-shm"] {
        let _ = fs::remove_file(path(&place, name));
    }
    // Two programs of a new shop begin at once, and neither takes what the other makes for an emptied file.
    let (one, other) = tokio::join!(place.run(["migrate"]), place.run(["migrate"]));
    one.succeeded();
    other.succeeded();
    let left = names(&path(&place, "data"));
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}
