//! When carts are deleted, and what a customer is told about theirs.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::clock::Clock;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::jobs::{RunOutcome, run_job};
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{add, guest, path_of, read, rows, select, shop};

const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $2 WHERE id = $1");

async fn prune(shop: &TestShop) {
    let clock = Clock::manual(shop.now());
    let outcome = run_job(&shop.parts, &shop.registry.jobs, "retention.prune", clock).await;
    assert_eq!(outcome.expect("the job is noted"), RunOutcome::Done);
}

both_databases!(a_cart_is_kept_for_30_days_after_its_last_change);
async fn a_cart_is_kept_for_30_days_after_its_last_change(backend: Backend) {
    let shop = shop(backend).await;
    let (changed, only_read, emptied) = (guest(&shop).await, guest(&shop).await, guest(&shop).await);
    let own = shop.client().token(&shop.customer().await, &[]).await;
    let line = path_of(&add(&shop, &changed, "book", 1).await["lines"][0]);
    let gone = path_of(&add(&shop, &emptied, "book", 1).await["lines"][0]);
    emptied.delete(&gone).await.expect_status(200);
    add(&shop, &only_read, "book", 1).await;
    add(&shop, &own, "book", 1).await;
    shop.advance(TimeDelta::days(29));
    changed.patch(&line, &json!({"quantity": 2})).await.expect_status(200);
    read(&only_read).await;
    shop.advance(TimeDelta::days(1) - TimeDelta::microseconds(1));
    prune(&shop).await;
    assert_eq!(rows(&shop).await, (4, 3));
    shop.advance(TimeDelta::microseconds(1));
    prune(&shop).await;
    assert_eq!(rows(&shop).await, (1, 1));
    assert_eq!(read(&changed).await["item_count"], 2);
    assert_eq!(read(&only_read).await["lines"], json!([]));
    assert_eq!(add(&shop, &own, "lamp", 1).await["item_count"], 1, "a new cart begins");
}

both_databases!(a_cart_that_takes_in_another_is_changed);
async fn a_cart_that_takes_in_another_is_changed(backend: Backend) {
    let shop = shop(backend).await;
    let own = shop.client().token(&shop.customer().await, &[]).await;
    add(&shop, &own, "book", 1).await;
    shop.advance(TimeDelta::days(29));
    let token = add(&shop, &shop.client(), "lamp", 1).await["token"].as_str().expect("a token").to_owned();
    read(&own.with_header("x-cart-token", &token)).await;
    shop.advance(TimeDelta::days(29));
    prune(&shop).await;
    assert_eq!(rows(&shop).await, (1, 2));
}

both_databases!(anonymizing_deletes_the_own_cart_alone);
async fn anonymizing_deletes_the_own_cart_alone(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    for client in [shop.client().token(&ada, &[]).await, shop.client().token(&bob, &[]).await, shop.client()] {
        add(&shop, &client, "book", 1).await;
    }
    anonymize_customer(&shop.parts.db, ada.id).await.expect("it is done");
    assert_eq!(rows(&shop).await, (2, 2));
}

both_databases!(whoever_was_anonymized_meanwhile_gets_no_new_cart);
async fn whoever_was_anonymized_meanwhile_gets_no_new_cart(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let client = shop.client().token(&ada, &[]).await;
    let id = crate::shelf::id_of(&shop, "book").await;
    // The request is let in, waits for the product's row or the writer, and comes to the cart when the account is gone.
    let beside = shop.database().open(Clock::system()).await;
    let request = beside.write(async |tx| -> Result<_, DbError> {
        let now = tx.now();
        tx.run(ANONYMIZE).bind(ada.user_id).bind(now).execute().await?;
        tx.run(LOCK_CUSTOMER).bind(ada.id).execute().await?;
        let request = tokio::spawn(async move { client.post("/cart", &json!({"product_id": id})).await });
        let watching = shop.database().open(Clock::system()).await;
        while watching.read(COUNT_WAITING).scalar::<i64>().await? == 0 {
            assert!(!request.is_finished(), "the request did not wait");
        }
        Ok(request)
    });
    let answer = request.await.expect("it is committed").await.expect("the request ends");
    answer.expect_error(401, "unauthenticated");
    assert_eq!(rows(&shop).await, (0, 0));
}

const LOCK_CUSTOMER: Sql = sql!("UPDATE customers SET updated_at = updated_at WHERE id = $1");
const COUNT_WAITING: Sql = sql!(
    sqlite: "SELECT CAST(1 AS INTEGER)",
    postgres: "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
);

both_databases!(an_export_lists_the_own_cart);
async fn an_export_lists_the_own_cart(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let client = shop.client().token(&ada, &[]).await;
    let parts = &shop.parts;
    let account = find_account(&parts.db, ada.id).await.expect("it is read").expect("an account");
    let empty = export_customer(&parts.db, &parts.events, &account).await.expect("it is gathered");
    assert_eq!(empty["cart"], json!([]));
    add(&shop, &shop.client(), "lamp", 1).await;
    add(&shop, &client, "book", 2).await;
    let cart = select(&shop, &client, &json!({"os": "debian", "hostname": "ada.example"})).await;
    let export = export_customer(&parts.db, &parts.events, &account).await.expect("it is gathered");
    let lines = export["cart"].as_array().expect("a list");
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["slug"], &lines[0]["quantity"]), (&json!("book"), &json!(2)));
    assert_eq!(lines[1]["selections"]["hostname"], "ada.example");
    let token = cart["token"].as_str().expect("a token");
    assert!(!serde_json::to_string(&export).expect("JSON").contains(&token[..32]), "the token is a secret");
}
