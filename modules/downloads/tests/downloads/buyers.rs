//! Who gets which file: paid, refunded, attached later, new versions, other customers.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::{Backend, DbError};
use stoa_core::entitlements::{EntitlementEnded, EntitlementResumed, EntitlementSuspended};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{OrderPaid, OrderStatus, find_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{RefundRecorded, RefundedUnits};
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{self, attach, buy, bytes, command, customer, digital, downloads, newest, order, path, refund, shop};

both_databases!(each_unit_has_a_download_of_its_own);
async fn each_unit_has_a_download_of_its_own(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &["--limit", "1"]).await;
    attach(&shop, "songs", "booklet.pdf", &bytes(200), &["--days", "7", "--label", "The booklet"]).await;
    let (_, ada) = customer(&shop).await;
    let id = order(&ada, "songs", 2).await["id"].as_i64().expect("an id");
    shop.run_jobs().await;
    assert_eq!(downloads(&ada).await.len(), 0, "it is not paid");
    record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
    shop.run_jobs().await;
    let all = downloads(&ada).await;
    assert_eq!(all.len(), 4);
    let mut tokens = all.iter().map(|one| one["token"].as_str().expect("text")).collect::<Vec<_>>();
    tokens.sort_unstable();
    tokens.dedup();
    assert!(tokens.len() == 4 && tokens.iter().all(|token| token.len() >= 40), "{tokens:?}");
    let booklet = all.iter().find(|one| one["filename"] == "booklet.pdf").expect("it is there");
    assert_eq!(
        (&booklet["label"], &booklet["download_limit"], &booklet["expires_at"], &booklet["order_id"]),
        (&json!("The booklet"), &json!(null), &json!("2026-01-22T12:00:00Z"), &json!(id))
    );
    let songs = all.iter().find(|one| one["filename"] == "songs.zip").expect("it is there");
    assert_eq!((&songs["download_limit"], &songs["expires_at"]), (&json!(1), &json!(null)));
}

both_databases!(somebody_elses_token_is_not_found);
async fn somebody_elses_token_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let ((_, ada), (_, eve)) = (customer(&shop).await, customer(&shop).await);
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    eve.get(&file).await.expect_error(404, "not_found");
    eve.head(&file).await.expect_status(404);
    assert_eq!(downloads(&eve).await.len(), 0);
    shop.client().get(&file).await.expect_error(401, "unauthenticated");
    for name in ["1", "abc", "..%2f..%2fetc%2fpasswd", "1%00", &"a".repeat(48), "%2e%2e"] {
        ada.get(&format!("/downloads/{name}")).await.expect_error(404, "not_found");
    }
    let token = shop.client().token(&shop.customer().await, &["orders.read"]).await;
    token.get(&file).await.expect_error(403, "insufficient_scope");
}

both_databases!(the_list_is_paged_with_the_newest_first);
async fn the_list_is_paged_with_the_newest_first(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 20).await;
    let last = buy(&shop, &ada, "songs", 1).await;
    let first = ada.get("/downloads").await.expect_status(200).json();
    assert_eq!((&first["meta"]["total"], &first["data"][0]["order_id"]), (&json!(21), &json!(last)));
    let second = ada.get("/downloads?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
}

both_databases!(a_file_attached_later_reaches_the_buyers_of_the_past);
async fn a_file_attached_later_reaches_the_buyers_of_the_past(backend: Backend) {
    let shop = shop(backend).await;
    let (_, ada) = customer(&shop).await;
    let (_, bob) = customer(&shop).await;
    buy(&shop, &ada, "book", 1).await;
    let refunded = buy(&shop, &bob, "book", 2).await;
    refund(&shop, &bob, refunded, 1).await;
    shop.run_jobs().await;
    assert_eq!(downloads(&ada).await.len(), 0);
    shop.advance(TimeDelta::days(3));
    let attached = attach(&shop, "book", "book.pdf", &bytes(100), &[]).await;
    assert_eq!((&attached["version"], &attached["granted"]), (&json!(1), &json!(2)), "not the unit that was refunded");
    let listed = newest(&ada).await;
    assert_eq!(
        (&listed["download_limit"], &listed["expires_at"]),
        (&json!(3), &json!("2026-02-17T12:00:00Z")),
        "as the product said when it was bought, from now on"
    );
    ada.get(&path(&listed)).await.expect_status(200);
    assert_eq!(downloads(&bob).await.len(), 1);
}

