//! `stoa import`: what it writes, what it refuses, and that a trial leaves nothing behind.

use std::fs;

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::{Outcome, ShopFolder};
use super::program::forget_last_migration;
use super::stock::names;

const CATALOG: &str = r#"{"type": "category", "slug": "lamps", "name": "Lamps"}
{"type": "product", "slug": "desk-lamp", "name": "Desk lamp", "price_amount": 4900, "category": "lamps"}
{"type": "product", "slug": "floor-lamp", "name": "Floor lamp", "price_amount": 19900}
"#;

const CHANGED: &str = r#"{"type": "product", "slug": "desk-lamp", "price_amount": 5900}
{"type": "product", "slug": "floor-lamp", "price_amount": 19900}
{"type": "product", "slug": "wall-lamp", "name": "Wall lamp", "price_amount": 900}
"#;

/// What an import prints, and that nothing but the lines `expected` is told besides.
#[track_caller]
fn told(outcome: &Outcome, code: i32, printed: &str, expected: &[&str]) {
    assert_eq!((outcome.code, outcome.out.as_str()), (code, printed), "{outcome:?}");
    assert_eq!(outcome.err.lines().collect::<Vec<_>>(), expected);
}

/// The line of the export that has this slug.
pub(super) async fn exported(place: &ShopFolder, slug: &str) -> Value {
    let lines = place.run(["export", "-"]).await.succeeded().out;
    let mut lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
    lines.find(|line| line["slug"] == slug).unwrap_or_else(|| panic!("{slug} is not exported"))
}

both_databases!(a_file_is_imported_once_and_unchanged_when_it_comes_again);
async fn a_file_is_imported_once_and_unchanged_when_it_comes_again(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    place.write("catalog.jsonl", CATALOG);
    let import = ["import", "catalog.jsonl"];
    told(&place.run(import).await, 0, "created 2 products and 1 category, updated 0, unchanged 0, refused 0\n", &[]);
    told(&place.run(import).await, 0, "created 0, updated 0, unchanged 2 products and 1 category, refused 0\n", &[]);
    place.write("changed.jsonl", CHANGED);
    let changed = place.run(["import", "changed.jsonl", "--json"]).await.succeeded();
    let expected = json!({
        "created": 1, "updated": 1, "unchanged": 1, "refused": 0, "rejections": [], "notices": [],
        "products": {"created": 1, "updated": 1, "unchanged": 1},
        "categories": {"created": 0, "updated": 0, "unchanged": 0},
        "columns_left_out": [], "pictures": {"copied": 0, "elsewhere": 0, "servers": []},
    });
    assert_eq!(changed.json(), expected);
    let lamp = exported(&place, "desk-lamp").await;
    assert_eq!((&lamp["price_amount"], &lamp["category"]), (&json!(5900), &json!("lamps")));
}

