//! Scheduled work.

use std::time::Duration;

use stoa_core::error_chain;
use stoa_core::prelude::*;

use crate::worker::{Worker, WorkerUses};

/// Notes where providers differ from what the shop believes.
pub(crate) struct Compare(pub(crate) Worker);

impl Job for Compare {
    type Uses = WorkerUses;

    const NAME: &'static str = "services.compare";
    const EVERY: Duration = Duration::from_mins(15);
    const DOES: &'static str = "compares services with their providers";

    async fn run(&self, uses: &WorkerUses) -> Result<(), String> {
        self.0.compare(uses).await.map_err(|error| error_chain(&error))
    }
}

/// Asks providers how much room they have.
pub(crate) struct AskCapacity(pub(crate) Worker);

impl Job for AskCapacity {
    type Uses = WorkerUses;

    const NAME: &'static str = "services.capacity";
    const EVERY: Duration = Duration::from_mins(5);
    const DOES: &'static str = "asks providers how much room they have";

    async fn run(&self, uses: &WorkerUses) -> Result<(), String> {
        self.0.ask_capacity(uses).await.map_err(|error| error_chain(&error))
    }
}
