//! `stoa customer sessions`, `export` and `anonymize`.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::customer::place_with_ada;
use super::place::ShopFolder;

const INSERT_SESSION: Sql = sql!(
    "INSERT INTO sessions (user_id, secret_hash, user_agent, created_at, last_seen_at, expires_at)
     VALUES ($1, $2, 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', $3, $3, $4)"
);
const COUNT_SESSIONS: Sql = sql!("SELECT COUNT(*) FROM sessions WHERE user_id = $1");
const STORED_EMAIL: Sql = sql!("SELECT email FROM users WHERE id = $1");

/// Logs a user in: the session begins now and lasts an hour.
pub(crate) async fn add_session(db: &Db, user_id: i64, secret: u8) {
    let add = db.write(async |tx| -> Result<u64, DbError> {
        let now = tx.now();
        let insert = tx.run(INSERT_SESSION).bind(user_id).bind(vec![secret; 32]).bind(now);
        insert.bind(now + TimeDelta::hours(1)).execute().await
    });
    add.await.expect("a session is added");
}

pub(crate) async fn count_sessions(db: &Db, user_id: i64) -> i64 {
    db.read(COUNT_SESSIONS).bind(user_id).scalar().await.expect("a count")
}

async fn user_of(place: &ShopFolder, customer: i64) -> i64 {
    let shown = place.run(["customer", "show", &customer.to_string(), "--json"]).await.succeeded().json();
    shown["user_id"].as_i64().expect("a number")
}

both_databases!(sessions_are_listed_and_ended);
async fn sessions_are_listed_and_ended(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let none = place.run(["customer", "sessions", "ada@example.com"]).await.succeeded();
    assert!(none.out.contains("no sessions"), "{none:?}");
    let db = place.db().await;
    let user = user_of(&place, id).await;
    add_session(&db, user, 1).await;
    add_session(&db, user, 2).await;
    let listed = place.run(["customer", "sessions", "--email", "ada@example.com", "--json"]).await.succeeded();
    let sessions = listed.data();
    assert_eq!(sessions.len(), 2);
    assert!(sessions[0]["user_agent"].as_str().is_some_and(|agent| agent.contains("Firefox")), "{listed:?}");
    assert_eq!(sessions[0]["active"], true);
    assert!(!listed.out.contains("hash"), "{listed:?}");
    let ended = place.run(["customer", "sessions", "ada@example.com", "--revoke", "--json"]).await.succeeded().json();
    assert_eq!(ended, json!({"id": id, "sessions_ended": 2}));
    assert_eq!(count_sessions(&db, user).await, 0);
    let again = place.run(["customer", "sessions", "ada@example.com", "--revoke"]).await.succeeded();
    assert!(again.out.ends_with(": 0\n"), "{again:?}");
}

both_databases!(an_export_has_what_is_kept_and_nothing_secret);
async fn an_export_has_what_is_kept_and_nothing_secret(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let set = ["customer", "set-password", "ada@example.com", "--password", "correct horse"];
    place.run(set).await.succeeded();
    let create = ["token", "create", "--customer", "ada@example.com", "--name", "Laptop", "--json"];
    let token = place.run(create).await.succeeded().json();
    add_session(&place.db().await, user_of(&place, id).await, 7).await;

    let printed = place.run(["customer", "export", "--email", "ada@example.com"]).await.succeeded();
    let document = printed.json();
    assert_eq!(document["account"]["email"], "ada@example.com");
    assert_eq!(document["tokens"][0]["name"], "Laptop");
    let agent = document["sessions"][0]["user_agent"].as_str();
    assert!(agent.is_some_and(|agent| agent.contains("Firefox")), "{document}");
    assert!(document["exported_at"].is_string(), "{document}");
    let secret = token["token"].as_str().and_then(|token| token.split('|').nth(1)).expect("a secret");
    for hidden in ["hash\"", "argon2", secret, "correct horse"] {
        assert!(!printed.out.contains(hidden), "{hidden} is in {}", printed.out);
    }

    let told = place.run(["customer", "export", &id.to_string(), "--output", "ada.json"]).await.succeeded();
    assert!(told.out.contains("ada.json"), "{told:?}");
    let file = place.path().join("ada.json");
    let written: Value = serde_json::from_slice(&std::fs::read(&file).expect("it was written")).expect("JSON");
    assert_eq!(written["tokens"], document["tokens"]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = std::fs::metadata(&file).expect("it is there").permissions().mode();
        assert_eq!(rights & 0o077, 0, "others may read it: {rights:o}");
    }
    let nowhere = ["customer", "export", "ada@example.com", "--output", "no/such/folder/ada.json"];
    place.run(nowhere).await.refused(1, &["cannot write no/such/folder/ada.json"]);
}

both_databases!(whoever_is_anonymized_has_no_name_address_password_token_or_session);
async fn whoever_is_anonymized_has_no_name_address_password_token_or_session(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let number = id.to_string();
    let user = user_of(&place, id).await;
    let db = place.db().await;
    place.run(["customer", "set-password", &number, "--password", "correct horse"]).await.succeeded();
    place.run(["token", "create", "--customer", &number, "--name", "Laptop"]).await.succeeded();
    add_session(&db, user, 7).await;

    let done = place.run(["customer", "anonymize", "--email", "ada@example.com"]).await.succeeded();
    assert_eq!(done.out, format!("customer {id} is anonymized\n"));
    let left = place.run(["customer", "show", &number, "--json"]).await.succeeded().json();
    assert!(left["anonymized_at"].is_string(), "{left}");
    let erased = (&left["email"], &left["email_verified"], &left["has_password"], &left["email_verified_at"]);
    assert_eq!(erased, (&Value::Null, &json!(false), &json!(false), &Value::Null));
    let export = place.run(["customer", "export", &number]).await.succeeded();
    for personal in ["ada@", "Ada ", "Lovelace", "Laptop", "Firefox"] {
        assert!(!export.out.contains(personal), "{export:?}");
    }
    assert_eq!((&export.json()["tokens"], &export.json()["sessions"]), (&json!([]), &json!([])));
    assert_eq!(count_sessions(&db, user).await, 0);
    let stored = db.read(STORED_EMAIL).bind(user).scalar::<String>().await.expect("the user is there");
    assert!(!stored.contains('@') && stored.contains(&user.to_string()), "{stored}");
}

both_databases!(properties_are_set_shown_and_erased);
async fn properties_are_set_shown_and_erased(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let number = id.to_string();
    let edit = ["customer", "edit", &number, "--property", "city= London ", "--property", "country=gb", "--json"];
    let set = place.run(edit).await.succeeded().json();
    assert_eq!(set["properties"], json!({"city": "London", "country": "GB"}));
    let edit = ["customer", "edit", &number, "--property", "country=", "--property", "zip=SW1", "--json"];
    let set = place.run(edit).await.succeeded().json();
    assert_eq!(set["properties"], json!({"city": "London", "zip": "SW1"}));
    for (property, words) in [
        ("color=red", &["`color`", "city"][..]),
        ("city", &["KEY=VALUE"]),
        ("country=XX", &["country"]),
        (&format!("zip={}", "1".repeat(21)), &["zip", "20"]),
    ] {
        place.run(["customer", "edit", &number, "--property", property]).await.refused(2, words);
    }
    let export = place.run(["customer", "export", &number]).await.succeeded().json();
    let address = &export["addresses"][0];
    assert_eq!(
        (&address["id"], &address["city"], &address["postal_code"]),
        (&Value::Null, &json!("London"), &json!("SW1"))
    );
    place.run(["customer", "anonymize", &number]).await.succeeded();
    let export = place.run(["customer", "export", &number]).await.succeeded().json();
    assert_eq!((&export["addresses"], &export["account"]["properties"]), (&json!([]), &json!({})));
}

both_databases!(anonymizing_again_says_so_and_the_address_is_free);
async fn anonymizing_again_says_so_and_the_address_is_free(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let number = id.to_string();
    let first = place.run(["customer", "anonymize", "ada@example.com", "--json"]).await.succeeded().json();
    assert_eq!((&first["id"], &first["email"]), (&json!(id), &Value::Null));
    let again = place.run(["customer", "anonymize", &number]).await.succeeded();
    assert_eq!(again.out, format!("customer {id} is anonymized already\n"));
    assert_eq!(place.run(["customer", "anonymize", &number, "--yes", "--json"]).await.succeeded().json(), first);
    place.run(["customer", "anonymize", "--email", "ada@example.com"]).await.refused(1, &["no customer"]);
    let stored = format!("anonymized-{}", first["user_id"]);
    place.run(["customer", "show", &stored]).await.refused(1, &["no customer"]);

    let create = ["customer", "create", "--email", "ada@example.com", "--name", "Ada", "--json"];
    let new = place.run(create).await.succeeded().json();
    assert_ne!(new["id"], json!(id));
    let second = place.run(["customer", "anonymize", "--email", "ada@example.com", "--json"]).await.succeeded().json();
    assert_eq!(second["id"], new["id"]);
    let search = ["customer", "list", "--search", "ada", "--json"];
    assert_eq!(place.run(search).await.succeeded().data(), [] as [Value; 0]);
}

#[tokio::test]
async fn whoever_is_anonymized_gets_no_account_back() {
    let (place, id) = place_with_ada(Backend::Sqlite).await;
    let number = id.to_string();
    place.run(["customer", "anonymize", &number]).await.succeeded();
    for arguments in [
        &["customer", "edit", &number, "--name", "Ada"][..],
        &["customer", "edit", &number, "--email", "ada@example.com"],
        &["customer", "set-password", &number, "--password", "correct horse"],
        &["customer", "verify-email", &number],
        &["token", "create", "--customer", &number, "--name", "x"],
    ] {
        place.run(arguments).await.refused(1, &[&number, "anonymized"]);
    }
    assert_eq!(
        place.run(["token", "list", "--customer", &number, "--json"]).await.succeeded().data(),
        [] as [Value; 0]
    );
}
