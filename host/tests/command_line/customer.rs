//! `stoa customer`: making, finding and changing customers.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::customer_data::{add_session, count_sessions};
use super::place::ShopFolder;

/// A place with Ada, who has a verified address.
pub(crate) async fn place_with_ada(backend: Backend) -> (ShopFolder, i64) {
    let place = ShopFolder::migrated(backend).await;
    let create =
        ["customer", "create", "--email", "Ada@Example.com", "--name", " Ada Lovelace ", "--verified", "--json"];
    let ada = place.run(create).await.succeeded().json();
    assert_eq!((&ada["email"], &ada["name"]), (&json!("ada@example.com"), &json!("Ada Lovelace")));
    (place, ada["id"].as_i64().expect("a number"))
}

async fn create(place: &ShopFolder, email: &str, name: &str) -> i64 {
    let create = ["customer", "create", "--email", email, "--name", name, "--json"];
    place.run(create).await.succeeded().json()["id"].as_i64().expect("a number")
}

async fn names(place: &ShopFolder, options: &[&str]) -> Vec<String> {
    let list = [&["customer", "list", "--json"], options].concat();
    let listed = place.run(list).await.succeeded().data();
    listed.iter().map(|customer| customer["name"].as_str().expect("a text").to_owned()).collect()
}

async fn show(place: &ShopFolder, customer: i64) -> Value {
    place.run(["customer", "show", &customer.to_string(), "--json"]).await.succeeded().json()
}

both_databases!(a_customer_is_shown_by_address_and_by_id);
async fn a_customer_is_shown_by_address_and_by_id(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let shown = place.run(["customer", "show", "--email", "ADA@example.com", "--json"]).await.succeeded().json();
    for (member, value) in [
        ("id", json!(id)),
        ("name", json!("Ada Lovelace")),
        ("email", json!("ada@example.com")),
        ("email_verified", json!(true)),
        ("has_password", json!(false)),
        ("anonymized_at", Value::Null),
    ] {
        assert_eq!(shown[member], value, "{member}");
    }
    assert!(shown["user_id"].is_i64() && shown["user_id"] != shown["id"], "{shown}");
    assert!(shown["created_at"].as_str().is_some_and(|time| time.ends_with('Z')), "{shown}");
    assert_eq!(show(&place, id).await, shown);
    assert_eq!(place.run(["customer", "show", "ada@example.com", "--json"]).await.succeeded().json(), shown);
    let told = place.run(["customer", "show", "ada@example.com"]).await.succeeded().out;
    assert!(told.contains("Ada Lovelace") && told.contains("verified") && !told.contains("anonymized"), "{told}");
}

both_databases!(whoever_makes_a_customer_without_a_password_is_told_how_to_set_one);
async fn whoever_makes_a_customer_without_a_password_is_told_how_to_set_one(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let told = place.run(["customer", "create", "--email", "ada@example.com", "--name", "Ada"]).await.succeeded().out;
    assert!(
        told.contains("nobody can log in") && told.contains("customer set-password --email ada@example.com"),
        "{told}"
    );
    let piped = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin"];
    let told = place.run_with(piped, "correct horse").await.succeeded().out;
    assert!(!told.contains("password"), "{told}");
}

both_databases!(customers_are_searched_by_name_and_address_in_any_case);
async fn customers_are_searched_by_name_and_address_in_any_case(backend: Backend) {
    let (place, _) = place_with_ada(backend).await;
    create(&place, "jorg@example.org", "J\u{d6}RG M\u{dc}LLER").await;
    create(&place, "grace@navy.example", "Grace 100% Hopper").await;
    assert_eq!(names(&place, &[]).await.len(), 3);
    assert_eq!(names(&place, &["--search", "lovelace"]).await, ["Ada Lovelace"]);
    assert_eq!(names(&place, &["--search", "m\u{fc}ller"]).await, ["J\u{d6}RG M\u{dc}LLER"]);
    assert_eq!(names(&place, &["--search", "NAVY.EXAMPLE"]).await, ["Grace 100% Hopper"]);
    assert_eq!(names(&place, &["--search", "%"]).await, ["Grace 100% Hopper"]);
    assert_eq!(names(&place, &["--search", "@example"]).await.len(), 2);
    assert_eq!(names(&place, &["--search", "nobody"]).await, [""; 0]);
    let table = place.run(["customer", "list"]).await.succeeded().out;
    assert!(table.contains("ada@example.com") && table.contains("unverified"), "{table}");
}

