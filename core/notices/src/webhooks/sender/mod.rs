//! Sending what is queued: a lease, an attempt, and what became of it (S3.1, S6.5).
//!
//! Any number of processes may send from one database. Each claims no more than it starts at once, so nothing waits
//! under a lease. A result counts only while the lease is held.

mod claim;
mod counters;
mod flight;
mod record;
mod uses;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use stoa_kernel::config::WebhooksConfig;
use stoa_kernel::db::DbError;
use stoa_kernel::outbound::{Connector, Resolve};

use self::counters::Counters;
use self::flight::Flight;

pub use counters::SendCounts;
pub use uses::WebhookDelivery;

pub(super) use claim::DISABLED;

/// How often a running sender looks for what other processes have written, or has become due. The look reads a few
/// entries of an index for each endpoint.
const POLL: Duration = Duration::from_millis(250);

/// How long to wait after the database has failed.
const RECOVERY: Duration = Duration::from_secs(1);

/// How long requests in flight may take when the process stops.
const STOP_PATIENCE: Duration = Duration::from_secs(4);

/// Why nothing could be sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The database failed.
    #[error("the database failed")]
    Db(#[from] DbError),
    /// Connections cannot be prepared.
    #[error("{0}")]
    Setup(String),
}

/// The sender of one program. Cloning gives the same one.
#[derive(Clone, Default)]
pub struct Sender(Arc<Inner>);

#[derive(Default)]
struct Inner {
    connector: OnceLock<Connector>,
    /// What tests resolve names with.
    resolver: OnceLock<Arc<dyn Resolve>>,
    is_running: AtomicBool,
    wake: Notify,
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
    pub(super) fn connector(&self, config: &WebhooksConfig) -> Result<&Connector, SendError> {
        if let Some(connector) = self.0.connector.get() {
            return Ok(connector);
        }
        let made = Connector::new(config, self.0.resolver.get()).map_err(SendError::Setup)?;
        Ok(self.0.connector.get_or_init(|| made))
    }

    fn flight<'a>(&'a self, uses: &'a WebhookDelivery) -> Result<Flight<'a>, SendError> {
        let connector = self.connector(&uses.config.webhooks)?;
        Ok(Flight::new(uses, connector, &self.0.counters))
    }

    /// Whether this process sends in the background.
    pub(crate) fn is_running(&self) -> bool {
        self.0.is_running.load(Ordering::Acquire)
    }

    /// Has the sender in the background look at once.
    pub(crate) fn wake(&self) {
        self.0.wake.notify_one();
    }

    /// Sends all that is due now, and returns how many deliveries arrived.
    pub async fn run_due(&self, uses: &WebhookDelivery) -> Result<usize, SendError> {
        let mut flight = self.flight(uses)?;
        loop {
            flight.turn().await?;
            if flight.is_empty() {
                return Ok(flight.delivered());
            }
            flight.settle_next().await;
        }
    }

    /// Sends in the background until `stop` is cancelled; then waits a moment for what is in flight, and gives the
    /// leases of the rest back.
    pub async fn run(&self, uses: &WebhookDelivery, stop: &CancellationToken) {
        let mut flight = match self.flight(uses) {
            Ok(flight) => flight,
            Err(error) => {
                tracing::error!(error = &error as &dyn std::error::Error, "webhooks are not sent");
                return;
            }
        };
        self.0.is_running.store(true, Ordering::Release);
        let mut committed = uses.events.sender().waiter();
        while !stop.is_cancelled() {
            let pause = match flight.turn().await {
                Ok(()) => POLL,
                Err(error) => {
                    tracing::error!(
                        error = &error as &dyn std::error::Error,
                        "webhooks could not be claimed or settled"
                    );
                    RECOVERY
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = flight.settle_next(), if !flight.is_empty() && pause == POLL => {}
                () = committed.woken(), if pause == POLL && flight.has_place() => {}
                () = self.0.wake.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
        self.0.is_running.store(false, Ordering::Release);
        flight.land(STOP_PATIENCE).await;
    }
}
