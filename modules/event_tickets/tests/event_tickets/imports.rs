//! What importing products makes of events, types and capacities.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{assert_sound, builder, buyer, product, shop_with, taken, text, ticket_type};

async fn events(shop: &TestShop) -> Vec<Value> {
    let events = shop.command(&["event-tickets", "event", "list", "--json"]).await.json();
    events["data"].as_array().expect("a list").clone()
}

async fn findings(shop: &TestShop) -> Vec<String> {
    let found = shop.examined().await;
    found.into_iter().map(|finding| format!("{}: {}", finding.check, finding.message)).collect()
}

both_databases!(products_that_name_one_event_sell_types_of_it);
async fn products_that_name_one_event_sell_types_of_it(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[
        product("standing", &json!({"capacity": 2})),
        product("seated", &json!({"ticket_type": "Seated", "capacity": 1})),
        product("tomorrow", &json!({"starts_at": "2031-05-02T19:00:00+02:00"})),
    ])
    .await;
    let slugs = events(&shop).await.iter().map(|event| text(&event["slug"])).collect::<Vec<_>>();
    assert_eq!(slugs, ["symposium-1", "symposium-2"]);
    let ada = buyer(&shop).await;
    ada.place(&shop, "standing", 2).await;
    ada.place(&shop, "seated", 1).await;
    assert_eq!((taken(&shop, "standing").await, taken(&shop, "seated").await), (2, 1), "each has its own capacity");
    let shown = shop.command(&["event-tickets", "event", "show", "symposium-1", "--json"]).await.json();
    assert_eq!((&shown["reserved"], shown["types"].as_array().map(Vec::len)), (&json!(3), Some(2)));
}

both_databases!(importing_the_same_again_changes_nothing);
async fn importing_the_same_again_changes_nothing(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let id = ticket_type(&shop, "standing").await["id"].to_string();
    shop.command(&["event-tickets", "type", "set", &id, "--capacity", "7"]).await.expect_success();
    shop.stock(&[product("standing", &json!({"capacity": 5}))]).await;
    let kind = ticket_type(&shop, "standing").await;
    assert_eq!((&kind["capacity"], &kind["taken"]), (&json!(7), &json!(1)), "what the operator has set stays");
    assert_eq!(events(&shop).await.len(), 1);
}

both_databases!(a_capacity_can_be_raised_and_lowered_by_an_import);
async fn a_capacity_can_be_raised_and_lowered_by_an_import(backend: Backend) {
    let shop = shop_with(backend, 2).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, "standing", 2).await;
    shop.stock(&[product("standing", &json!({"capacity": 4}))]).await;
    ada.buy(&shop, "standing", 2).await;
    shop.stock(&[product("standing", &json!({"capacity": 1}))]).await;
    bob.fill(&shop, "standing", 1, &json!({})).await;
    assert_eq!(bob.refusal().await, "sold_out");
    assert_eq!(ada.statuses().await, ["issued"; 4], "what was sold stays sold");
    assert_sound(&shop.breaches().await);
    let told = findings(&shop).await;
    assert!(
        told.iter().any(|finding| finding.contains("event_tickets.overbooked: `Standing` of symposium-1 has 4")),
        "{told:?}"
    );
    shop.stock(&[product("standing", &json!({"capacity": 5}))]).await;
    bob.check_out().await.expect_status(201);
    assert_eq!(findings(&shop).await, ["event_tickets: events, capacities and keys are in order"]);
}

both_databases!(an_event_of_one_product_is_moved_with_its_tickets);
async fn an_event_of_one_product_is_moved_with_its_tickets(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let moved = json!({"venue": "Painted Porch", "starts_at": "2031-06-01T19:00:00+02:00"});
    shop.stock(&[product("standing", &moved)]).await;
    let ticket = ada.tickets().await.remove(0);
    assert_eq!((&ticket["venue"], &ticket["starts_at"]), (&json!("Painted Porch"), &json!("2031-06-01T17:00:00Z")));
    assert_eq!(ticket["event_slug"], "symposium-1", "the code stays valid");
    assert_eq!(events(&shop).await.len(), 1);
}

