//! Dispatching as a scheduled job: the safety net under what is dispatched as soon as it is emitted.

use std::time::Duration;

use super::outbox::Dispatch;
use crate::jobs::Job;

/// `events.dispatch`: delivers what is due, a minute after the last look at the latest (contract 3).
///
/// A runner looks before every round of jobs anyway. The job is there for `stoa jobs run`, and its
/// row in the database tells that a worker is running.
pub struct DispatchEvents;

impl Job for DispatchEvents {
    type Uses = Dispatch;

    const NAME: &'static str = "events.dispatch";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "tells listeners of the events that wait";

    async fn run(&self, dispatch: &Dispatch) -> Result<(), String> {
        let delivered = dispatch.run_due().await;
        delivered.map(drop).map_err(|error| format!("the database failed: {error}"))
    }
}
