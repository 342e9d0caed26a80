//! `stoa ticket`: opening, answering, closing and listing support tickets.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::customer::place_with_ada;
use super::place::ShopFolder;

/// Opens a ticket of Ada and returns it.
async fn open(place: &ShopFolder, subject: &str) -> Value {
    let create =
        ["ticket", "create", "--customer", "ada@example.com", "--subject", subject, "--body", "Help!", "--json"];
    place.run(create).await.succeeded().json()
}

fn number(ticket: &Value) -> &str {
    ticket["number"].as_str().expect("a number")
}

both_databases!(a_ticket_is_opened_answered_closed_and_opened_again);
async fn a_ticket_is_opened_answered_closed_and_opened_again(backend: Backend) {
    let (place, ada) = place_with_ada(backend).await;
    let ticket = open(&place, " The lamp hums ").await;
    let id = ticket["id"].as_i64().expect("an id");
    for (member, value) in [
        ("number", json!(format!("T-{id:06}"))),
        ("subject", json!("The lamp hums")),
        ("status", json!("open")),
        ("priority", json!("normal")),
        ("last_reply_at", Value::Null),
        ("customer_id", json!(ada)),
        ("customer", json!("ada@example.com")),
        ("closed_at", Value::Null),
    ] {
        assert_eq!(ticket[member], value, "{member}");
    }
    let (id, name) = (id.to_string(), number(&ticket).to_owned());
    let answered = place.run(["ticket", "reply", &name, "--body", "Since when?", "--json"]).await.succeeded().json();
    assert_eq!(answered["status"], "answered");
    assert!(answered["last_reply_at"].is_string());
    let told = place.run(["ticket", "reply", &id, "--body", "- June", "--as", "customer"]).await.succeeded();
    assert_eq!(told.out, format!("replied to support ticket {name}, which is pending now\n"));

    let closed = place.run(["ticket", "close", &id, "--json"]).await.succeeded().json();
    assert_eq!((&closed["status"], closed["closed_at"].is_string()), (&json!("closed"), true));
    let again = place.run(["ticket", "close", &name]).await.succeeded();
    assert_eq!(again.out, format!("support ticket {name} was closed already\n"));
    let reply = ["ticket", "reply", &name, "--body", "One more thing"];
    place.run(reply).await.refused(1, &[&name, "closed", "stoa ticket reopen"]);
    let reopened = place.run(["ticket", "reopen", &name, "--json"]).await.succeeded().json();
    assert_eq!((&reopened["status"], &reopened["closed_at"]), (&json!("pending"), &Value::Null));
    let again = place.run(["ticket", "reopen", &name]).await.succeeded();
    assert!(again.out.contains("was not closed"), "{again:?}");
    place.run(reply).await.succeeded();

    let shown = place.run(["ticket", "show", &id, "--json"]).await.succeeded().json();
    let written = shown["messages"].as_array().expect("a list").iter();
    let written = written.map(|message| (message["author"].clone(), message["body"].clone())).collect::<Vec<_>>();
    let expected =
        [("customer", "Help!"), ("staff", "Since when?"), ("customer", "- June"), ("staff", "One more thing")];
    assert_eq!(written, expected.map(|(author, body)| (json!(author), json!(body))));
    let people = place.run(["ticket", "show", &name]).await.succeeded().out;
    for text in ["The lamp hums", "Ada Lovelace", "  - June\n", "answered"] {
        assert!(people.contains(text), "{text} is missing in {people}");
    }
}

both_databases!(tickets_are_listed_by_state_and_customer_the_newest_first);
async fn tickets_are_listed_by_state_and_customer_the_newest_first(backend: Backend) {
    let (place, ada) = place_with_ada(backend).await;
    place.run(["customer", "create", "--email", "bob@example.com", "--name", "Bob"]).await.succeeded();
    let (first, second) = (open(&place, "First").await, open(&place, "Second").await);
    let create = ["ticket", "create", "--customer", "bob@example.com", "--subject", "Third", "--body", "Hi", "--json"];
    let third = place.run(create).await.succeeded().json();
    place.run(["ticket", "reply", number(&first), "--body", "Yes"]).await.succeeded();
    let ada = ada.to_string();
    for (options, expected) in [
        (&[][..], &[&third, &second, &first][..]),
        (&["--status", "open"], &[&third, &second]),
        (&["--status", "answered"], &[&first]),
        (&["--status", "closed"], &[]),
        (&["--customer", "Ada@example.com"], &[&second, &first]),
        (&["--customer", &ada, "--status", "open"], &[&second]),
        (&["--limit", "1"], &[&third]),
    ] {
        let listed = place.run([&["ticket", "list", "--json"], options].concat()).await.succeeded().data();
        let ids = listed.iter().map(|ticket| &ticket["id"]).collect::<Vec<_>>();
        assert_eq!(ids, expected.iter().map(|ticket| &ticket["id"]).collect::<Vec<_>>(), "{options:?}");
    }
    let table = place.run(["ticket", "list", "--status", "answered"]).await.succeeded().out;
    assert!(
        table.lines().count() == 2 && table.contains(number(&first)) && table.contains("ada@example.com"),
        "{table}"
    );
}