both_databases!(an_event_follows_when_all_its_products_agree);
async fn an_event_follows_when_all_its_products_agree(backend: Backend) {
    let shop = builder(backend).open().await;
    let seated = |more: &Value| product("seated", &crate::kit::with(json!({"ticket_type": "Seated"}), more));
    shop.stock(&[product("standing", &json!({})), seated(&json!({}))]).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let moved = json!({"starts_at": "2031-06-01T19:00:00+02:00"});
    shop.stock(&[product("standing", &moved), seated(&moved)]).await;
    assert_eq!(ada.tickets().await[0]["starts_at"], "2031-06-01T17:00:00Z");
    assert_eq!(events(&shop).await.len(), 1);
    // One alone leaves the others where they are, with what was sold.
    shop.stock(&[product("standing", &json!({"starts_at": "2031-07-01T19:00:00+02:00"}))]).await;
    assert_eq!(ada.tickets().await[0]["starts_at"], "2031-06-01T17:00:00Z");
    assert_eq!(events(&shop).await.len(), 2);
    assert_eq!(taken(&shop, "standing").await, 0);
    assert_sound(&shop.breaches().await);
}

both_databases!(a_product_of_a_past_event_sells_the_next_one_anew);
async fn a_product_of_a_past_event_sells_the_next_one_anew(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[product("yearly", &json!({"starts_at": "2026-01-16T12:00:00Z", "capacity": 1}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, "yearly", 1).await;
    shop.advance(TimeDelta::days(2));
    shop.stock(&[product("yearly", &json!({"starts_at": "2027-01-16T12:00:00Z", "capacity": 1}))]).await;
    bob.buy(&shop, "yearly", 1).await;
    assert_eq!(ada.tickets().await[0]["starts_at"], "2026-01-16T12:00:00Z", "no ticket of last year admits this year");
    assert_eq!(bob.tickets().await[0]["starts_at"], "2027-01-16T12:00:00Z");
    assert_sound(&shop.breaches().await);
}

both_databases!(an_operator_moves_an_event_for_all_its_products);
async fn an_operator_moves_an_event_for_all_its_products(backend: Backend) {
    let shop = builder(backend).open().await;
    let ends = json!({"ends_at": "2031-05-01T23:00:00+02:00"});
    shop.stock(&[product("standing", &ends), product("seated", &json!({"ticket_type": "Seated"}))]).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "seated", 1).await;
    let set = ["event-tickets", "event", "set", "symposium-1", "--starts-at", "2031-05-08T20:00:00+02:00", "--json"];
    let event = shop.command(&set).await.json();
    let times = (&event["starts_at"], &event["ends_at"]);
    assert_eq!(times, (&json!("2031-05-08T18:00:00Z"), &json!("2031-05-08T22:00:00Z")));
    shop.run_jobs().await;
    assert_eq!(ada.tickets().await[0]["starts_at"], "2031-05-08T18:00:00Z");
    let wrong = ["event-tickets", "event", "set", "symposium-1", "--ends-at", "2030-01-01T00:00:00Z"];
    assert_eq!(shop.command(&wrong).await.code, 2);
    for command in
        [&["event", "set", "sympsium-1", "--venue", "Hall"][..], &["quota", "set", "sympsium-1", "Hall", "7"]]
    {
        let told = shop.command(&[&["event-tickets"], command].concat()).await.expect_failure(1);
        assert!(told.contains("there is no event `sympsium-1`; did you mean `symposium-1`?"), "{told}");
    }
    shop.stock(&[product("other", &json!({"starts_at": "2031-09-01T19:00:00+02:00"}))]).await;
    let taken = ["event-tickets", "event", "set", "symposium-2", "--starts-at", "2031-05-08T20:00:00+02:00"];
    assert!(shop.command(&taken).await.expect_failure(1).contains("another event `Symposium`"));
}

both_databases!(a_type_can_be_put_under_a_shared_capacity_and_taken_out_again);
async fn a_type_can_be_put_under_a_shared_capacity_and_taken_out_again(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let ada = buyer(&shop).await;
    ada.place(&shop, "standing", 3).await;
    let id = ticket_type(&shop, "standing").await["id"].to_string();
    let unknown = shop.command(&["event-tickets", "type", "set", &id, "--quota", "Hall"]).await;
    assert!(unknown.expect_failure(1).contains("quota set"));
    shop.command(&["event-tickets", "quota", "set", "symposium-1", "Hall", "7"]).await.expect_success();
    let quota = shop.command(&["event-tickets", "quota", "set", "symposium-1", "Hall", "2", "--json"]).await.json();
    assert_eq!(quota, json!({"event": "symposium-1", "name": "Hall", "capacity": 2, "taken": 0}));
    let kind = shop.command(&["event-tickets", "type", "set", &id, "--quota", "Hall", "--json"]).await.json();
    assert_eq!((&kind["quota_taken"], &kind["quota_capacity"]), (&json!(3), &json!(2)));
    assert_sound(&shop.breaches().await);
    let bob = buyer(&shop).await;
    bob.fill(&shop, "standing", 1, &json!({})).await;
    assert_eq!(bob.refusal().await, "sold_out");
    shop.command(&["event-tickets", "type", "set", &id, "--no-quota"]).await.expect_success();
    bob.check_out().await.expect_status(201);
    let quotas = shop.command(&["event-tickets", "quota", "list", "--json"]).await.json();
    assert_eq!(quotas["data"][0]["taken"], 0);
    assert_sound(&shop.breaches().await);
    for wrong in [["--capacity", "-1"], ["--capacity", "99999999999999999999"], ["--on-sale-from", "soon"]] {
        let end = shop.command(&[&["event-tickets", "type", "set", &id][..], &wrong].concat()).await;
        assert_eq!(end.code, 2, "{end:?}");
    }
    assert!(shop.command(&["event-tickets", "type", "show", "99"]).await.expect_failure(1).contains("99"));
}

both_databases!(an_event_can_be_there_before_its_products);
async fn an_event_can_be_there_before_its_products(backend: Backend) {
    let shop = builder(backend).open().await;
    let add = ["event-tickets", "event", "add", "Symposium", "--venue", "Agora", "--starts-at", "2031-05-01T17:00:00Z"];
    for _ in 0..2 {
        assert_eq!(shop.command(&add).await.expect_success(), "symposium-1 is there\n");
    }
    shop.stock(&[product("standing", &json!({}))]).await;
    assert_eq!(ticket_type(&shop, "standing").await["event"], "symposium-1");
}

both_databases!(settings_that_make_no_sense_are_refused_with_the_member);
async fn settings_that_make_no_sense_are_refused_with_the_member(backend: Backend) {
    let shop = builder(backend).open().await;
    for (settings, member) in [
        (json!({"capacity": -1}), "`capacity`"),
        (json!({"starts_at": "2031-05-01"}), "`starts_at`"),
        (json!({"ends_at": "2031-05-01T17:00:00Z"}), "`ends_at`"),
        (json!({"event": ""}), "`event`"),
        (json!({"rows": 7}), "`rows`"),
    ] {
        let outcome = shop.import(&[product("standing", &settings)]).await.remove(0);
        let problems = format!("{:?}", outcome.expect_err("it is refused"));
        assert!(problems.contains(member), "{problems}");
    }
    assert_eq!(events(&shop).await, [Value::Null; 0]);
}

both_databases!(metrics_count_tickets_by_event);
async fn metrics_count_tickets_by_event(backend: Backend) {
    let shop = shop_with(backend, 5).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 2).await;
    ada.place(&shop, "standing", 1).await;
    let token = text(&ada.tickets().await[0]["token"]);
    shop.command(&["event-tickets", "check-in", &token]).await.expect_success();
    let told = shop.measured().await;
    for (name, value) in [("issued", 2), ("checked_in", 1), ("reserved", 1)] {
        let sample = format!("stoa_event_tickets_{name}{{event=\"symposium-1\"}} {value}\n");
        assert!(told.contains(&sample), "{name} is {value} in {told}");
    }
}
