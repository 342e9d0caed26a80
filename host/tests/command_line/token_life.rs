//! `stoa token list`, `show` and `revoke`, and the end of tokens.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::customer::place_with_ada;
use super::place::ShopFolder;

const EXPIRE: Sql = sql!("UPDATE access_tokens SET expires_at = $2 WHERE id = $1");

async fn create(place: &ShopFolder, options: &[&str]) -> Value {
    let create = [&["token", "create", "--customer", "ada@example.com", "--json"], options].concat();
    place.run(create).await.succeeded().json()
}

async fn list(place: &ShopFolder) -> Vec<Value> {
    place.run(["token", "list", "--json"]).await.succeeded().data()
}

fn id(token: &Value) -> i64 {
    token["id"].as_i64().expect("a number")
}

both_databases!(tokens_are_listed_and_shown_without_their_secrets);
async fn tokens_are_listed_and_shown_without_their_secrets(backend: Backend) {
    let (place, customer) = place_with_ada(backend).await;
    place.run(["customer", "create", "--email", "bob@example.com", "--name", "Bob"]).await.succeeded();
    place.run(["token", "create", "--customer", "bob@example.com", "--name", "Bob's"]).await.succeeded();
    let made = create(&place, &["--name", "Reports", "--ability", "orders.read", "--ip", "192.0.2.0/24"]).await;
    let number = id(&made).to_string();
    let shown = place.run(["token", "show", &number, "--json"]).await.succeeded().json();
    for (member, value) in [
        ("id", made["id"].clone()),
        ("customer_id", json!(customer)),
        ("customer", json!("ada@example.com")),
        ("name", json!("Reports")),
        ("abilities", json!(["orders.read"])),
        ("networks", json!(["192.0.2.0/24"])),
        ("last_used_at", Value::Null),
        ("expires_at", Value::Null),
        ("expired", json!(false)),
    ] {
        assert_eq!((member, &shown[member], &made[member]), (member, &value, &value));
    }
    assert!(shown["created_at"].is_string() && shown.get("token").is_none(), "{shown}");
    assert_eq!(list(&place).await.len(), 2);
    let own = place.run(["token", "list", "--customer", "Ada@example.com", "--json"]).await.succeeded();
    assert_eq!(own.data(), [shown]);
    let secret = made["token"].as_str().and_then(|token| token.split('|').nth(1)).expect("a secret");
    let table = place.run(["token", "list"]).await.succeeded().out;
    let told = place.run(["token", "show", &number]).await.succeeded().out;
    for text in [&own.out, &table, &told] {
        assert!(text.contains("Reports") && !text.contains("hash") && !text.contains(secret), "{text}");
    }
    place.run(["token", "show", "4711"]).await.refused(1, &["no access token 4711"]);
}

both_databases!(a_token_can_have_an_end);
async fn a_token_can_have_an_end(backend: Backend) {
    let (place, _) = place_with_ada(backend).await;
    let at = create(&place, &["--name", "x", "--expires-at", "2099-12-31T12:00:00+01:00"]).await;
    assert_eq!(at["expires_at"], "2099-12-31T11:00:00Z");
    let before = Clock::system().now();
    let within = create(&place, &["--name", "x", "--expires-in", "30"]).await;
    let end = within["expires_at"].as_str().and_then(|text| text.parse::<DateTime<Utc>>().ok()).expect("a time");
    let expected = before + TimeDelta::days(30);
    assert!(end >= expected - TimeDelta::seconds(1) && end < expected + TimeDelta::minutes(5), "{end}");
    let db = place.db().await;
    let past = before - TimeDelta::minutes(1);
    let expire =
        db.write(async |tx| -> Result<u64, DbError> { tx.run(EXPIRE).bind(id(&at)).bind(past).execute().await });
    expire.await.expect("it expires");
    assert_eq!(list(&place).await.iter().map(|token| &token["expired"]).collect::<Vec<_>>(), [true, false]);
    assert!(place.run(["token", "list"]).await.succeeded().out.contains("(expired)"));
}

