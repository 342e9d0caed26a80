//! Listeners after the commit: at least once, again after failures, and given up in the end.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::events::{DeliveryState, EventDelivery};
use stoa_core::module::ModuleEntry;
use stoa_core::prelude::*;
use stoa_core::queue::{EVENTS, Queue};
use stoa_core::testing::{TestDatabase, TestShop, both_databases};

use crate::recorder::Recorder;

/// Minutes between attempts, as they are documented; the attempt after the last one is the last.
const BACKOFF_MINUTES: [i64; 8] = [1, 2, 5, 15, 30, 60, 180, 360];

/// Something that has happened.
#[derive(Serialize, Deserialize)]
struct Sent {
    recorder: u64,
    /// Which listener shall fail, and how.
    failing: Option<(String, Failure)>,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
enum Failure {
    Error,
    Panic,
    /// Succeeds once the test has written "repaired".
    UntilRepaired,
}

impl Event for Sent {
    const NAME: &'static str = "Sent";
}

impl CommittedEvent for Sent {}

/// Something that has happened to what has these capabilities.
#[derive(Serialize, Deserialize)]
struct Shipped {
    capabilities: Option<Vec<String>>,
}

impl Event for Shipped {
    const NAME: &'static str = "Shipped";
}

impl CommittedEvent for Shipped {
    fn capabilities(&self) -> Option<&[String]> {
        self.capabilities.as_deref()
    }
}

/// Has to do with what is fragile, or cold.
struct Careful;

impl AfterCommit<Shipped> for Careful {
    type Uses = ();

    const WANTS: &'static [&'static str] = &["fragile", "cold"];

    async fn after_commit(&self, _: &Shipped, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

/// Has to do with everything.
struct Curious;

impl AfterCommit<Shipped> for Curious {
    type Uses = ();

    async fn after_commit(&self, _: &Shipped, (): &()) -> Result<(), ListenerError> {
        Ok(())
    }
}

/// The module `carrier` with both.
struct Carrier;

impl Module for Carrier {
    const NAME: &'static str = "carrier";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<Shipped>("carrier.careful", Careful);
        cx.on_committed::<Shipped>("carrier.curious", Curious);
        Ok(())
    }
}

struct Named(&'static str);

impl AfterCommit<Sent> for Named {
    type Uses = ();

    async fn after_commit(&self, event: &Sent, (): &()) -> Result<(), ListenerError> {
        let recorder = Recorder::of(event.recorder);
        recorder.note(self.0);
        let failure = event.failing.as_ref().filter(|(name, _)| name == self.0).map(|(_, failure)| *failure);
        match failure {
            None => Ok(()),
            Some(Failure::Panic) => panic!("the listener of a test panics"),
            Some(Failure::UntilRepaired) if recorder.lines().iter().any(|line| line == "repaired") => Ok(()),
            Some(Failure::Error | Failure::UntilRepaired) => Err(ListenerError::Failed(String::from("no paper left"))),
        }
    }
}

/// The module `printer` with two listeners.
struct Printer;

impl Module for Printer {
    const NAME: &'static str = "printer";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<Sent>("printer.first", Named("printer.first"));
        cx.on_committed::<Sent>("printer.second", Named("printer.second"));
        Ok(())
    }
}

/// The module `scanner` with one.
struct Scanner;

impl Module for Scanner {
    const NAME: &'static str = "scanner";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<Sent>("scanner.only", Named("scanner.only"));
        Ok(())
    }
}

async fn shop(backend: Backend) -> TestShop {
    TestShop::builder(backend).module::<Printer>().open().await
}

async fn emit(shop: &TestShop, recorder: &Recorder, failing: Option<(&str, Failure)>) {
    let failing = failing.map(|(name, failure)| (name.to_owned(), failure));
    let event = Sent { recorder: recorder.number(), failing };
    shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it commits");
}

async fn waiting(shop: &TestShop) -> Vec<EventDelivery> {
    EventDelivery::list(&shop.parts.db).await.expect("they can be listed")
}

