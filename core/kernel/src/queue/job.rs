//! Events, as the job of which `stoa jobs` shows when it ran last.

use std::time::Duration;

use super::drain::Queue;
use super::lane::EVENTS;
use crate::error_chain;
use crate::jobs::Job;

/// `events.dispatch`: tells listeners what waits. A worker does that anyway; the job's row in the database tells that there is
/// one, and `stoa jobs run` does it where there is none.
pub(super) struct DispatchEvents;

impl Job for DispatchEvents {
    type Uses = Queue;

    const NAME: &'static str = "events.dispatch";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "tells listeners of the events that wait";

    async fn run(&self, queue: &Queue) -> Result<(), String> {
        let delivered = queue.work_off(EVENTS).await;
        delivered.map_err(|error| format!("the database failed: {}", error_chain(&error)))
    }
}
