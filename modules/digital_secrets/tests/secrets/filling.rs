//! `stoa digital-secrets add`.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{CommandEnd, TestShop, both_databases};

use crate::shelf::{MARK, add, assert_sound, available, buyer, shop, values};

/// Adds what a file holds.
async fn add_file(shop: &TestShop, slug: &str, content: &[u8], more: &[&str]) -> CommandEnd {
    std::fs::write(shop.folder().join("keys.txt"), content).expect("the folder can be written");
    shop.command(&[&["digital-secrets", "add", slug, "keys.txt"], more].concat()).await
}

both_databases!(a_file_of_any_system_is_read);
async fn a_file_of_any_system_is_read(backend: Backend) {
    let shop = shop(backend).await;
    let content = "\u{feff}KEY-0001\r\n\r\n  KEY-0002  \r\nuser\tpassword\r\nKEY-ä\n\n\nKEY-LAST";
    add_file(&shop, "font", content.as_bytes(), &[]).await.expect_success();
    assert_eq!(available(&shop, "font").await, 5);
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 5)]).await;
    assert_eq!(ada.values().await, ["KEY-0001", "KEY-0002", "KEY-LAST", "KEY-ä", "user\tpassword"]);
}

both_databases!(duplicates_are_told_by_their_line_and_all_others_are_added);
async fn duplicates_are_told_by_their_line_and_all_others_are_added(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let content = [values(3, 3), values(1, 1), values(3, 3), values(4, 4)].concat().join("\n");
    let added = add_file(&shop, "font", content.as_bytes(), &[]).await.expect_success();
    assert!(added.contains("2 lines left out") && added.contains(": 2, 3\n"), "{added}");
    assert!(added.contains("2 values added to the pool `font`; 4 values available"), "{added}");
    assert!(!added.contains(MARK), "{added}");
    let again = add_file(&shop, "font", content.as_bytes(), &["--json"]).await.json();
    assert_eq!((&again["added"], &again["duplicates"]), (&json!(0), &json!([1, 2, 3, 4])));
    assert_sound(&shop).await;
}

both_databases!(what_was_sold_or_voided_is_a_duplicate_too);
async fn what_was_sold_or_voided_is_a_duplicate_too(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    let listed = shop.command(&["digital-secrets", "values", "font", "--state", "available", "--json"]).await.json();
    shop.command(&["digital-secrets", "void", &listed["data"][0]["id"].to_string()]).await.expect_success();
    assert_eq!(add(&shop, "font", &values(1, 2)).await["duplicates"], json!([1, 2]));
    assert_eq!(available(&shop, "font").await, 0);
    assert_sound(&shop).await;
}

both_databases!(the_same_value_may_lie_in_two_pools);
async fn the_same_value_may_lie_in_two_pools(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    assert_eq!(add(&shop, "game", &values(1, 1)).await["added"], 1);
}

both_databases!(a_dry_run_tells_everything_and_adds_nothing);
async fn a_dry_run_tells_everything_and_adds_nothing(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 1)).await;
    let content = [values(1, 3), values(3, 3)].concat().join("\n");
    let told = add_file(&shop, "font", content.as_bytes(), &["--dry-run", "--json"]).await.json();
    let expected = json!({"pool": "font", "dry_run": true, "added": 2, "duplicates": [1, 4], "refused": [],
                          "delivered": 0, "available": 1});
    assert_eq!(told, expected);
    let told = add_file(&shop, "game", content.as_bytes(), &["--dry-run"]).await.expect_success();
    assert!(told.contains("3 values would be added to the pool `game`"), "{told}");
    assert_eq!((available(&shop, "font").await, available(&shop, "game").await), (1, 0));
}

both_databases!(a_bad_line_is_told_and_all_others_are_added);
async fn a_bad_line_is_told_and_all_others_are_added(backend: Backend) {
    let shop = shop(backend).await;
    let mut content = format!("{MARK}-1\n{MARK}\u{1b}[2J\n").into_bytes();
    content.extend_from_slice(b"TOPSECRET-\xff\xfe\n");
    content.extend_from_slice(format!("{}\n{MARK}-2\n", MARK.repeat(1000)).as_bytes());
    let end = add_file(&shop, "font", &content, &[]).await;
    assert!(end.output.contains("line 2: the value holds a control character"), "{end:?}");
    assert!(end.output.contains("line 3: the line is not UTF-8"), "{end:?}");
    assert!(end.output.contains("line 4: the value has more than 4096 characters"), "{end:?}");
    assert!(!end.output.contains(MARK) && !end.error.contains(MARK), "{end:?}");
    assert!(end.expect_failure(1).contains("3 lines could not be read"));
    assert_eq!(available(&shop, "font").await, 2);
}

both_databases!(a_large_file_is_added_in_steps_and_repeating_it_changes_nothing);
async fn a_large_file_is_added_in_steps_and_repeating_it_changes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let many = values(1, 1050);
    assert_eq!(add(&shop, "font", &many).await["added"], 1050);
    let again = add(&shop, "font", &many).await;
    assert_eq!((&again["added"], again["duplicates"].as_array().map(Vec::len)), (&json!(0), Some(1050)));
    assert_eq!(available(&shop, "font").await, 1050);
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 3)]).await;
    assert_eq!(ada.values().await, values(1, 3), "the first of the file are sold first");
    assert_sound(&shop).await;
}

both_databases!(what_is_not_there_is_named);
async fn what_is_not_there_is_named(backend: Backend) {
    let shop = shop(backend).await;
    let unknown = add_file(&shop, "unknown", b"KEY", &[]).await.expect_failure(1);
    assert!(unknown.contains("there is no product `unknown`; `stoa product list` shows all"), "{unknown}");
    let meant = add_file(&shop, "fnot", b"KEY", &[]).await.expect_failure(1);
    assert!(meant.contains("there is no product `fnot`; did you mean `font`?"), "{meant}");
    let missing = shop.command(&["digital-secrets", "add", "font", "missing.txt"]).await.expect_failure(1);
    assert!(missing.contains("missing.txt cannot be read"), "{missing}");
    shop.command(&["digital-secrets", "add", "font"]).await.expect_failure(2);
}

both_databases!(two_operators_who_add_the_same_file_at_once_add_each_value_once);
async fn two_operators_who_add_the_same_file_at_once_add_each_value_once(backend: Backend) {
    let shop = shop(backend).await;
    let other = crate::shelf::builder(backend).on(shop.database()).seed(2).open().await;
    let many = values(1, 500);
    let (one, two) = tokio::join!(add(&shop, "font", &many), add(&other, "font", &many));
    let added = one["added"].as_u64().expect("a number") + two["added"].as_u64().expect("a number");
    assert_eq!(added, 500);
    assert_eq!(available(&shop, "font").await, 500);
    assert_sound(&shop).await;
}
