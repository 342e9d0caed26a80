//! `stoa events`.

use serde_json::json;
use stoa_core::db::{Backend, Db, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

const INSERT: Sql = sql!(
    "INSERT INTO tasks
         (id, lane, event, kind, payload, state, attempts, due_at, last_error, written_at, created_at)
     VALUES ($1, 'events', 'OrderPaid', 'downloads.grant', $2, $3, 9, $4, $5, $4, $4)"
);

/// Notes a delivery that a listener has not taken.
pub(crate) async fn note_delivery(db: &Db, id: i64, state: &str) {
    let payload = sqlx::types::Json(json!({"order_id": 7}));
    let noted = db.write(async |tx| -> Result<u64, DbError> {
        let now = tx.now();
        let error = (state == "failed").then_some("the disk is full");
        tx.run(INSERT).bind(id).bind(payload).bind(state).bind(now).bind(error).execute().await
    });
    noted.await.expect("the row is valid");
}

both_databases!(a_failed_event_is_listed_and_retried_once);
async fn a_failed_event_is_listed_and_retried_once(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let db = place.db().await;
    note_delivery(&db, 41, "pending").await;
    note_delivery(&db, 42, "failed").await;
    let failed = place.run(["events", "--failed", "--json"]).await.succeeded().data();
    assert_eq!(failed.len(), 1);
    for (member, value) in [
        ("id", json!(42)),
        ("event", json!("OrderPaid")),
        ("listener", json!("downloads.grant")),
        ("attempts", json!(9)),
        ("last_error", json!("the disk is full")),
    ] {
        assert_eq!(failed[0][member], value, "{member}");
    }
    assert_eq!(place.run(["events", "--json"]).await.succeeded().data().len(), 2);
    let table = place.run(["events"]).await.succeeded().out;
    assert!(table.contains("the disk is full") && table.contains("pending"), "{table}");

    let retried = place.run(["events", "retry", "42", "--json"]).await.succeeded().json();
    assert_eq!(retried, json!({"id": 42, "state": "pending"}));
    assert_eq!(place.run(["events", "--failed", "--json"]).await.succeeded().data(), [] as [serde_json::Value; 0]);
    place.run(["events", "retry", "42"]).await.refused(1, &["42", "stoa events --failed"]);
    let waiting = place.run(["events", "--json"]).await.succeeded().data();
    assert_eq!(waiting[1]["attempts"], 0);
}

#[tokio::test]
async fn an_event_that_waits_or_does_not_exist_cannot_be_retried() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    note_delivery(&place.db().await, 41, "pending").await;
    place.run(["events", "retry", "41"]).await.refused(1, &["no failed event 41"]);
    place.run(["events", "retry", "1000"]).await.refused(1, &["no failed event 1000"]);
}

#[tokio::test]
async fn an_empty_list_says_so() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    assert_eq!(place.run(["events", "--failed"]).await.succeeded().out, "no events have failed\n");
    assert_eq!(place.run(["events"]).await.succeeded().out, "no events are waiting\n");
}
