//! The queue: work that was written down in a transaction and is done after its commit, at least once.
//!
//! One table, one claim, one lease. Every task lies in a lane, and no lane waits for another: a mail server that says nothing
//! holds up mails alone. Whoever adds a kind of work writes a [`Task`], what does it, and when it is tried again:
//!
//! ```
//! # extern crate stoa_kernel as stoa_core;
//! use stoa_core::prelude::*;
//! use stoa_core::queue::{BackOff, HandleTask, Lane, Task, TaskError};
//!
//! const POSTCARDS: Lane = Lane::new("postcards", 2, "printer");
//!
//! #[derive(Serialize, Deserialize)]
//! struct PrintCard {
//!     wish_id: i64,
//! }
//!
//! impl Task for PrintCard {
//!     const KIND: &'static str = "gift_wrap.print_card";
//!     const LANE: Lane = POSTCARDS;
//! }
//!
//! struct Printer;
//!
//! impl HandleTask<PrintCard> for Printer {
//!     type Uses = Db;
//!
//!     const RETRY: BackOff = BackOff::minutes(&[1, 5, 30]);
//!
//!     async fn handle(&self, task: &PrintCard, db: &Db) -> Result<(), TaskError> {
//!         // …
//! #       let _ = (task, db);
//!         Ok(())
//!     }
//! }
//!
//! fn wish(tx: &mut Tx, wish_id: i64) -> Result<(), DbError> {
//!     tx.enqueue(&PrintCard { wish_id })
//! }
//!
//! fn register(cx: &mut ModuleContext<'_>) {
//!     cx.task::<PrintCard>(Printer);
//! }
//! # let _ = (wish, register);
//! ```

mod back_off;
mod distribute;
mod drain;
mod engine;
mod enqueue;
mod examine;
mod handler;
mod kinds;
mod lane;
mod lanes;
mod queries;
mod record;
mod runner;
mod settle;

pub use back_off::BackOff;
pub use drain::Queue;
pub use handler::{HandleTask, Task, TaskError};
pub use kinds::{TaskKinds, UnknownLane};
pub use lane::{EVENTS, JOBS, Lane, MAIL};
pub use lanes::{LaneCounts, count_lane, count_lanes, failed_in};
pub use record::{EndedTask, Next, RecordTask};
pub use runner::Runner;

pub(crate) use enqueue::{NewTask, ensure_job, payload_of};
pub(crate) use handler::{ErasedHandler, HandlerFuture, decoding};
pub(crate) use kinds::{Kind, Repetition, TaskKindsBuilder};
pub(crate) use queries::{COUNT_EVENTS, LIST_EVENTS, LIST_JOBS, PAGE_EVENTS, RECORD_JOB, RETRY_EVENT};

use chrono::{DateTime, Utc};

use crate::module::ModuleContext;

/// When a task is due that shall be done as soon as it can be: whatever the clock says.
pub(crate) const AT_ONCE: DateTime<Utc> = DateTime::UNIX_EPOCH;

/// The job that stands for events, what is measured of the queue, and whether events reach those who listen.
pub fn register(cx: &mut ModuleContext<'_>) {
    cx.works_off("events.dispatch", "tells listeners of the events that wait", &[EVENTS]);
    cx.measure(lanes::MeasureLanes);
    cx.examine_database("events", examine::ExamineEvents);
    cx.examine_database("queue", examine::ExamineLanes);
    cx.examine_database("worker", examine::ExamineWorker);
}
