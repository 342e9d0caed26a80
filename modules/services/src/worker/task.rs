//! Services that wait for their providers, as tasks of the queue.

use stoa_core::prelude::*;
use stoa_core::queue::{Lane, Task};

/// Services that are worked on. A provider that does not answer holds up no other.
pub(crate) const SERVICES: Lane = Lane::new("services", 32, "work on a service").abreast(8);

/// A service that is to be made, suspended, resumed or terminated, or looked at.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WorkOnService {
    pub(super) service: i64,
    provider: String,
}

impl WorkOnService {
    /// The task of a service.
    pub(crate) fn of(service: i64, provider: &str) -> Self {
        Self { service, provider: provider.to_owned() }
    }
}

impl Task for WorkOnService {
    const KIND: &'static str = "services.work";
    const LANE: Lane = SERVICES;

    fn order_key(&self) -> Option<String> {
        Some(self.provider.clone())
    }

    fn subject(&self) -> Option<i64> {
        Some(self.service)
    }
}
