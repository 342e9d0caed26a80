//! A worker in a process of its own notices what others have written (contract 5).

use std::time::Duration;

use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::queue::Runner;
use stoa_core::testing::{TestDatabase, TestShop, both_databases};
use tokio_util::sync::CancellationToken;

use crate::recorder::Recorder;

/// Something that one instance brings about and another one hears of.
#[derive(Serialize, Deserialize)]
struct Announced {
    recorder: u64,
}

impl Event for Announced {
    const NAME: &'static str = "Announced";
}

impl CommittedEvent for Announced {}

/// The module `herald`, whose listener waits for the test.
struct Herald;

impl Module for Herald {
    const NAME: &'static str = "herald";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.on_committed::<Announced>("herald.listener", Herald);
        Ok(())
    }
}

impl AfterCommit<Announced> for Herald {
    type Uses = ();

    async fn after_commit(&self, event: &Announced, (): &()) -> Result<(), ListenerError> {
        Recorder::of(event.recorder).pass_gate().await;
        Ok(())
    }
}

both_databases!(a_worker_that_follows_the_database_does_not_wait_for_its_interval);
async fn a_worker_that_follows_the_database_does_not_wait_for_its_interval(backend: Backend) {
    let database = TestDatabase::new(backend).await;
    let server = TestShop::builder(backend).on(&database).module::<Herald>().open().await;
    let worker = TestShop::builder(backend).on(&database).clock(&server.clock).seed(2).module::<Herald>().open().await;
    let runner = Runner::new(worker.parts.clone(), Duration::from_hours(1));
    let stop = CancellationToken::new();
    let running = tokio::spawn(runner.following_the_database().run(stop.clone()));
    // The second one comes when the worker has nothing else to do.
    for _ in 0..2 {
        let recorder = Recorder::new();
        let event = Announced { recorder: recorder.number() };
        server.parts.db.write(async |tx| tx.emit(&event).await).await.expect("it commits");
        recorder.somebody_arrived().await;
        recorder.open_gate();
        recorder.somebody_left().await;
    }
    stop.cancel();
    running.await.expect("it stops");
}