both_databases!(customers_are_listed_in_pages);
async fn customers_are_listed_in_pages(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d", "e"] {
        ids.push(create(&place, &format!("{name}@example.com"), name).await);
    }
    let after = |position: usize| ids[position].to_string();
    assert_eq!(names(&place, &["--limit", "2"]).await, ["a", "b"]);
    assert_eq!(names(&place, &["--limit", "2", "--after", &after(1)]).await, ["c", "d"]);
    assert_eq!(names(&place, &["--limit", "2", "--after", &after(3)]).await, ["e"]);
    assert_eq!(names(&place, &["--after", &after(4)]).await, [""; 0]);
    let more = place.run(["customer", "list", "--limit", "2"]).await.succeeded();
    assert!(more.err.contains(&format!("--after {}", after(1))), "{more:?}");
    assert_eq!(place.run(["customer", "list", "--limit", "5"]).await.succeeded().err, "");
}

both_databases!(an_edit_changes_what_was_named_and_nothing_else);
async fn an_edit_changes_what_was_named_and_nothing_else(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let renamed =
        place.run(["customer", "edit", "ada@example.com", "--name", " Ada King ", "--json"]).await.succeeded();
    assert_eq!(renamed.err, "");
    let renamed = renamed.json();
    assert_eq!((&renamed["name"], &renamed["email_verified"]), (&json!("Ada King"), &json!(true)));
    let same = place.run(["customer", "edit", &id.to_string(), "--email", "ADA@example.com"]).await.succeeded();
    assert_eq!(same.err, "", "the address is the one that she has");
    assert_eq!(show(&place, id).await, renamed);
}

both_databases!(a_new_address_is_not_verified_and_is_the_one_to_be_found_by);
async fn a_new_address_is_not_verified_and_is_the_one_to_be_found_by(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let edit = ["customer", "edit", "ada@example.com", "--email", "Ada.King@Example.org", "--json"];
    let moved = place.run(edit).await.succeeded();
    assert!(moved.err.contains("ada.king@example.org is not verified"), "{moved:?}");
    assert_eq!(moved.json()["email"], "ada.king@example.org");
    assert_eq!(moved.json()["email_verified"], false);
    place.run(["customer", "show", "--email", "ada@example.com"]).await.refused(1, &["no customer"]);
    assert_eq!(show(&place, id).await["email"], "ada.king@example.org");
}

both_databases!(an_address_belongs_to_one_customer);
async fn an_address_belongs_to_one_customer(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    create(&place, "bob@example.com", "Bob").await;
    let taken = ["there is a customer", "bob@example.com already; `stoa customer show bob@example.com`"];
    let edit = ["customer", "edit", &id.to_string(), "--email", "Bob@example.com", "--name", "Other"];
    place.run(edit).await.refused(1, &taken);
    assert_eq!(show(&place, id).await["name"], "Ada Lovelace", "everything or nothing");
    place.run(["customer", "create", "--email", "BOB@example.com", "--name", "Bob"]).await.refused(1, &taken);
}

both_databases!(verification_is_set_and_taken_back);
async fn verification_is_set_and_taken_back(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let before = show(&place, id).await;
    let again = place.run(["customer", "verify-email", "--email", "ada@example.com"]).await.succeeded();
    assert_eq!(again.out, "ada@example.com was already verified\n");
    assert_eq!(show(&place, id).await, before, "when it was verified stays");
    let taken_back = ["customer", "verify-email", "ada@example.com", "--unverify", "--json"];
    assert_eq!(place.run(taken_back).await.succeeded().json()["email_verified"], false);
    let verified = place.run(["customer", "verify-email", "ada@example.com"]).await.succeeded();
    assert_eq!(verified.out, "ada@example.com is now verified\n");
    assert_eq!(show(&place, id).await["email_verified"], true);
}

both_databases!(a_new_password_ends_sessions_and_tokens);
async fn a_new_password_ends_sessions_and_tokens(backend: Backend) {
    let (place, id) = place_with_ada(backend).await;
    let user = show(&place, id).await["user_id"].as_i64().expect("a number");
    let bob = create(&place, "bob@example.com", "Bob").await;
    let bobs_user = show(&place, bob).await["user_id"].as_i64().expect("a number");
    let db = place.db().await;
    for (user, secret) in [(user, 1), (user, 2), (bobs_user, 3)] {
        add_session(&db, user, secret).await;
    }
    for customer in ["ada@example.com", "bob@example.com"] {
        place.run(["token", "create", "--customer", customer, "--name", "x"]).await.succeeded();
    }
    let set = ["customer", "set-password", "--email", "ada@example.com", "--password-stdin", "--json"];
    let first = place.run_with(set, " correct horse \nbattery staple\n").await.succeeded().json();
    assert_eq!((&first["has_password"], &first["id"]), (&json!(true), &json!(id)));
    assert_eq!((&first["sessions_ended"], &first["tokens_revoked"]), (&json!(2), &json!(1)));
    assert_eq!((count_sessions(&db, user).await, count_sessions(&db, bobs_user).await), (0, 1));
    let all =
        ["customer", "set-password", "ada@example.com", "--password", "battery staple", "--revoke-tokens", "--json"];
    assert_eq!(place.run(all).await.succeeded().json()["tokens_revoked"], 0, "the option says what is done anyway");
    let left = place.run(["token", "list", "--json"]).await.succeeded().data();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["customer"], "bob@example.com");
}

