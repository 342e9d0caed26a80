//! `stoa worker`.

use rustix::process::Signal;
use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

both_databases!(a_worker_migrates_runs_jobs_and_stops_in_order);
async fn a_worker_migrates_runs_jobs_and_stops_in_order(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    // The setting is about `serve`.
    place.configure("[worker]\nenabled = false\n");
    let mut worker = place.start(["worker"]);
    worker.line("worker started").await;
    // Asking is what takes the time here.
    for asked in 0.. {
        let jobs = place.run(["jobs", "list", "--json"]).await.succeeded().data();
        if jobs.iter().any(|job| job["name"] == "events.dispatch" && job["last_run_at"].is_string()) {
            break;
        }
        assert!(asked < 200, "the worker runs no jobs: {jobs:?}");
    }
    assert_eq!(worker.stop(Signal::TERM).await.0, Some(0));
}

#[tokio::test]
async fn a_worker_needs_no_address_and_stops_on_interrupt() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("an address is free");
    let address = taken.local_addr().expect("it is bound").to_string();
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_SERVER__LISTEN", &address);
    let mut worker = place.start(["worker"]);
    worker.line("worker started").await;
    assert_eq!(worker.stop(Signal::INT).await.0, Some(0));
}

#[tokio::test]
async fn a_worker_on_a_database_that_nobody_else_sees_is_refused() {
    let place = ShopFolder::with("[database]\nurl = \"sqlite::memory:\"\n");
    place.run(["worker"]).await.refused(2, &["database.url", "sqlite::memory:"]);
}

#[tokio::test]
async fn a_worker_that_may_not_migrate_says_so() {
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_DATABASE__AUTO_MIGRATE", "false");
    place.run(["worker"]).await.refused(1, &["pending", "stoa migrate"]);
}

both_databases!(a_worker_for_some_lanes_leaves_the_others_alone);
async fn a_worker_for_some_lanes_leaves_the_others_alone(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let jobs = async || place.run(["jobs", "list", "--json"]).await.succeeded().data();
    let ran = |jobs: &[Value]| jobs.iter().any(|job| job["last_run_at"].is_string());
    let mut events = place.start(["worker", "--only", "events,mail"]);
    events.line("worker started").await;
    // A worker runs jobs as soon as it has started; asking takes longer.
    for _ in 0..3 {
        assert!(!ran(&jobs().await), "jobs are another worker's");
    }
    let mut worker = place.start(["worker", "--only", "jobs"]);
    worker.line("worker started").await;
    for asked in 0.. {
        if ran(&jobs().await) {
            break;
        }
        assert!(asked < 200, "nobody runs jobs");
    }
    assert_eq!(worker.stop(Signal::TERM).await.0, Some(0));
    assert_eq!(events.stop(Signal::TERM).await.0, Some(0));

    place.run(["worker", "--only", "mails"]).await.refused(2, &["--only", "no lane `mails`; did you mean `mail`?"]);
    place
        .run(["worker", "--only", "parcels"])
        .await
        .refused(2, &["no lane `parcels`; there are: ", "events", "mail", "webhooks"]);
}