#[tokio::test]
async fn a_message_comes_from_standard_input() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let create = ["ticket", "create", "--customer", "ada@example.com", "--subject", "Lamp", "--body", "-", "--json"];
    let ticket = place.run_with(create, "\nIt hums.\n\n\tAda\n").await.succeeded().json();
    let reply = ["ticket", "reply", number(&ticket), "--body", "-"];
    place.run_with(reply, &"ä".repeat(10_000)).await.succeeded();
    place.run_with(reply, &"ä".repeat(10_001)).await.refused(2, &["--body", "10000"]);
    place.run_with(reply, " \n").await.refused(2, &["--body", "1 to"]);
    place.run(reply).await.refused(2, &["--body"]);
    let shown = place.run(["ticket", "show", number(&ticket), "--json"]).await.succeeded().json();
    assert_eq!(shown["messages"][0]["body"], "It hums.\n\n\tAda");
    assert_eq!(shown["messages"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn what_no_ticket_can_be_is_refused() {
    let (place, _) = place_with_ada(Backend::Sqlite).await;
    let (long, longer) = ("x".repeat(256), "x".repeat(10_001));
    let create = |customer: &'static str, options: &[&str]| {
        let given = ["ticket", "create", "--customer", customer].into_iter().chain(options.iter().copied());
        given.map(str::to_owned).collect::<Vec<_>>()
    };
    let ada = "ada@example.com";
    for (arguments, code, words) in [
        (create("adda@example.com", &["--subject", "x", "--body", "x"]), 1, &["no customer", "did you mean"][..]),
        (create("4711", &["--subject", "x", "--body", "x"]), 1, &["no customer 4711"]),
        (create(ada, &["--subject", " ", "--body", "x"]), 2, &["--subject", "1 to 255"]),
        (create(ada, &["--subject", &long, "--body", "x"]), 2, &["--subject", "1 to 255"]),
        (create(ada, &["--subject", "a\nb", "--body", "x"]), 2, &["--subject", "control characters"]),
        (create(ada, &["--subject", "x", "--body", ""]), 2, &["--body", "1 to 10000"]),
        (create(ada, &["--subject", "x", "--body", &longer]), 2, &["--body", "1 to 10000"]),
        (create(ada, &["--subject", "x", "--body", "\u{1b}[2J"]), 2, &["--body", "control characters"]),
        (create(ada, &["--subject", "x"]), 2, &["--body"]),
        (create(ada, &["--body", "x"]), 2, &["--subject"]),
        (create(ada, &["--subject", "x", "--body", "x", "--priority", "urgent"]), 2, &["urgent", "low, normal, high"]),
    ] {
        place.run(arguments.iter().map(String::as_str).collect::<Vec<_>>()).await.refused(code, words);
    }
    assert_eq!(place.run(["ticket", "list", "--json"]).await.succeeded().data(), [] as [Value; 0]);
    for arguments in [
        &["ticket", "show", "T-000009"][..],
        &["ticket", "close", "9"],
        &["ticket", "reopen", "9"],
        &["ticket", "reply", "9", "--body", "x"],
    ] {
        place.run(arguments).await.refused(1, &["no support ticket T-000009", "stoa ticket list"]);
    }
    place.run(["ticket", "show", "O-000009"]).await.refused(2, &["`O-000009`", "T-000042"]);
    place.run(["ticket", "list", "--status", "done"]).await.refused(2, &["done", "open, pending, answered, closed"]);
    place.run(["ticket", "list", "--customer", "eve@example.com"]).await.refused(1, &["eve@example.com"]);
    place.run(["ticket", "reply", "9", "--body", "x", "--as", "robot"]).await.refused(2, &["robot", "customer, staff"]);
}

both_databases!(tickets_are_exported_whole_and_erased_for_whoever_is_anonymized);
async fn tickets_are_exported_whole_and_erased_for_whoever_is_anonymized(backend: Backend) {
    let (place, ada) = place_with_ada(backend).await;
    let ada = ada.to_string();
    let ticket = open(&place, "Ada's lamp").await;
    let name = number(&ticket).to_owned();
    place.run(["ticket", "reply", &name, "--body", "Dear Ada"]).await.succeeded();
    place.run(["customer", "create", "--email", "bob@example.com", "--name", "Bob"]).await.succeeded();
    let create =
        ["ticket", "create", "--customer", "bob@example.com", "--subject", "Bob's lamp", "--body", "Hi", "--json"];
    let other = place.run(create).await.succeeded().json();

    let export = place.run(["customer", "export", &ada]).await.succeeded().json();
    let exported = export["support_tickets"].as_array().expect("a list");
    assert_eq!(exported.len(), 1, "{exported:?}");
    assert_eq!((&exported[0]["number"], &exported[0]["subject"]), (&json!(name), &json!("Ada's lamp")));
    assert_eq!(
        (&exported[0]["messages"][0]["body"], &exported[0]["messages"][1]["body"]),
        (&json!("Help!"), &json!("Dear Ada"))
    );

    place.run(["customer", "anonymize", &ada]).await.succeeded();
    let left = place.run(["ticket", "show", &name, "--json"]).await.succeeded();
    assert!(!left.out.contains("lamp") && !left.out.contains("Ada") && !left.out.contains("Help"), "{left:?}");
    let left = left.json();
    assert_eq!(
        (&left["status"], &left["subject"], &left["customer"]),
        (&json!("closed"), &json!("Erased"), &Value::Null)
    );
    assert_eq!(left["messages"].as_array().map(Vec::len), Some(2));
    assert_eq!(left["created_at"], ticket["created_at"]);
    for arguments in [
        &["ticket", "reply", &name, "--body", "x"][..],
        &["ticket", "reply", &name, "--body", "x", "--as", "customer"],
        &["ticket", "reopen", &name],
        &["ticket", "create", "--customer", &ada, "--subject", "x", "--body", "x"],
    ] {
        place.run(arguments).await.refused(1, &["anonymized"]);
    }
    let kept = place.run(["ticket", "show", number(&other), "--json"]).await.succeeded().json();
    assert_eq!((&kept["subject"], &kept["status"]), (&json!("Bob's lamp"), &json!("open")));
}
