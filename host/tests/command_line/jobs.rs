//! `stoa jobs`.

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::Place;

async fn listed(place: &Place, name: &str) -> Value {
    let jobs = place.run(["jobs", "list", "--json"]).await.succeeded().data();
    jobs.into_iter().find(|job| job["name"] == name).expect("the job is listed")
}

both_databases!(a_job_is_listed_run_and_noted);
async fn a_job_is_listed_run_and_noted(backend: Backend) {
    let place = Place::migrated(backend).await;
    let before = listed(&place, "events.dispatch").await;
    assert_eq!(before["schedule"], "every minute");
    assert_eq!(before["last_run_at"], Value::Null);
    let run = place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    assert_eq!(run.out, "events.dispatch is done\n");
    let after = listed(&place, "events.dispatch").await;
    assert!(after["last_run_at"].is_string() && after["next_run_at"].is_string(), "{after}");
    let table = place.run(["jobs", "list"]).await.succeeded().out;
    assert!(table.contains("events.dispatch") && table.contains("every minute"), "{table}");
}

#[tokio::test]
async fn a_run_as_of_another_time_leaves_the_schedule_alone() {
    let place = Place::migrated(Backend::Sqlite).await;
    place.run(["jobs", "run", "events.dispatch", "--at", "2099-01-31T09:00:00Z"]).await.succeeded();
    let job = listed(&place, "events.dispatch").await;
    assert!(!job["next_run_at"].as_str().expect("it is due").starts_with("2099"), "{job}");
}

#[tokio::test]
async fn an_unknown_job_is_refused_with_those_that_there_are() {
    let place = Place::migrated(Backend::Sqlite).await;
    place.run(["jobs", "run", "orders.expier"]).await.refused(1, &["orders.expier", "events.dispatch"]);
}
