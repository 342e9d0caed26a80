//! A PostgreSQL that does not let us in: every command says at once why, and where.

use stoa_core::db::Backend;
use stoa_core::testing::run_test;

use super::place::{Outcome, ShopFolder};

/// Nobody listens at this port, which only the system's administrator could use.
const REFUSING: &str = "postgres://stoa:hunter2@127.0.0.1:1/shop";

/// What is told of it.
const WORDS: &[&str] = &["there is no connection to 127.0.0.1:1", "Connection refused"];

#[track_caller]
fn check(command: &[&str], outcome: Outcome) {
    assert_eq!(outcome.code, 1, "{command:?}: {outcome:?}");
    let told = outcome.out + &outcome.err;
    for word in WORDS {
        assert!(told.contains(word), "{command:?}: {told}");
    }
    assert!(!told.contains("hunter2") && !told.contains("timed out"), "{command:?}: {told}");
}

#[tokio::test]
async fn a_server_that_refuses_connections_is_told_with_its_address() {
    let place = ShopFolder::with(&format!("[database]\nurl = \"{REFUSING}\"\n"));
    place.write("catalog.jsonl", "{}");
    for command in [
        &["check"][..],
        &["migrate"],
        &["migrate", "status"],
        &["doctor"],
        &["export", "-"],
        &["import", "catalog.jsonl"],
        &["import", "catalog.jsonl", "--dry-run"],
        &["order", "list"],
    ] {
        check(command, place.run(command).await);
    }
    // These wait a few seconds, since the server may be about to start.
    let (shop, worker) = tokio::join!(place.run(["serve"]), place.run(["worker"]));
    for outcome in [&shop, &worker] {
        let fix = "\n  fix: start PostgreSQL, or correct `database.url`; the database must exist";
        assert!(outcome.err.contains(fix), "{outcome:?}");
    }
    check(&["serve"], shop);
    check(&["worker"], worker);
    let place = ShopFolder::empty();
    place.run(["migrate"]).await.succeeded();
    place.run(["database", "copy", "--to", REFUSING]).await.refused(1, WORDS);
}

#[test]
fn a_database_that_does_not_exist_is_told_in_the_servers_own_words() {
    run_test(Backend::Postgres, async |backend| {
        let known = ShopFolder::on(backend).await;
        let url = known.database_url().replace("/stoa_test_", "/stoa_nowhere_");
        let place = ShopFolder::with(&format!("[database]\nurl = \"{url}\"\n"));
        for command in ["check", "migrate", "export"] {
            let arguments = if command == "export" { vec![command, "-"] } else { vec![command] };
            let refused = place
                .run(arguments)
                .await
                .refused(1, &["database \"stoa_nowhere_", "\" does not exist; `createdb stoa_nowhere_"]);
            assert!(!refused.err.contains("at line"), "{}", refused.err);
        }
        let words = ["\" does not exist; `createdb stoa_nowhere_", "fix: start PostgreSQL, or correct `database.url`"];
        place.variable("STOA_SERVER__LISTEN", "127.0.0.1:0").run(["serve"]).await.refused(1, &words);
    });
}
