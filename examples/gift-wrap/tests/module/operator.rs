//! What the operator sees of the module: its commands, and what it tells unasked.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{customer, shop, wish};

const BEND: Sql = sql!("UPDATE gift_wrap_wraps SET message = NULL WHERE id = 1");

/// A shop with two wishes, of which the first has a printed card.
async fn with_wishes(backend: Backend) -> TestShop {
    let shop = shop(backend).await;
    let ada = customer(&shop).await;
    ada.post("/gift-wraps", &wish(1)).await.expect_status(201);
    shop.run_jobs().await;
    ada.post("/gift-wraps", &wish(2)).await.expect_status(201);
    shop
}

both_databases!(wishes_are_listed_for_people_and_programs);
async fn wishes_are_listed_for_people_and_programs(backend: Backend) {
    let shop = with_wishes(backend).await;
    let table = shop.command(&["gift-wrap", "list"]).await.expect_success();
    let lines = table.lines().collect::<Vec<_>>();
    assert!(lines[0].contains("PAPER") && lines[1].contains("waits") && lines[2].contains("2026-01-15T"), "{table}");
    let waiting = shop.command(&["gift-wrap", "list", "--waiting", "--json"]).await.json();
    assert_eq!(waiting["data"].as_array().map(Vec::len), Some(1));
    assert_eq!((&waiting["data"][0]["id"], &waiting["data"][0]["message"]), (&json!(2), &json!("Happy birthday!")));
    let first = shop.command(&["gift-wrap", "list", "--limit", "1", "--json"]).await.json();
    assert_eq!(first["data"].as_array().map(Vec::len), Some(1));
}

both_databases!(a_lost_card_is_printed_again);
async fn a_lost_card_is_printed_again(backend: Backend) {
    let shop = with_wishes(backend).await;
    shop.run_jobs().await;
    let waiting = async || shop.command(&["gift-wrap", "list", "--waiting", "--json"]).await.json()["data"].clone();
    assert_eq!(waiting().await, json!([]));
    shop.command(&["gift-wrap", "reprint", "1"]).await.expect_success();
    assert_eq!(waiting().await[0]["id"], 1);
    shop.run_jobs().await;
    assert_eq!(waiting().await, json!([]));
}

both_databases!(a_command_says_what_was_expected);
async fn a_command_says_what_was_expected(backend: Backend) {
    let shop = shop(backend).await;
    let unknown = shop.command(&["gift-wrap", "reprint", "4711"]).await.expect_failure(1);
    assert!(unknown.contains("no wish 4711") && unknown.contains("stoa gift-wrap list"), "{unknown}");
    for wrong in [&["gift-wrap", "reprint", "0"][..], &["gift-wrap", "list", "--limit", "0"], &["gift-wrap", "lst"]] {
        shop.command(wrong).await.expect_failure(2);
    }
}

both_databases!(a_card_that_waits_for_long_is_told);
async fn a_card_that_waits_for_long_is_told(backend: Backend) {
    let shop = with_wishes(backend).await;
    assert_eq!(shop.findings().await, [], "a card may take a moment");
    shop.advance(TimeDelta::minutes(61));
    let told = shop.findings().await;
    assert!(told.len() == 1 && told[0].check == "gift_wrap.cards" && told[0].message.contains("1 card"), "{told:?}");
    shop.run_jobs().await;
    assert_eq!(shop.findings().await, []);
}

both_databases!(wishes_and_waiting_cards_are_measured);
async fn wishes_and_waiting_cards_are_measured(backend: Backend) {
    let shop = with_wishes(backend).await;
    let text = shop.measured().await;
    assert!(text.contains("\nstoa_gift_wrap_wishes 2\n"), "{text}");
    assert!(text.contains("\nstoa_gift_wrap_cards_waiting 1\n"), "{text}");
}

both_databases!(a_printed_card_without_a_message_is_found);
async fn a_printed_card_without_a_message_is_found(backend: Backend) {
    let shop = with_wishes(backend).await;
    assert_eq!(shop.breaches().await, [""; 0]);
    let bent = shop.parts.db.write(async |tx| -> Result<u64, DbError> { tx.run(BEND).execute().await }).await;
    assert_eq!(bent.expect("it can be bent"), 1);
    let found = shop.breaches().await;
    assert!(found.len() == 1 && found[0].contains("gift wrap 1"), "{found:?}");
}
