//! Scheduled jobs: when they are due, on one instance at a time, and what is remembered of failures.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::jobs::{JobStatus, RunOutcome, list_jobs, run_job};
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::testing::{TestDatabase, TestShop, TestShopBuilder, both_databases};
use tokio::task::JoinHandle;

use crate::recorder::Recorder;

/// Settings through which a test reaches its job.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    recorder: u64,
    behavior: Behavior,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "snake_case")]
enum Behavior {
    #[default]
    Succeed,
    Fail,
    Panic,
    WaitAtGate,
}

impl ModuleConfig for Settings {}

/// The module `cleaner` with one job.
struct Cleaner;

impl Module for Cleaner {
    const NAME: &'static str = "cleaner";
    type Config = Settings;

    fn register(settings: Settings, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.job(settings);
        Ok(())
    }
}

impl Job for Settings {
    type Uses = Db;

    const NAME: &'static str = "cleaner.sweep";
    const EVERY: Duration = Duration::from_mins(5);

    async fn run(&self, db: &Db) -> Result<(), String> {
        let recorder = Recorder::of(self.recorder);
        recorder.note(db.now().to_rfc3339());
        assert_eq!(db.now(), db.now(), "what the job writes carries the same time");
        match self.behavior {
            Behavior::Succeed => Ok(()),
            Behavior::Fail => Err(String::from("the broom is broken")),
            Behavior::Panic => panic!("the job of a test panics"),
            Behavior::WaitAtGate => {
                recorder.pass_gate().await;
                Ok(())
            }
        }
    }
}

const JOB: &str = <Settings as Job>::NAME;

fn builder(backend: Backend, recorder: &Recorder, behavior: &str) -> TestShopBuilder {
    let settings = format!("[modules.cleaner]\nrecorder = {}\nbehavior = \"{behavior}\"", recorder.number());
    TestShop::builder(backend).module::<Cleaner>().config(&settings)
}

async fn status(shop: &TestShop) -> JobStatus {
    let listed = list_jobs(&shop.parts.db, &shop.registry.jobs).await.expect("they can be listed");
    listed.into_iter().find(|job| job.name == JOB).expect("the job is listed")
}

both_databases!(a_job_runs_when_it_is_due_and_not_before);
async fn a_job_runs_when_it_is_due_and_not_before(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "succeed").open().await;
    let start = shop.now();
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 1, "once at the start");
    shop.advance(TimeDelta::seconds(300) - TimeDelta::microseconds(1));
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 1);
    shop.advance(TimeDelta::microseconds(1));
    shop.run_jobs().await;
    let later = start + TimeDelta::seconds(300);
    assert_eq!(recorder.lines(), [start.to_rfc3339(), later.to_rfc3339()]);
    let status = status(&shop).await;
    assert_eq!((status.last_run_at, status.next_run_at), (Some(later), Some(later + TimeDelta::seconds(300))));
}

both_databases!(a_job_that_was_missed_runs_once_not_once_for_each_time);
async fn a_job_that_was_missed_runs_once_not_once_for_each_time(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "succeed").open().await;
    shop.run_jobs().await;
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 2);
}

both_databases!(a_failure_is_remembered_and_the_job_runs_again);
async fn a_failure_is_remembered_and_the_job_runs_again(backend: Backend) {
    let (database, recorder) = (TestDatabase::new(backend).await, Recorder::new());
    let broken = builder(backend, &recorder, "fail").on(&database).open().await;
    broken.run_jobs().await;
    assert_eq!(status(&broken).await.last_error.as_deref(), Some("the broom is broken"));
    let repaired = builder(backend, &recorder, "succeed").on(&database).clock(&broken.clock).seed(2).open().await;
    repaired.advance(TimeDelta::seconds(300));
    repaired.run_jobs().await;
    assert_eq!(recorder.lines().len(), 2);
    assert_eq!(status(&repaired).await.last_error, None);
}

both_databases!(a_panicking_job_is_a_failed_job);
async fn a_panicking_job_is_a_failed_job(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "panic").open().await;
    shop.run_jobs().await;
    assert_eq!(status(&shop).await.last_error.as_deref(), Some("the job panicked: the job of a test panics"));
    shop.advance(TimeDelta::seconds(300));
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 2, "the worker goes on");
}

/// Two instances on one database, with the same job.
async fn two_instances(backend: Backend, recorder: &Recorder, behavior: &str) -> (TestShop, TestShop) {
    let database = TestDatabase::new(backend).await;
    let one = builder(backend, recorder, behavior).on(&database).open().await;
    let other = builder(backend, recorder, behavior).on(&database).clock(&one.clock).seed(2).open().await;
    (one, other)
}

/// Lets a worker look for work beside the test.
fn start_worker(shop: &TestShop) -> JoinHandle<()> {
    let runner = shop.runner();
    tokio::spawn(async move { runner.tick().await.expect("the database is reached") })
}

/// Waits until a worker has done what was due; one that hangs fails the test.
async fn finish(worker: JoinHandle<()>) {
    let finished = tokio::time::timeout(Duration::from_secs(20), worker).await;
    finished.expect("the worker ends within the time").expect("the worker does not panic");
}

both_databases!(two_workers_run_a_due_job_once);
async fn two_workers_run_a_due_job_once(backend: Backend) {
    let recorder = Recorder::new();
    let (one, other) = two_instances(backend, &recorder, "succeed").await;
    for round in 1..=5 {
        for worker in [&one, &other, &one, &other].map(start_worker) {
            finish(worker).await;
        }
        assert_eq!(recorder.lines().len(), round);
        one.advance(TimeDelta::seconds(300));
    }
}