both_databases!(an_event_is_delivered_to_each_listener_after_the_commit);
async fn an_event_is_delivered_to_each_listener_after_the_commit(backend: Backend) {
    let shop = shop(backend).await;
    let recorder = Recorder::new();
    let event = Sent { recorder: recorder.number(), failing: None };
    let emitted = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        tx.emit(&event).await?;
        assert!(recorder.lines().is_empty());
        Ok(())
    });
    emitted.await.expect("it commits");
    assert_eq!(waiting(&shop).await.len(), 2);
    shop.run_jobs().await;
    assert_eq!(recorder.lines(), ["printer.first", "printer.second"]);
    assert!(waiting(&shop).await.is_empty());
    shop.advance(TimeDelta::days(1));
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), 2, "what was delivered is not delivered again");
}

both_databases!(nothing_is_written_for_a_listener_that_wants_other_capabilities);
async fn nothing_is_written_for_a_listener_that_wants_other_capabilities(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Carrier>().open().await;
    let (both, one) = (&["carrier.careful", "carrier.curious"][..], &["carrier.curious"][..]);
    for (capabilities, told) in [
        (None, both),
        (Some(&[][..]), one),
        (Some(&["heavy"][..]), one),
        (Some(&["heavy", "cold"][..]), both),
        (Some(&["fragile", "cold"][..]), both),
    ] {
        let owned = capabilities.map(|all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect());
        let event = Shipped { capabilities: owned };
        shop.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it commits");
        let written = waiting(&shop).await.into_iter().map(|delivery| delivery.listener).collect::<Vec<_>>();
        assert_eq!(written, told, "{capabilities:?}");
        shop.run_jobs().await;
        assert!(waiting(&shop).await.is_empty(), "{capabilities:?}");
    }
}

both_databases!(an_event_of_a_transaction_that_fails_never_happened);
async fn an_event_of_a_transaction_that_fails_never_happened(backend: Backend) {
    let shop = shop(backend).await;
    let recorder = Recorder::new();
    let event = Sent { recorder: recorder.number(), failing: None };
    let undone = shop.parts.db.write(async |tx| -> Result<(), ApiError> {
        tx.emit(&event).await?;
        Err(ApiError::not_found())
    });
    assert!(undone.await.is_err());
    assert!(waiting(&shop).await.is_empty());
    shop.run_jobs().await;
    assert!(recorder.lines().is_empty());
}

both_databases!(events_are_delivered_in_the_order_in_which_they_happened);
async fn events_are_delivered_in_the_order_in_which_they_happened(backend: Backend) {
    let shop = TestShop::builder(backend).module::<Scanner>().open().await;
    // More than are taken at once.
    let recorders = (0..45).map(|_| Recorder::new()).collect::<Vec<_>>();
    let events = recorders.iter().map(|recorder| Sent { recorder: recorder.number(), failing: None });
    let events = events.collect::<Vec<_>>();
    let emitted = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        for event in &events {
            tx.emit(event).await?;
        }
        Ok(())
    });
    emitted.await.expect("it commits");
    assert_eq!(shop.uses::<Queue>().drain(EVENTS).await.expect("they are delivered"), 45);
    assert!(recorders.iter().all(|recorder| recorder.lines() == ["scanner.only"]));
}

both_databases!(a_failed_delivery_is_tried_again_later_and_later);
async fn a_failed_delivery_is_tried_again_later_and_later(backend: Backend) {
    let shop = shop(backend).await;
    let recorder = Recorder::new();
    emit(&shop, &recorder, Some(("printer.first", Failure::Error))).await;
    let attempts = || recorder.lines().iter().filter(|line| *line == "printer.first").count();
    shop.run_jobs().await;
    for (number, minutes) in BACKOFF_MINUTES.into_iter().enumerate() {
        assert_eq!(attempts(), number + 1);
        shop.advance(TimeDelta::minutes(minutes) - TimeDelta::microseconds(1));
        shop.run_jobs().await;
        assert_eq!(attempts(), number + 1, "not before {minutes} minutes have passed");
        shop.advance(TimeDelta::microseconds(1));
        shop.run_jobs().await;
    }
    assert_eq!(attempts(), BACKOFF_MINUTES.len() + 1);
    assert_eq!(recorder.lines().len(), attempts() + 1, "the other listener was called once");
}

