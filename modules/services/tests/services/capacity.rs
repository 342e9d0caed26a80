//! Nobody pays for what there is no room for.

use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql, Tx};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::Payments;
use stoa_core::sql;
use stoa_core::testing::both_databases;
use stoa_services::RemoteState;

use crate::setting::{Setting, add, buy, checkout, id, place, refund};

const ROOM_FOR_THREE: &str = "plans.small = { capacity = 3 }";

fn reason(answer: &stoa_core::testing::TestResponse) -> Value {
    let body = answer.json();
    assert!(body["errors"]["cart"].is_array(), "{body}");
    body["reason"].clone()
}

both_databases!(an_order_beyond_the_room_is_refused_before_it_is_paid);
async fn an_order_beyond_the_room_is_refused_before_it_is_paid(backend: Backend) {
    let setting = Setting::with(backend, ROOM_FOR_THREE).await;
    let (_, client) = setting.customer().await;
    place(&client, "small", 2).await;
    // Two lines of one product are one wish.
    add(&client, "small", 1, Some("one.example")).await;
    add(&client, "small", 1, Some("two.example")).await;
    let refused = client.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    assert_eq!(reason(&refused), "capacity_exhausted");
    assert_eq!(refused.json()["errors"]["cart"], json!(["Only one “Plan small” can be had at the moment."]));
    assert_eq!(client.get("/orders").await.json()["meta"]["total"], 1);
    let (_, other) = setting.customer().await;
    place(&other, "small", 1).await;
    place(&other, "large", 5).await;
    setting.verify().await;
}

both_databases!(room_comes_back_with_a_cancelled_order_and_with_a_terminated_service);
async fn room_comes_back_with_a_cancelled_order_and_with_a_terminated_service(backend: Backend) {
    let setting = Setting::with(backend, ROOM_FOR_THREE).await;
    let (_, client) = setting.customer().await;
    let order = place(&client, "small", 3).await;
    add(&client, "small", 1, None).await;
    client.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    let services = &setting.shop.parts;
    cancel_order(&Payments::from_shop(services), id(&order), CancelReason::Operator).await.expect("it is cancelled");
    setting.work().await;
    setting.verify().await;
    client.delete("/cart").await;
    let order = buy(&setting.shop, &setting.customer().await.1, "small", 3).await;
    setting.work().await;
    let (_, other) = setting.customer().await;
    add(&other, "small", 1, None).await;
    other.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    refund(&setting.shop, &order, 1).await;
    setting.work().await;
    other.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    setting.shop.command(&["services", "terminate", "3"]).await.expect_success();
    other.post("/checkout", &checkout()).await.expect_status(201);
    setting.verify().await;
}

both_databases!(an_order_that_expires_while_the_module_is_off_gives_its_room_back);
async fn an_order_that_expires_while_the_module_is_off_gives_its_room_back(backend: Backend) {
    use stoa_core::module::ModuleEntry;
    use stoa_core::testing::TestShop;
    use stoa_services::Provisioning;
    let setting = Setting::with(backend, ROOM_FOR_THREE).await;
    let (_, client) = setting.customer().await;
    place(&client, "small", 3).await;
    let entry = ModuleEntry::of::<Provisioning>("stoa-services", "0.1.0");
    let off = TestShop::builder(backend).linked_module(entry).on(setting.shop.database()).clock(&setting.shop.clock);
    let off = off.seed(2).open().await;
    setting.shop.advance(chrono::TimeDelta::days(15));
    off.run_jobs().await;
    assert_eq!(client.get("/orders/1").await.json()["data"]["status"], "cancelled");
    setting.verify().await;
    place(&setting.customer().await.1, "small", 3).await;
    setting.work().await;
    setting.verify().await;
}

both_databases!(the_room_that_a_provider_tells_counts);
async fn the_room_that_a_provider_tells_counts(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.account.hold_at_most(2);
    setting.work().await;
    let (_, client) = setting.customer().await;
    add(&client, "small", 3, None).await;
    let refused = client.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    assert_eq!(reason(&refused), "capacity_exhausted");
    assert_eq!(refused.json()["errors"]["cart"], json!(["Only 2 of “Plan small” can be had at the moment."]));
    setting.account.hold_at_most(3);
    setting.shop.advance(chrono::TimeDelta::minutes(5));
    setting.work().await;
    client.post("/checkout", &checkout()).await.expect_status(201);
}