// The control of the test above: without a lease between them, both run the job.
both_databases!(two_runs_without_a_lease_both_happen);
async fn two_runs_without_a_lease_both_happen(backend: Backend) {
    let recorder = Recorder::new();
    let (one, other) = two_instances(backend, &recorder, "succeed").await;
    let run = async |shop: &TestShop| run_job(&shop.parts, &shop.registry.jobs, JOB, shop.clock.clone()).await;
    let (first, second) = tokio::join!(run(&one), run(&other));
    assert!(first.is_ok() && second.is_ok());
    assert_eq!(recorder.lines().len(), 2);
}

both_databases!(a_job_whose_worker_hangs_is_taken_over_after_its_lease);
async fn a_job_whose_worker_hangs_is_taken_over_after_its_lease(backend: Backend) {
    let recorder = Recorder::new();
    let (hanging, other) = two_instances(backend, &recorder, "wait_at_gate").await;
    let hung = start_worker(&hanging);
    recorder.somebody_arrived().await;
    other.advance(TimeDelta::seconds(60) - TimeDelta::microseconds(1));
    finish(start_worker(&other)).await;
    assert_eq!(recorder.lines().len(), 1, "the lease holds");
    other.advance(TimeDelta::microseconds(1));
    let taking_over = start_worker(&other);
    recorder.somebody_arrived().await;
    assert_eq!(recorder.lines().len(), 2, "the lease has ended");

    // The first worker comes back late: it must not end the lease of the second.
    recorder.open_gate();
    finish(hung).await;
    other.advance(TimeDelta::seconds(59));
    finish(start_worker(&other)).await;
    assert_eq!(recorder.lines().len(), 2, "the second worker still holds the job");
    recorder.open_gate();
    finish(taking_over).await;
    assert_eq!(status(&other).await.last_run_at, Some(other.now()));
}

both_databases!(a_job_that_ran_in_the_future_runs_again_when_the_clock_is_set_back);
async fn a_job_that_ran_in_the_future_runs_again_when_the_clock_is_set_back(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "succeed").open().await;
    shop.run_jobs().await;
    for (ahead, runs) in [(TimeDelta::days(3 * 365), 3), (TimeDelta::minutes(20), 5)] {
        shop.advance(ahead);
        shop.run_jobs().await;
        shop.advance(-ahead);
        shop.run_jobs().await;
        assert_eq!(recorder.lines().len(), runs, "{ahead}");
        shop.run_jobs().await;
        assert_eq!(recorder.lines().len(), runs, "{ahead}: it has run, and waits");
    }
    // As far as clocks of machines may differ that share a database, nothing is run twice.
    shop.advance(TimeDelta::minutes(-4));
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 5);
}

both_databases!(a_lease_of_a_clock_that_was_ahead_keeps_no_job);
async fn a_lease_of_a_clock_that_was_ahead_keeps_no_job(backend: Backend) {
    let (recorder, years) = (Recorder::new(), TimeDelta::days(3 * 365));
    let (hanging, other) = two_instances(backend, &recorder, "wait_at_gate").await;
    other.advance(years);
    let hung = start_worker(&hanging);
    recorder.somebody_arrived().await;
    other.advance(-years);
    let taking_over = start_worker(&other);
    recorder.somebody_arrived().await;
    assert_eq!(recorder.lines().len(), 2);
    recorder.open_gate();
    recorder.open_gate();
    finish(hung).await;
    finish(taking_over).await;
}

both_databases!(a_job_can_be_run_at_another_time);
async fn a_job_can_be_run_at_another_time(backend: Backend) {
    let recorder = Recorder::new();
    let shop = builder(backend, &recorder, "succeed").open().await;
    shop.run_jobs().await;
    let due = status(&shop).await.next_run_at;
    shop.advance(TimeDelta::seconds(7));
    let then = shop.now() + TimeDelta::days(40);
    let outcome = run_job(&shop.parts, &shop.registry.jobs, JOB, Clock::manual(then)).await;
    assert_eq!(outcome.expect("it runs"), RunOutcome::Done);
    assert_eq!(recorder.lines()[1], then.to_rfc3339());
    let status = status(&shop).await;
    assert_eq!((status.last_run_at, status.next_run_at), (Some(shop.now()), due), "when it ran, and is due, is real");
}

both_databases!(a_job_that_is_run_by_hand_tells_how_it_ended);
async fn a_job_that_is_run_by_hand_tells_how_it_ended(backend: Backend) {
    for (behavior, told) in [("fail", "the broom is broken"), ("panic", "the job panicked: the job of a test panics")] {
        let shop = builder(backend, &Recorder::new(), behavior).open().await;
        let run = async |name| run_job(&shop.parts, &shop.registry.jobs, name, shop.clock.clone()).await;
        assert_eq!(run(JOB).await.expect("it runs"), RunOutcome::Failed(told.to_owned()));
        assert_eq!(status(&shop).await.last_error.as_deref(), Some(told));
        assert_eq!(run("cleaner.unknown").await.expect("there is none"), RunOutcome::Unknown);
    }
}

both_databases!(jobs_of_a_disabled_module_do_not_run);
async fn jobs_of_a_disabled_module_do_not_run(backend: Backend) {
    let recorder = Recorder::new();
    let settings = format!("[modules.cleaner]\nrecorder = {}", recorder.number());
    let entry = ModuleEntry::of::<Cleaner>("cleaner-crate", "0.0.0");
    let shop = TestShop::builder(backend).linked_module(entry).config(&settings).open().await;
    shop.run_jobs().await;
    let outcome = run_job(&shop.parts, &shop.registry.jobs, JOB, shop.clock.clone()).await;
    assert_eq!(outcome.expect("it is not known"), RunOutcome::Unknown);
    assert!(recorder.lines().is_empty());
    assert!(!status(&shop).await.enabled);
}