const HOLD: Sql =
    sql!("UPDATE tasks SET attempts = 1, due_at = $1, lease = 'dead', written_at = $2 WHERE lane = 'events'");

both_databases!(a_clock_that_was_years_ahead_hides_no_event);
async fn a_clock_that_was_years_ahead_hides_no_event(backend: Backend) {
    let (shop, years) = (shop(backend).await, TimeDelta::days(3 * 365));
    let [failed, new, held] = [Recorder::new(), Recorder::new(), Recorder::new()];
    shop.advance(years);
    emit(&shop, &failed, Some(("printer.first", Failure::UntilRepaired))).await;
    shop.run_jobs().await;
    failed.note("repaired");
    emit(&shop, &new, None).await;
    shop.advance(-years);
    shop.run_jobs().await;
    assert_eq!(failed.lines(), ["printer.first", "printer.second", "repaired", "printer.first"]);
    assert_eq!(new.lines(), ["printer.first", "printer.second"]);

    // Whoever has claimed these has died.
    emit(&shop, &held, None).await;
    let then = shop.now() + years;
    let hold = async |tx: &mut Tx| tx.run(HOLD).bind(then).bind(then).execute().await;
    assert_eq!(shop.parts.db.write(hold).await.expect("they are changed"), 2);
    shop.run_jobs().await;
    assert_eq!(held.lines(), ["printer.first", "printer.second"]);
    assert!(waiting(&shop).await.is_empty());
}

both_databases!(a_clock_that_is_set_back_a_little_ends_no_lease_and_no_wait);
async fn a_clock_that_is_set_back_a_little_ends_no_lease_and_no_wait(backend: Backend) {
    let (shop, recorder) = (shop(backend).await, Recorder::new());
    emit(&shop, &recorder, Some(("printer.first", Failure::Error))).await;
    shop.run_jobs().await;
    emit(&shop, &recorder, None).await;
    let (now, soon) = (shop.now(), shop.now() + TimeDelta::seconds(60));
    let hold = async |tx: &mut Tx| tx.run(HOLD).bind(soon).bind(now).execute().await;
    shop.parts.db.write(hold).await.expect("they are changed");
    let before = recorder.lines();
    shop.advance(TimeDelta::minutes(-2));
    shop.run_jobs().await;
    assert_eq!(recorder.lines(), before);
}

both_databases!(after_the_last_attempt_a_delivery_waits_for_the_operator);
async fn after_the_last_attempt_a_delivery_waits_for_the_operator(backend: Backend) {
    let shop = shop(backend).await;
    let recorder = Recorder::new();
    emit(&shop, &recorder, Some(("printer.first", Failure::UntilRepaired))).await;
    for minutes in BACKOFF_MINUTES {
        shop.run_jobs().await;
        let [delivery] = &waiting(&shop).await[..] else { panic!("one delivery waits") };
        assert_eq!(delivery.state, DeliveryState::Pending);
        shop.advance(TimeDelta::minutes(minutes));
    }
    shop.run_jobs().await;
    let failed = EventDelivery::list_failed(&shop.parts.db).await.expect("they can be listed");
    let [failed] = &failed[..] else { panic!("one delivery was given up") };
    assert_eq!((failed.event.as_str(), failed.listener.as_str(), failed.attempts), ("Sent", "printer.first", 9));
    assert_eq!(failed.last_error.as_deref(), Some("no paper left"));
    let calls = recorder.lines().len();
    shop.advance(TimeDelta::weeks(1));
    shop.run_jobs().await;
    assert_eq!(recorder.lines().len(), calls, "it is not tried any more");

    recorder.note("repaired");
    assert!(EventDelivery::retry(&shop.parts.db, failed.id).await.expect("it is put back"));
    shop.run_jobs().await;
    assert!(waiting(&shop).await.is_empty());
    assert!(!EventDelivery::retry(&shop.parts.db, failed.id).await.expect("there is none any more"));
}

