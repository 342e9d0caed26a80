//! `stoa export`, and results that nobody reads to their end.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::stock::{EMAIL, Stocked, names};

both_databases!(an_export_is_a_file_that_imports_without_changes);
async fn an_export_is_a_file_that_imports_without_changes(backend: Backend) {
    let shop = Stocked::on(backend).await;
    let told = shop.place.run(["export", "out.jsonl"]).await.succeeded();
    assert_eq!((told.out.as_str(), told.err.as_str()), ("exported 1 categories and 2 products to out.jsonl\n", ""));
    let told = shop.place.run(["export", "again.jsonl", "--json"]).await.succeeded().json();
    assert_eq!(told, json!({"file": "again.jsonl", "categories": 1, "products": 2}));
    let exported = fs::read_to_string(shop.place.path().join("out.jsonl")).expect("it is written");
    assert_eq!(fs::read_to_string(shop.place.path().join("again.jsonl")).expect("it is written"), exported);
    assert_eq!(shop.place.run(["export", "-"]).await.succeeded().out, exported);
    let again = shop.place.run(["import", "out.jsonl"]).await.succeeded();
    assert_eq!(again.out, "created 0, updated 0, unchanged 2 products and 1 category, refused 0\n");
}

/// A place for a file, and words of the message why it is none.
const NO_PLACES: [(&str, &[&str]); 6] = [
    (".", &["cannot write .: this is a directory"]),
    ("data", &["cannot write data: this is a directory"]),
    ("data/", &["cannot write data/: this is a directory"]),
    ("/nonexistent/x.jsonl", &["cannot write /nonexistent/x.jsonl: there is no folder /nonexistent"]),
    ("missing/x.jsonl", &["cannot write missing/x.jsonl: there is no folder missing"]),
    ("catalog.jsonl/x.jsonl", &["cannot write catalog.jsonl/x.jsonl: there is no folder catalog.jsonl"]),
];

#[tokio::test]
async fn a_place_that_cannot_be_written_is_told_by_its_own_name() {
    let shop = Stocked::on(Backend::Sqlite).await;
    let before = names(shop.place.path());
    let check = async |arguments: &[&str], words: &[&str]| {
        let refused = shop.place.run(arguments).await.refused(1, words);
        for word in ["temporary", "persist", ".stoa-"] {
            assert!(!refused.err.contains(word), "{}", refused.err);
        }
    };
    for (file, words) in NO_PLACES {
        check(&["export", file], words).await;
        check(&["customer", "export", EMAIL, "--output", file], words).await;
    }
    assert_eq!(names(shop.place.path()), before, "something is left behind");
}

#[tokio::test]
async fn a_link_stays_and_leads_to_what_was_exported() {
    let shop = Stocked::on(Backend::Sqlite).await;
    let folder = shop.place.path().join("elsewhere");
    fs::create_dir(&folder).expect("the folder is ours");
    fs::write(folder.join("catalog.jsonl"), "what was there before").expect("the folder is ours");
    let link = shop.place.path().join("link.jsonl");
    symlink("elsewhere/catalog.jsonl", &link).expect("the folder is ours");
    shop.place.run(["export", "link.jsonl", "--force"]).await.succeeded();
    assert!(link.is_symlink(), "the link was replaced");
    let exported = fs::read_to_string(folder.join("catalog.jsonl")).expect("it is written");
    assert_eq!(exported, shop.place.run(["export", "-"]).await.succeeded().out);
}

#[tokio::test]
async fn a_file_that_is_there_is_written_over_only_when_that_is_asked_for() {
    let shop = Stocked::on(Backend::Sqlite).await;
    shop.place.write("source.csv", "Handle,Title\n");
    shop.place.run(["export", "source.csv"]).await.refused(1, &["source.csv", "it is there already", "`--force`"]);
    assert_eq!(fs::read_to_string(shop.place.path().join("source.csv")).expect("it stays"), "Handle,Title\n");
    shop.place.run(["export", "source.csv", "--force"]).await.succeeded();
    let exported = fs::read_to_string(shop.place.path().join("source.csv")).expect("it is written");
    assert_eq!(exported, shop.place.run(["export", "-"]).await.succeeded().out);
}

#[tokio::test]
async fn a_device_is_written_to_and_stays_one() {
    let shop = Stocked::on(Backend::Sqlite).await;
    let link = shop.place.path().join("nothing");
    symlink("/dev/null", &link).expect("the folder is ours");
    shop.place.run(["export", "nothing"]).await.succeeded();
    assert_eq!(fs::read_link(link).expect("it still is a link").to_str(), Some("/dev/null"));
}

#[tokio::test]
async fn it_is_a_success_when_nobody_reads_any_longer() {
    let shop = Stocked::on(Backend::Sqlite).await;
    for arguments in [
        &["export", "-"][..],
        &["openapi"],
        &["modules"],
        &["routes", "--json"],
        &["migrate", "status"],
        &["completions", "bash"],
        &["product", "list"],
    ] {
        let outcome = shop.place.run_unread(arguments).await;
        assert_eq!((outcome.code, outcome.err.as_str()), (0, ""), "{arguments:?}");
    }
}

#[tokio::test]
async fn a_command_whose_failure_nobody_reads_ends_with_its_own_code() {
    let place = ShopFolder::empty();
    for (arguments, code) in
        [(&["doctor"][..], 1), (&["check"], 1), (&["import", "nothing.jsonl"], 1), (&["backup"], 2), (&["docktor"], 2)]
    {
        assert_eq!(place.run_unheard(arguments).await, Some(code), "{arguments:?}");
    }
}

#[tokio::test]
async fn an_export_needs_a_shop() {
    let place = ShopFolder::empty();
    place.run(["export", "out.jsonl"]).await.refused(1, &["no database", "stoa migrate"]);
    assert_eq!(names(place.path()), Vec::<String>::new());
    place.run(["migrate"]).await.succeeded();
    assert_eq!(place.run(["export", "-"]).await.succeeded().out, "");
    place.run(["export"]).await.refused(2, &["<FILE>"]);
}