#[tokio::test]
async fn passwords_that_are_tried_first_are_refused() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let place = place.variable("STOA_SHOP__NAME", "The Lamp Shop");
    for password in ["password123", "QWERTYUIOP", "ada@example.com", "the lamp shop"] {
        let set = ["customer", "set-password", "ada@example.com", "--password", password];
        place.run(set).await.refused(2, &["too easy to guess"]);
    }
    for password in ["password123", "bob@example.com", "The Lamp Shop"] {
        let create = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--password", password];
        place.run(create).await.refused(2, &["too easy to guess"]);
    }
}

#[tokio::test]
async fn passwords_have_limits_of_length() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let long = "x".repeat(201);
    for password in ["", "ninechars", "n\u{e4}nechars", long.as_str()] {
        let set = ["customer", "set-password", "ada@example.com", "--password", password];
        place.run(set).await.refused(2, &["password", "10 to 200 characters"]);
        let piped = ["customer", "set-password", "ada@example.com", "--password-stdin"];
        place.run_with(piped, &format!("{password}\r\nsecond line")).await.refused(2, &["10 to 200 characters"]);
    }
    let create = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--password", "ninechars"];
    place.run(create).await.refused(2, &["password", "10 to 200 characters"]);
    // Longer than is read at once: refused, and not cut off.
    let piped = ["customer", "create", "--email", "bob@example.com", "--name", "Bob", "--password-stdin"];
    place.run_with(piped, &"x".repeat(100_000)).await.refused(2, &["200 characters"]);
    for password in ["t\u{e4}ncharact", &long[1..]] {
        let set = ["customer", "set-password", "ada@example.com", "--password", password];
        place.run(set).await.succeeded();
    }
}

#[tokio::test]
async fn an_unknown_customer_is_told_with_the_one_that_was_probably_meant() {
    let (place, id) = place_with_ada(Backend::Sqlite).await;
    let anybody = (id + 1).to_string();
    for command in ["show", "sessions", "export", "anonymize", "verify-email"] {
        place
            .run(["customer", command, "--email", "bob@example.com"])
            .await
            .refused(1, &["no customer", "bob@example.com"]);
        place.run(["customer", command, &anybody]).await.refused(1, &["no customer", &anybody]);
        let near = place.run(["customer", command, "--email", "aad@example.com"]).await;
        near.refused(1, &["did you mean `ada@example.com`?"]);
    }
    let far = place.run(["customer", "show", "eve@example.com"]).await.refused(1, &["eve@example.com"]);
    assert!(!far.err.contains("did you mean"), "{far:?}");
}

#[tokio::test]
async fn wrong_input_is_told_with_its_option_and_what_was_expected() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let long = "x".repeat(256);
    for email in ["", "ada", "ada@", "ada@example", "a b@example.com", "ada@example.com, bob@example.com"] {
        let create = ["customer", "create", "--email", email, "--name", "Ada"];
        place.run(create).await.refused(2, &["--email", "such as ada@example.com"]);
        let edit = ["customer", "edit", "ada@example.com", "--email", email];
        place.run(edit).await.refused(2, &["--email", "such as ada@example.com"]);
    }
    for name in ["", " ", "a\nb", "a\u{1b}[0m", long.as_str()] {
        let create = ["customer", "create", "--email", "bob@example.com", "--name", name];
        place.run(create).await.refused(2, &["--name", "1 to 255 characters"]);
        place.run(["customer", "edit", "ada@example.com", "--name", name]).await.refused(2, &["--name"]);
    }
    place.run(["customer", "edit", "ada@example.com"]).await.refused(2, &["--name", "--email"]);
    place.run(["customer", "edit", "--name", "x"]).await.refused(2, &["<CUSTOMER>"]);
    place.run(["customer", "show"]).await.refused(2, &["CUSTOMER", "--email"]);
    place.run(["customer", "show", "1", "--email", "ada@example.com"]).await.refused(2, &["--email"]);
    place.run(["customer", "set-password", "ada@example.com"]).await.refused(2, &["--password-stdin"]);
    let both = ["customer", "set-password", "ada@example.com", "--password", "x", "--password-stdin"];
    place.run(both).await.refused(2, &["--password"]);
    place.run(["customer", "list", "--limit", "0"]).await.refused(2, &["--limit"]);
    place.run(["customer", "list", "--after", "-1"]).await.refused(2, &["--after"]);
}
