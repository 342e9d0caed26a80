//! Sending what is queued: one task for each delivery, in the order of the commits, a few of each endpoint at once (S3.1, S6.5).

mod counters;
mod deliver;
mod record;
mod uses;

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use stoa_kernel::config::WebhooksConfig;
use stoa_kernel::outbound::{Connector, Resolve};
use stoa_kernel::queue::{Lane, Task};

use self::counters::Counters;

pub use counters::SendCounts;

pub(super) use record::DISABLED;
pub(super) use uses::WebhookDelivery;

/// Deliveries on their way. An attempt takes ten seconds at most, and most of them wait for somebody else all the while.
pub const WEBHOOKS: Lane = Lane::new("webhooks", 256, "delivery").abreast(8);

/// A delivery that is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, sqlx::FromRow)]
pub(super) struct DeliverWebhook {
    /// Its row.
    pub(super) delivery: i64,
    /// Where to.
    pub(super) endpoint: i64,
}

/// What the deliveries to an endpoint have in common.
pub(super) fn order_key_of(endpoint: i64) -> String {
    format!("endpoint:{endpoint}")
}

impl Task for DeliverWebhook {
    const KIND: &'static str = "webhooks.deliver";
    const LANE: Lane = WEBHOOKS;

    fn order_key(&self) -> Option<String> {
        Some(order_key_of(self.endpoint))
    }

    fn subject(&self) -> Option<i64> {
        Some(self.delivery)
    }
}

/// Why connections cannot be prepared.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct SetupError(String);

/// The sender of one program. Cloning gives the same one.
#[derive(Clone, Default)]
pub struct Sender(Arc<Inner>);

#[derive(Default)]
struct Inner {
    connector: OnceLock<Connector>,
    /// What tests resolve names with.
    resolver: OnceLock<Arc<dyn Resolve>>,
    counters: Counters,
}

impl Sender {
    /// Resolves names like this instead of as configured; for tests.
    pub fn resolve_with(&self, source: Arc<dyn Resolve>) {
        let _ = self.0.resolver.set(source);
    }

    /// What was counted in this process.
    pub fn counts(&self) -> SendCounts {
        self.0.counters.read()
    }

    /// What makes connections, prepared once.
    pub(super) fn connector(&self, config: &WebhooksConfig) -> Result<&Connector, SetupError> {
        if let Some(connector) = self.0.connector.get() {
            return Ok(connector);
        }
        let made = Connector::new(config, self.0.resolver.get()).map_err(SetupError)?;
        Ok(self.0.connector.get_or_init(|| made))
    }
}