both_databases!(all_buyers_get_the_newest_version_with_all_their_downloads);
async fn all_buyers_get_the_newest_version_with_all_their_downloads(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"one", &["--limit", "1"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    assert_eq!(ada.get(&file).await.expect_status(200).text(), "one");
    ada.get(&file).await.expect_error(409, "invalid_state");

    let same = attach(&shop, "songs", "songs.zip", b"one", &[]).await;
    assert_eq!((&same["version"], &same["unchanged"]), (&json!(1), &json!(true)));
    ada.get(&file).await.expect_error(409, "invalid_state");

    assert_eq!(attach(&shop, "songs", "songs.zip", b"two", &[]).await["version"], 2);
    assert_eq!(ada.get(&file).await.expect_status(200).text(), "two");
    assert_eq!(newest(&ada).await["version"], 2);
    attach(&shop, "songs", "songs.zip", b"three", &["--keep-counts"]).await;
    ada.get(&file).await.expect_error(409, "invalid_state");
    assert_eq!(downloads(&ada).await.len(), 1, "it is the same download");
}

both_databases!(a_detached_file_stays_with_those_who_have_it);
async fn a_detached_file_stays_with_those_who_have_it(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let ((_, ada), (_, bob)) = (customer(&shop).await, customer(&shop).await);
    buy(&shop, &ada, "songs", 1).await;
    shop.command(&["downloads", "detach", "songs", "songs.zip"]).await.expect_success();
    buy(&shop, &bob, "songs", 1).await;
    ada.get(&path(&newest(&ada).await)).await.expect_status(200);
    assert_eq!(downloads(&bob).await.len(), 0);
    shop.command(&["downloads", "detach", "songs", "songs.zip"]).await.expect_failure(1);
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    assert_eq!(downloads(&bob).await.len(), 1, "attaching it again undoes it");
}

fn paid(order_id: i64, customer_id: i64) -> OrderPaid {
    OrderPaid {
        order_id,
        order_number: format!("O-{order_id:06}"),
        customer_id,
        status: OrderStatus::Paid,
        total_amount: 1000,
        currency: String::from("EUR"),
        capabilities: None,
    }
}

async fn emit<E: stoa_core::events::CommittedEvent>(shop: &TestShop, event: &E) {
    let emitted: Result<(), DbError> = shop.parts.db.write(async |tx| tx.emit(event).await).await;
    emitted.expect("it is written");
}

both_databases!(an_order_that_is_paid_ten_times_is_granted_once);
async fn an_order_that_is_paid_ten_times_is_granted_once(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    let id = buy(&shop, &ada, "songs", 3).await;
    for _ in 0..10 {
        emit(&shop, &paid(id, record.id)).await;
    }
    let other = kit::builder(backend).on(shop.database()).clock(&shop.clock).seed(9).open().await;
    tokio::join!(shop.run_jobs(), other.run_jobs());
    shop.run_jobs().await;
    assert_eq!(downloads(&ada).await.len(), 3);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(refunding_one_of_three_takes_back_exactly_one);
async fn refunding_one_of_three_takes_back_exactly_one(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (_, ada) = customer(&shop).await;
    let id = buy(&shop, &ada, "songs", 3).await;
    refund(&shop, &ada, id, 1).await;
    shop.run_jobs().await;
    let all = downloads(&ada).await;
    let usable = all.iter().filter(|one| one["can_download"] == true).count();
    let revoked = all.iter().filter(|one| one["unavailable_reason"] == "revoked").collect::<Vec<_>>();
    assert_eq!((all.len(), usable, revoked.len()), (3, 2, 1));
    let refused = ada.get(&path(revoked[0])).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "revoked");
    let listed = command(&shop, &["grants", "--order", &id.to_string()]).await;
    let units = listed["data"].as_array().into_iter().flatten().filter(|grant| !grant["revoked_at"].is_null());
    assert_eq!(units.map(|grant| grant["unit"].clone()).collect::<Vec<_>>(), [3], "the last first");
    let undone = shop.command(&["downloads", "revoke", &listed["data"][0]["id"].to_string(), "--undo"]).await;
    assert!(undone.expect_failure(1).contains("refunded"));
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(a_file_that_was_fetched_is_refunded_last);
async fn a_file_that_was_fetched_is_refunded_last(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (_, ada) = customer(&shop).await;
    for used in [0, 1] {
        let id = buy(&shop, &ada, "songs", 2).await;
        let own = downloads(&ada).await[..2].to_vec();
        ada.head(&path(&own[1 - used])).await.expect_status(200);
        ada.get(&path(&own[used])).await.expect_status(200);
        refund(&shop, &ada, id, 1).await;
        assert_eq!(newest_two(&ada).await, [used == 0, used == 1], "at once");
        shop.run_jobs().await;
        assert_eq!(newest_two(&ada).await, [used == 0, used == 1]);
        let refused = ada.get(&path(&own[1 - used])).await.expect_error(409, "invalid_state").json();
        assert_eq!(refused["reason"], "revoked");
    }
    assert_eq!(shop.breaches().await, [""; 0]);
}

/// Whether the two newest downloads can be had.
async fn newest_two(client: &stoa_core::testing::TestClient) -> [bool; 2] {
    let own = downloads(client).await;
    [own[0]["can_download"] == true, own[1]["can_download"] == true]
}

both_databases!(a_unit_that_was_refunded_before_it_was_granted_is_never_granted);
async fn a_unit_that_was_refunded_before_it_was_granted_is_never_granted(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    let id = order(&ada, "songs", 2).await["id"].as_i64().expect("an id");
    let item = ada.get(&format!("/orders/{id}")).await.json()["data"]["items"][0].clone();
    let units = RefundedUnits {
        order_line_id: item["id"].as_i64().expect("an id"),
        product_id: item["product_id"].as_i64().expect("an id"),
        quantity: 1,
        ordinals: vec![2],
        used_ordinals: vec![],
    };
    let refunded = RefundRecorded {
        refund_id: 1,
        order_id: id,
        payment_id: 1,
        customer_id: record.id,
        amount: 1000,
        currency: String::from("EUR"),
        is_full: false,
        units: vec![units],
    };
    // Events may overtake one another, and come again.
    for _ in 0..2 {
        emit(&shop, &refunded).await;
        shop.run_jobs().await;
    }
    record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
    shop.run_jobs().await;
    assert_eq!(downloads(&ada).await.len(), 1);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(a_unit_that_is_suspended_cannot_be_downloaded_until_it_is_resumed);
async fn a_unit_that_is_suspended_cannot_be_downloaded_until_it_is_resumed(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    let id = buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let order = find_order(&shop.parts.db, &shop.parts.money, id).await.expect("it can be read").expect("it is there");
    let (order_line_id, unit, customer_id) = (order.order.items[0].id, 1, record.id);
    emit(&shop, &EntitlementSuspended { order_id: id, order_line_id, unit, customer_id }).await;
    shop.run_jobs().await;
    assert_eq!(ada.get(&file).await.expect_error(409, "invalid_state").json()["reason"], "suspended");
    attach(&shop, "songs", "booklet.pdf", &bytes(100), &[]).await;
    assert_eq!(newest(&ada).await["unavailable_reason"], "suspended", "so is what comes later");
    emit(&shop, &EntitlementResumed { order_id: id, order_line_id, unit, customer_id }).await;
    shop.run_jobs().await;
    ada.get(&file).await.expect_status(200);
    emit(&shop, &EntitlementEnded { order_id: id, order_line_id, unit, customer_id }).await;
    shop.run_jobs().await;
    assert_eq!(ada.get(&file).await.expect_error(409, "invalid_state").json()["reason"], "revoked");
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(the_settings_of_the_moment_of_ordering_count);
async fn the_settings_of_the_moment_of_ordering_count(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "book", "book.pdf", &bytes(100), &[]).await;
    let (_, ada) = customer(&shop).await;
    let id = order(&ada, "book", 1).await["id"].as_i64().expect("an id");
    shop.stock(&[digital("book", &json!({"limit": 1, "days": 1}))]).await;
    record_payment(&Payments::from_shop(&shop.parts), id).await.expect("it is paid");
    shop.run_jobs().await;
    let listed = newest(&ada).await;
    assert_eq!((&listed["download_limit"], &listed["expires_at"]), (&json!(3), &json!("2026-02-14T12:00:00Z")));
    shop.advance(TimeDelta::days(30));
    let refused = ada.get(&path(&listed)).await.expect_error(409, "invalid_state").json();
    assert_eq!(refused["reason"], "expired");
    assert_eq!(newest(&ada).await["unavailable_reason"], "expired");
}

both_databases!(goods_without_the_capability_are_not_granted);
async fn goods_without_the_capability_are_not_granted(backend: Backend) {
    let shop = shop(backend).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "mug", 1).await;
    kit::write(&shop, "mug.pdf", b"how to drink");
    let refused = shop.command(&["downloads", "attach", "mug", "mug.pdf"]).await.expect_failure(1);
    assert!(refused.contains("`digital`"), "{refused}");
    assert_eq!(downloads(&ada).await.len(), 0);
}

both_databases!(while_the_module_is_off_nothing_is_lost);
async fn while_the_module_is_off_nothing_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let waiting = order(&ada, "songs", 1).await["id"].as_i64().expect("an id");
    let file = path(&newest(&ada).await);

    let off = kit::without_module(backend, &shop).open().await;
    let there = off.client().token(&record, &["*"]).await;
    for path in ["/downloads", &file] {
        there.get(path).await.expect_error(404, "not_found");
        off.client().get(path).await.expect_error(404, "not_found");
    }
    let document = off.client().get("/openapi.json").await.json();
    assert!(document["paths"]["/downloads"].is_null());
    record_payment(&Payments::from_shop(&off.parts), waiting).await.expect("it is paid");
    off.run_jobs().await;

    shop.run_jobs().await;
    assert_eq!(downloads(&ada).await.len(), 2);
    ada.get(&file).await.expect_status(200);
}

both_databases!(a_customer_is_told_and_forgotten);
async fn a_customer_is_told_and_forgotten(backend: Backend) {
    use stoa_core::customers::{anonymize_customer, export_customer, find_account};
    let shop = shop(backend).await;
    let parts = &shop.parts;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let listed = newest(&ada).await;
    ada.get(&path(&listed)).await.expect_status(200);
    let account = find_account(&parts.db, record.id).await.expect("it can be read").expect("there is one");
    let told = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    let told = &told["downloads"];
    assert_eq!(
        (&told["downloads"][0]["filename"], &told["transfers"][0]["counted"]),
        (&json!("songs.zip"), &json!(true))
    );
    assert!(!told.to_string().contains(listed["token"].as_str().expect("text")), "tokens are keys");

    anonymize_customer(&parts.db, record.id).await.expect("it is done");
    let told = export_customer(&parts.db, &parts.events, &account).await.expect("it is exported");
    assert_eq!(told["downloads"]["transfers"], json!([]));
    assert!(!told["downloads"]["downloads"][0]["revoked_at"].is_null());
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(who_was_anonymized_while_the_module_was_off_is_forgotten_when_it_is_on_again);
async fn who_was_anonymized_while_the_module_was_off_is_forgotten_when_it_is_on_again(backend: Backend) {
    use stoa_core::customers::anonymize_customer;
    let shop = shop(backend).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &[]).await;
    let (record, ada) = customer(&shop).await;
    let id = buy(&shop, &ada, "songs", 1).await;
    let revoked = async || {
        let listed = command(&shop, &["grants", "--order", &id.to_string()]).await;
        listed["data"][0]["revoked_at"].is_string()
    };

    let off = kit::without_module(backend, &shop).open().await;
    anonymize_customer(&off.parts.db, record.id).await.expect("it is done");
    off.run_jobs().await;
    assert!(!revoked().await, "nobody is there to do it");

    shop.run_jobs().await;
    assert!(revoked().await);
}