const FAULTY: &str = r#"{"type": "product", "slug": "good", "name": "Good", "price_amount": 1}
{"type": "product", "slug": "broken"
{"type": "product", "slug": "negative", "name": "N", "price_amount": -5}
{"type": "product", "slug": "huge", "name": "H", "price_amount": 100000000000000000000000000000}
{"type": "product", "slug": "exponent", "name": "E", "price_amount": 1e2}
{"type": "product", "slug": "good", "name": "Good again", "price_amount": 2}
{"type": "product", "slug": "lost", "name": "L", "price_amount": 1, "category": "nowhere"}
{"type": "product", "slug": "nameless", "price_amount": 1}

{"type": "product", "slug": "also-good", "name": "Also good", "price_amount": 3}
"#;

both_databases!(refused_lines_are_named_and_all_others_imported);
async fn refused_lines_are_named_and_all_others_imported(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    place.write("faulty.jsonl", FAULTY);
    let refused = [
        "faulty.jsonl: line 2: refused: is not valid JSON: EOF while parsing an object (character 36)",
        "faulty.jsonl: line 3, price_amount: refused: is -5, but a price is 0 or more",
        "faulty.jsonl: line 4, price_amount: refused: is too large: at most 10000000000000 is allowed",
        "faulty.jsonl: line 5, price_amount: refused: is 100, written with a decimal point or an exponent, but must be a \
         whole number of minor units in digits alone, such as 1999 for 19.99",
        "faulty.jsonl: line 6, slug: refused: the slug `good` is used by line 1 already",
        "faulty.jsonl: line 7, category: refused: there is no category `nowhere`; a category must be there before it is \
         named",
        "faulty.jsonl: line 8, name: refused: a new product needs a name",
    ];
    let first = place.run(["import", "faulty.jsonl"]).await;
    told(&first, 1, "created 2 products, updated 0, unchanged 0, refused 7\n", &refused);
    let second = place.run(["import", "faulty.jsonl", "--json"]).await;
    assert_eq!(second.code, 1);
    let summary = second.json();
    assert_eq!((&summary["unchanged"], &summary["refused"]), (&json!(2), &json!(7)));
    assert_eq!(summary["rejections"][0]["line"], 2);
    let negative = json!({"line": 3, "column": "price_amount", "reason": "is -5, but a price is 0 or more"});
    assert_eq!(summary["rejections"][1], negative);
}

both_databases!(a_trial_without_a_shop_judges_the_file_and_leaves_nothing_behind);
async fn a_trial_without_a_shop_judges_the_file_and_leaves_nothing_behind(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    place.write("catalog.jsonl", CATALOG);
    place.write("faulty.jsonl", FAULTY);
    place.write(
        "modules.jsonl",
        concat!(
            r#"{"type": "product", "slug": "a", "name": "A", "price_amount": 1, "modules": {"inventory": {"quantity": 3}}}"#,
            "\n",
            r#"{"type": "product", "slug": "b", "name": "B", "price_amount": 1, "modules": {"inventory": {"quantity": -3}}}"#,
            "\n",
            r#"{"type": "product", "slug": "c", "name": "C", "price_amount": 1, "modules": {"teleport": {}}}"#,
            "\n",
        ),
    );
    let before = names(place.path());
    let good = place.run(["import", "catalog.jsonl", "--dry-run"]).await;
    told(&good, 0, "would be created 2 products and 1 category, updated 0, unchanged 0, refused 0\n", &[]);
    let faulty = place.run(["import", "faulty.jsonl", "--dry-run"]).await;
    assert_eq!(
        (faulty.code, faulty.out.as_str()),
        (1, "would be created 2 products, updated 0, unchanged 0, refused 7\n")
    );
    let modules = place.run(["import", "modules.jsonl", "--dry-run", "--json"]).await;
    assert_eq!(modules.code, 1);
    let summary = modules.json();
    assert_eq!((&summary["created"], &summary["refused"]), (&json!(1), &json!(2)), "{summary}");
    assert_eq!(summary["rejections"][0]["column"], "modules.inventory");
    assert_eq!(summary["rejections"][1]["column"], "modules.teleport");
    assert_eq!(names(place.path()), before, "something is left behind");
    if backend == Backend::Postgres {
        let status = place.run(["migrate", "status", "--json"]).await.succeeded().data();
        assert!(status.iter().all(|migration| migration["state"] == "pending"), "it was migrated");
    }
}

#[tokio::test]
async fn a_trial_does_not_make_a_database_of_an_empty_file() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite://shop.db\"\n");
    place.write("catalog.jsonl", CATALOG);
    place.write("shop.db", "");
    place.run(["import", "catalog.jsonl", "--dry-run"]).await.succeeded();
    assert_eq!(fs::metadata(place.path().join("shop.db")).expect("it is there").len(), 0);
    assert_eq!(names(place.path()), ["catalog.jsonl", "config.toml", "shop.db"]);
}

both_databases!(a_trial_on_a_shop_changes_nothing_in_it);
async fn a_trial_on_a_shop_changes_nothing_in_it(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    place.write("catalog.jsonl", CATALOG);
    place.run(["import", "catalog.jsonl"]).await.succeeded();
    place.write("changed.jsonl", CHANGED);
    let before = place.run(["export", "-"]).await.succeeded().out;
    let files = names(place.path());
    let tried = place.run(["import", "changed.jsonl", "--dry-run"]).await;
    told(&tried, 0, "would be created 1 product, updated 1 product, unchanged 1 product, refused 0\n", &[]);
    assert_eq!(names(place.path()), files);
    assert_eq!(place.run(["export", "-"]).await.succeeded().out, before);
}

both_databases!(a_trial_applies_no_pending_migration);
async fn a_trial_applies_no_pending_migration(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.write("catalog.jsonl", CATALOG);
    forget_last_migration(&place).await;
    let trial = ["import", "catalog.jsonl", "--dry-run"];
    place.run(trial).await.refused(1, &["1 migration(s) are pending", "stoa migrate"]);
    let status = place.run(["migrate", "status", "--json"]).await.succeeded().data();
    assert_eq!(status.iter().filter(|migration| migration["state"] == "pending").count(), 1);
}

#[tokio::test]
async fn standard_input_is_read_like_a_file() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let imported = place.run_with(["import", "-"], CATALOG).await;
    told(&imported, 0, "created 2 products and 1 category, updated 0, unchanged 0, refused 0\n", &[]);
    let refused = place.run_with(["import", "-"], "{\"type\": \"produkt\"}\n").await;
    assert_eq!(refused.code, 1);
    assert!(refused.err.starts_with("standard input: line 1, type: refused: "), "{}", refused.err);
    place.run_with(["import", "-"], "").await.refused(1, &["standard input: the file is empty"]);
}
