//! Scheduled work.

use std::time::Duration;

use stoa_core::error_chain;
use stoa_core::prelude::*;

use crate::worker::{Worker, WorkerUses};

fn failed(error: &DbError) -> String {
    format!("the database failed: {}", error_chain(error))
}

/// Makes, suspends, resumes and terminates what is due, and what shall not wait as soon as it is there.
pub(crate) struct Provision(pub(crate) Worker);

impl Job for Provision {
    type Uses = WorkerUses;

    const NAME: &'static str = "services.provision";
    const EVERY: Duration = Duration::from_mins(1);
    const DOES: &'static str = "makes, suspends, resumes and terminates services";

    async fn run(&self, uses: &WorkerUses) -> Result<(), String> {
        self.0.run_due(uses).await.map_err(|error| failed(&error))
    }

    async fn is_urgent(&self, uses: &WorkerUses) -> Result<bool, DbError> {
        self.0.is_due(&uses.db).await
    }
}

/// Notes where providers differ from what the shop believes.
pub(crate) struct Compare(pub(crate) Worker);

impl Job for Compare {
    type Uses = WorkerUses;

    const NAME: &'static str = "services.compare";
    const EVERY: Duration = Duration::from_mins(15);
    const DOES: &'static str = "compares services with their providers";

    async fn run(&self, uses: &WorkerUses) -> Result<(), String> {
        self.0.compare(uses).await.map_err(|error| failed(&error))
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
        self.0.ask_capacity(uses).await.map_err(|error| failed(&error))
    }
}