both_databases!(tokens_are_revoked_one_by_one_and_all_of_a_customer);
async fn tokens_are_revoked_one_by_one_and_all_of_a_customer(backend: Backend) {
    let (place, _) = place_with_ada(backend).await;
    place.run(["customer", "create", "--email", "bob@example.com", "--name", "Bob"]).await.succeeded();
    place.run(["token", "create", "--customer", "bob@example.com", "--name", "Bob's"]).await.succeeded();
    let mut ids = Vec::new();
    for name in ["one", "two", "three", "four"] {
        ids.push(id(&create(&place, &["--name", name]).await).to_string());
    }
    let one = place.run(["token", "revoke", &ids[0]]).await.succeeded();
    assert!(one.out.contains("(one) of ada@example.com"), "{one:?}");
    let mistaken = place.run(["token", "revoke", &ids[1], "4711", &ids[1]]).await;
    assert_eq!((mistaken.code, mistaken.out.lines().count()), (1, 1), "{mistaken:?}");
    assert!(mistaken.out.contains("(two)") && mistaken.err.contains("no access token 4711"), "{mistaken:?}");
    let all = ["token", "revoke", "--customer", "ada@example.com", "--all", "--json"];
    let revoked = place.run(all).await.succeeded().data();
    assert_eq!(revoked.iter().map(|token| &token["name"]).collect::<Vec<_>>(), ["three", "four"]);
    assert_eq!(place.run(all).await.succeeded().data(), [] as [Value; 0]);
    let left = list(&place).await;
    assert_eq!(left.iter().map(|token| &token["name"]).collect::<Vec<_>>(), ["Bob's"]);
    place.run(["token", "revoke", &ids[0]]).await.refused(1, &["no access token"]);
}

both_databases!(networks_are_stored_as_what_they_stand_for);
async fn networks_are_stored_as_what_they_stand_for(backend: Backend) {
    let (place, _) = place_with_ada(backend).await;
    let options = ["--name", "x", "--ip", "::ffff:10.0.0.0/104", "--ip", "10.0.0.0/8", "--ip", "::1"];
    assert_eq!(create(&place, &options).await["networks"], json!(["10.0.0.0/8", "::1/128"]));
    let create = ["token", "create", "--customer", "ada@example.com", "--name", "x", "--ip", "192.0.2.7/24", "--json"];
    let truncated = place.run(create).await.succeeded();
    assert!(truncated.err.contains("192.0.2.7/24") && truncated.err.contains("192.0.2.0/24"), "{truncated:?}");
    assert_eq!(truncated.json()["networks"], json!(["192.0.2.0/24"]));
}

#[tokio::test]
async fn what_no_token_can_be_given_is_refused() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let with = |option: &'static str, value: &'static str| {
        ["token", "create", "--customer", "ada@example.com", "--name", "x", option, value]
    };
    for everybody in ["0.0.0.0/0", "::/0", "::ffff:0:0/96", "0.0.0.0"] {
        place.run(with("--ip", everybody)).await.refused(2, &["--ip", "leave the network out"]);
    }
    place.run(with("--ip", "fe80::1%eth0")).await.refused(2, &["--ip", "zone"]);
    place.run(with("--ip", "192.0.2.1:80")).await.refused(2, &["--ip", "port"]);
    place.run(with("--expires-at", "2020-01-01")).await.refused(2, &["--expires-at", "future"]);
    place.run(with("--expires-at", "soon")).await.refused(2, &["--expires-at", "2027-01-31"]);
    for days in ["0", "3651", "-1", "many"] {
        place.run(with("--expires-in", days)).await.refused(2, &["--expires-in"]);
    }
    let both = [&with("--expires-in", "3")[..], &["--expires-at", "2099-01-01"]].concat();
    place.run(both).await.refused(2, &["--expires-at"]);
    assert_eq!(list(&place).await, [] as [Value; 0]);
}

#[tokio::test]
async fn what_shall_be_revoked_is_said_clearly() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    create(&place, &["--name", "x"]).await;
    place.run(["token", "revoke"]).await.refused(2, &["ID", "--customer"]);
    place.run(["token", "revoke", "--customer", "ada@example.com"]).await.refused(2, &["--all"]);
    place.run(["token", "revoke", "--all"]).await.refused(2, &["--customer"]);
    place.run(["token", "revoke", "1", "--customer", "ada@example.com", "--all"]).await.refused(2, &["--customer"]);
    place.run(["token", "revoke", "0"]).await.refused(2, &["0"]);
    place.run(["token", "revoke", "many"]).await.refused(2, &["many"]);
    place
        .run(["token", "list", "--customer", "aad@example.com"])
        .await
        .refused(1, &["did you mean `ada@example.com`?"]);
    assert_eq!(list(&place).await.len(), 1);
}
