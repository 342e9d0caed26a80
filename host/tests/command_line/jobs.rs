//! `stoa jobs`.

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::order::Sold;
use super::place::ShopFolder;

async fn listed(place: &ShopFolder, name: &str) -> Value {
    let jobs = place.run(["jobs", "list", "--json"]).await.succeeded().data();
    jobs.into_iter().find(|job| job["name"] == name).expect("the job is listed")
}

both_databases!(a_job_is_listed_run_and_noted);
async fn a_job_is_listed_run_and_noted(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let before = listed(&place, "events.dispatch").await;
    assert_eq!(before["schedule"], "every minute");
    assert_eq!(before["last_run_at"], Value::Null);
    let run = place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    assert_eq!(run.out, "events.dispatch is done\n");
    let again = place.run(["jobs", "run", "events.dispatch", "--json"]).await.succeeded().json();
    assert!(again["name"] == "events.dispatch" && again["last_run_at"].is_string(), "{again}");
    let after = listed(&place, "events.dispatch").await;
    assert!(after["last_run_at"].is_string() && after["next_run_at"].is_string(), "{after}");
    let table = place.run(["jobs", "list"]).await.succeeded().out;
    assert!(table.contains("events.dispatch") && table.contains("every minute"), "{table}");
}

#[tokio::test]
async fn a_run_as_of_another_time_leaves_the_schedule_alone() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.run(["jobs", "run", "events.dispatch", "--at", "2099-01-31T09:00:00Z", "--yes"]).await.succeeded();
    let job = listed(&place, "events.dispatch").await;
    assert!(!job["next_run_at"].as_str().expect("it is due").starts_with("2099"), "{job}");
}

both_databases!(a_job_as_of_the_future_is_run_by_no_program_unless_it_says_that_it_means_it);
async fn a_job_as_of_the_future_is_run_by_no_program_unless_it_says_that_it_means_it(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 1)]).await;
    let run = ["jobs", "run", "orders.expire", "--at", "2099-01-31"];
    let told = ["cancels orders that were not paid in time", "days in the future", "--yes", "Nothing was done"];
    sold.place.run(run).await.refused(2, &told);
    let status = async |sold: &Sold| {
        let shown = sold.place.run(["order", "show", &order["id"].to_string(), "--json"]).await.succeeded();
        shown.json()["status"].as_str().expect("a status").to_owned()
    };
    assert_eq!(status(&sold).await, "pending");
    sold.place.run(["jobs", "run", "orders.expire", "--at", "2026-01-31"]).await.succeeded();
    assert_eq!(status(&sold).await, "pending", "the past needs no consent, and nothing was due then");
    sold.place.run([&run[..], &["--yes"]].concat()).await.succeeded();
    assert_eq!(status(&sold).await, "cancelled");
}

#[tokio::test]
async fn an_unknown_job_is_not_asked_about() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.run(["jobs", "run", "orders.expier", "--at", "2099-01-31"]).await.refused(1, &["there is no job"]);
}

#[tokio::test]
async fn an_unknown_job_is_refused_with_the_one_that_was_meant_or_all_that_there_are() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.run(["jobs", "run", "orders.expier"]).await.refused(1, &["`orders.expier`; did you mean `orders.expire`?"]);
    let all = ["`brew.coffee`; there are: ", "orders.expire", "events.dispatch"];
    place.run(["jobs", "run", "brew.coffee"]).await.refused(1, &all);
}