both_databases!(buyers_at_once_get_no_more_than_there_is);
async fn buyers_at_once_get_no_more_than_there_is(backend: Backend) {
    let setting = Setting::with(backend, ROOM_FOR_THREE).await;
    let mut buyers = Vec::new();
    for _ in 0..12 {
        let (_, client) = setting.customer().await;
        add(&client, "small", 1, None).await;
        buyers.push(client);
    }
    let tries = buyers
        .into_iter()
        .map(|buyer| tokio::spawn(async move { buyer.post("/checkout", &checkout()).await.status.as_u16() }));
    let mut placed = 0;
    for answer in tries.collect::<Vec<_>>() {
        match answer.await.expect("it answers") {
            201 => placed += 1,
            status => assert_eq!(status, 422),
        }
    }
    assert_eq!(placed, 3);
    setting.verify().await;
}

const READ_USED: Sql = sql!("SELECT used FROM services_plans WHERE provider = 'memory' AND plan = 'small'");
const WRITE_USED: Sql = sql!("UPDATE services_plans SET used = $1 WHERE provider = 'memory' AND plan = 'small'");
const ENSURE: Sql = sql!("INSERT INTO services_plans (provider, plan, used) VALUES ('memory', 'small', 0)");

// The control: reading, deciding and writing sells the same room twice.
both_databases!(reading_before_writing_would_oversell);
async fn reading_before_writing_would_oversell(backend: Backend) {
    let setting = Setting::new(backend).await;
    let db = &setting.shop.parts.db;
    db.write(async |tx| tx.run(ENSURE).execute().await).await.expect("it is written");
    let both_have_read = tokio::sync::Barrier::new(2);
    let naive = async || -> bool {
        let used = db.read(READ_USED).scalar::<i64>().await.expect("it is read");
        both_have_read.wait().await;
        let has_room = used < 1;
        let write = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(WRITE_USED).bind(used + 1).execute().await };
        has_room && db.write(write).await.expect("it is written") == 1
    };
    let (one, other) = tokio::join!(naive(), naive());
    assert!(one && other, "both believe that they have the one place");
}

both_databases!(what_is_paid_for_is_made_even_if_it_was_sold_while_the_module_was_off);
async fn what_is_paid_for_is_made_even_if_it_was_sold_while_the_module_was_off(backend: Backend) {
    let setting = Setting::with(backend, "plans.small = { capacity = 1 }").await;
    let (_, client) = setting.customer().await;
    let order = place(&client, "small", 1).await;
    // The operator has less room than they have sold.
    setting.account.hold_at_most(0);
    setting.work().await;
    stoa_core::payments::record_payment(&Payments::from_shop(&setting.shop.parts), id(&order))
        .await
        .expect("it is recorded");
    setting.work().await;
    assert_eq!(setting.statuses().await, ["active"]);
    assert_eq!(setting.account.count(RemoteState::Active), 1);
    setting.verify().await;
}

both_databases!(a_selection_that_cannot_be_provided_is_refused);
async fn a_selection_that_cannot_be_provided_is_refused(backend: Backend) {
    let setting = Setting::new(backend).await;
    let (_, client) = setting.customer().await;
    add(&client, "small", 1, Some("taken.example")).await;
    let refused = client.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    assert_eq!(reason(&refused), "service_configuration");
    assert_eq!(refused.json()["errors"]["cart"], json!(["taken"]));
}

both_databases!(nothing_is_sold_of_a_provider_that_is_not_set_up);
async fn nothing_is_sold_of_a_provider_that_is_not_set_up(backend: Backend) {
    let setting = Setting::new(backend).await;
    setting.shop.stock(&[crate::setting::product("remote", "http", 900)]).await;
    let (_, client) = setting.customer().await;
    add(&client, "remote", 1, None).await;
    let refused = client.post("/checkout", &checkout()).await.expect_error(422, "invalid_state");
    assert_eq!(reason(&refused), "provider_unavailable");
}