both_databases!(a_pending_delivery_cannot_be_retried_by_the_operator);
async fn a_pending_delivery_cannot_be_retried_by_the_operator(backend: Backend) {
    let shop = shop(backend).await;
    emit(&shop, &Recorder::new(), None).await;
    let id = waiting(&shop).await[0].id;
    assert!(!EventDelivery::retry(&shop.parts.db, id).await.expect("nothing is changed"));
}

both_databases!(a_panicking_listener_stops_neither_others_nor_the_worker);
async fn a_panicking_listener_stops_neither_others_nor_the_worker(backend: Backend) {
    let shop = shop(backend).await;
    let recorder = Recorder::new();
    emit(&shop, &recorder, Some(("printer.first", Failure::Panic))).await;
    let later = Recorder::new();
    emit(&shop, &later, None).await;
    shop.run_jobs().await;
    assert_eq!(recorder.lines(), ["printer.first", "printer.second"]);
    assert_eq!(later.lines(), ["printer.first", "printer.second"]);
    let [delivery] = &waiting(&shop).await[..] else { panic!("one delivery waits") };
    assert_eq!(delivery.last_error.as_deref(), Some("the listener panicked: the listener of a test panics"));
}

both_databases!(rows_for_a_disabled_module_wait_until_it_is_enabled);
async fn rows_for_a_disabled_module_wait_until_it_is_enabled(backend: Backend) {
    let scanner = ModuleEntry::of::<Scanner>("scanner-crate", "0.0.0");
    let without = TestShop::builder(backend).module::<Printer>().linked_module(scanner).open().await;
    let recorder = Recorder::new();
    emit(&without, &recorder, None).await;
    without.run_jobs().await;
    without.advance(TimeDelta::days(30));
    without.run_jobs().await;
    assert_eq!(recorder.lines(), ["printer.first", "printer.second"]);
    let [delivery] = &waiting(&without).await[..] else { panic!("one delivery waits") };
    assert_eq!((delivery.listener.as_str(), delivery.attempts), ("scanner.only", 0));

    let with = TestShop::builder(backend).on(without.database()).clock(&without.clock).seed(2);
    let with = with.module::<Printer>().module::<Scanner>().open().await;
    with.run_jobs().await;
    assert_eq!(recorder.lines(), ["printer.first", "printer.second", "scanner.only"]);
    assert!(waiting(&with).await.is_empty());
}

/// Two instances on one database.
async fn two_instances(backend: Backend) -> (TestShop, TestShop) {
    let database = TestDatabase::new(backend).await;
    let one = TestShop::builder(backend).on(&database).module::<Printer>().open().await;
    let other = TestShop::builder(backend).on(&database).clock(&one.clock).seed(2).module::<Printer>().open().await;
    (one, other)
}

both_databases!(two_workers_deliver_each_event_once);
async fn two_workers_deliver_each_event_once(backend: Backend) {
    let (one, other) = two_instances(backend).await;
    let recorders = (0..30).map(|_| Recorder::new()).collect::<Vec<_>>();
    for recorder in &recorders {
        emit(&one, recorder, None).await;
    }
    let workers = [&one, &other, &one, &other].map(|shop| {
        let parts = shop.parts.clone();
        tokio::spawn(async move { Queue::from_shop(&parts).drain(EVENTS).await })
    });
    let mut delivered = 0;
    for worker in workers {
        delivered += worker.await.expect("the task ends").expect("the database is reached");
    }
    assert_eq!(delivered, 60);
    assert!(recorders.iter().all(|recorder| recorder.lines().len() == 2));
    assert!(waiting(&one).await.is_empty());
}
