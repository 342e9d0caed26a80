//! A database of the first edition, with rows in every table, under this program.
//!
//! `upgrade/*.sql.gz` are dumps of a shop that sold something of each module, took some of it back and was stopped while events,
//! mails, webhooks and a callback waited; its key lies beside them.

use std::io::Read;

use flate2::read::GzDecoder;
use rustix::fs::{Mode, chmod};
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

const CONFIGURATION: &str = "[shop]\nname = \"Before\"\n[payments.development]\nenabled = true\n[modules]\n\
    subscriptions.enabled = true\nservices.enabled = true\ndownloads.enabled = true\ndigital_secrets.enabled = true\n\
    event_tickets.enabled = true\ninventory.enabled = true\n";

/// Tables that have another name today.
const RENAMED: [(&str, &str); 5] = [
    ("account_links", "email_tokens"),
    ("inventory_holds", "inventory_allocations"),
    ("order_items", "order_lines"),
    ("refund_items", "refund_lines"),
    ("shipment_items", "shipment_lines"),
];

/// Tables whose rows are tasks of the queue today.
const IN_THE_QUEUE: [&str; 2] = ["event_deliveries", "scheduled_jobs"];

async fn shop_of_before(backend: Backend) -> ShopFolder {
    let (dump, key): (&[u8], &[u8]) = match backend {
        Backend::Sqlite => (include_bytes!("upgrade/sqlite.sql.gz"), include_bytes!("upgrade/sqlite.key")),
        Backend::Postgres => (include_bytes!("upgrade/postgres.sql.gz"), include_bytes!("upgrade/postgres.key")),
    };
    let mut script = String::new();
    GzDecoder::new(dump).read_to_string(&mut script).expect("the dump is text");
    let place = ShopFolder::on(backend).await;
    place.configure(CONFIGURATION);
    place.database().load(&script).await;
    std::fs::create_dir(place.path().join("data")).expect("the folder is empty");
    place.write("data/stoa.key", key);
    chmod(place.path().join("data/stoa.key"), Mode::RUSR | Mode::WUSR).expect("the file is ours");
    place
}

both_databases!(a_shop_of_the_first_edition_goes_on_with_all_that_it_had);
async fn a_shop_of_the_first_edition_goes_on_with_all_that_it_had(backend: Backend) {
    let place = shop_of_before(backend).await;
    let before = place.database().row_counts().await;
    assert!(before.iter().all(|(_, rows)| *rows > 0), "the dump has rows in every table: {before:?}");
    place.run(["migrate"]).await.succeeded();
    let after = place.database().row_counts().await;
    for (table, rows) in before.iter().filter(|(table, _)| !table.starts_with("_migrations_")) {
        let today = RENAMED.iter().find(|(name, _)| name == table).map_or(table.as_str(), |(_, today)| today);
        let expected = (!IN_THE_QUEUE.contains(&today)).then_some(*rows);
        assert_eq!(after.get(today).copied(), expected, "{table}");
    }
    let waited = IN_THE_QUEUE.iter().map(|table| before[*table]).sum::<i64>();
    assert!(after["tasks"] > waited, "mails, webhooks, attempts and callbacks wait beside events and jobs: {after:?}");
    place.run(["verify"]).await.succeeded();
}

both_databases!(what_was_sold_before_the_upgrade_is_handed_over_after_it);
async fn what_was_sold_before_the_upgrade_is_handed_over_after_it(backend: Backend) {
    let place = shop_of_before(backend).await;
    place.run(["migrate"]).await.succeeded();
    let list = ["digital-secrets", "list", "--order", "O-000006", "--json"];
    let status = |found: Vec<Value>| found.iter().map(|unit| unit["status"].clone()).collect::<Vec<_>>();
    // It was paid while no worker ran, so nobody was told of it.
    assert_eq!(status(place.run(list).await.succeeded().data()), ["promised"]);
    place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    assert_eq!(status(place.run(list).await.succeeded().data()), ["delivered"]);
    // The key of then still tells one value from another.
    place.write("value.txt", "FONT-0004\n");
    let found = place.run(["digital-secrets", "find", "value.txt"]).await.succeeded();
    assert!(found.out.contains("1001"), "{found:?}");
    place.run(["verify"]).await.succeeded();
}

both_databases!(what_waited_for_its_time_before_the_upgrade_is_done_after_it);
async fn what_waited_for_its_time_before_the_upgrade_is_done_after_it(backend: Backend) {
    // A service that is over, and whose grace time has run out.
    const OVER: &str = "UPDATE services_services SET over_at = '2026-01-01T00:00:00+00:00', over_reason = 'operator',
                        terminate_at = '2026-01-15T00:00:00+00:00', due_at = '2026-01-15T00:00:00+00:00'";
    let place = shop_of_before(backend).await;
    place.database().load(OVER).await;
    place.run(["migrate"]).await.succeeded();
    let waiting = place.run(["services", "list", "--json"]).await.succeeded().data();
    assert_eq!(
        (&waiting[0]["status"], &waiting[0]["next_attempt_at"]),
        (&json!("pending"), &json!("2026-01-15T00:00:00Z"))
    );
    place.run(["jobs", "run", "services.provision"]).await.succeeded();
    let done = place.run(["services", "list", "--json"]).await.succeeded().data();
    assert_eq!((&done[0]["status"], &done[0]["next_attempt_at"]), (&json!("terminated"), &json!(null)));

    let renewals = async || {
        let shown = place.run(["subscriptions", "list", "--json"]).await.succeeded().data();
        shown[0]["renewal_order_id"].clone()
    };
    for (time, is_billed) in [("2026-12-17", false), ("2026-12-18", true)] {
        place.run(["jobs", "run", "subscriptions.renew", "--at", time, "--yes"]).await.succeeded();
        assert_eq!(renewals().await.is_i64(), is_billed, "on {time}");
    }
    place.run(["verify"]).await.succeeded();
}
