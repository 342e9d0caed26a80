//! The operator's wish to stop: SIGTERM and SIGINT.

use std::time::Duration;
use std::{fmt, io};

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{info, warn};

/// The exit code after a second signal, as a shell reports for a program that was interrupted: 128 + 2.
pub const ABORTED: u8 = 130;

/// A signal that asks the process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopSignal {
    /// SIGTERM, as service managers send it.
    Terminate,
    /// SIGINT, as Ctrl+C sends it.
    Interrupt,
}

impl fmt::Display for StopSignal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Terminate => "SIGTERM",
            Self::Interrupt => "SIGINT",
        })
    }
}

/// The signals that ask the process to end.
///
/// The first one stops the process in order: no new connections, requests in flight finish, leases are released, exit
/// code 0 (contract 1). A second one, of either kind, means that the operator no longer wants to wait: the process ends at
/// once with exit code [`ABORTED`]. That loses nothing that a crash would not lose as well, and a crash is survived.
///
/// ```no_run
/// # use stoa::shutdown::{ABORTED, StopSignals};
/// # use tokio_util::sync::CancellationToken;
/// # async fn serve(_stop: CancellationToken) {}
/// # async fn main_loop() -> std::io::Result<()> {
/// let signals = StopSignals::install()?;
/// let stop = CancellationToken::new();
/// tokio::select! {
///     () = serve(stop.clone()) => {}
///     _second = signals.relay(stop) => std::process::exit(ABORTED.into()),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct StopSignals {
    terminate: Stream,
    interrupt: Stream,
}

impl StopSignals {
    /// Takes the signals over from the system, which from now on no longer ends the process by itself.
    ///
    /// Install them before anything that must not be cut in half; signals that come before the first look are kept.
    pub fn install() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    /// Waits for the next signal.
    pub async fn next(&mut self) -> StopSignal {
        tokio::select! {
            Some(()) = self.terminate.recv() => StopSignal::Terminate,
            Some(()) = self.interrupt.recv() => StopSignal::Interrupt,
            // The streams end with the runtime only, and then nobody is left to be told.
            else => std::future::pending().await,
        }
    }

    /// Cancels `stop` at the first signal and returns at the second.
    pub async fn relay(mut self, stop: CancellationToken) -> StopSignal {
        let first = self.next().await;
        info!(signal = %first, "stopping; a second signal ends the process at once");
        stop.cancel();
        let second = self.next().await;
        warn!(signal = %second, "ending at once without waiting for requests in flight");
        second
    }

    /// Does so beside whatever goes on, and ends the process at the second signal: the operator does not want to wait.
    pub fn watch(self, stop: CancellationToken) -> JoinHandle<()> {
        tokio::spawn(async move {
            self.relay(stop).await;
            std::process::exit(i32::from(ABORTED));
        })
    }
}

/// Tells all tasks to stop, and waits for them so long at most.
pub(crate) async fn stop_tasks(stop: &CancellationToken, tracker: &TaskTracker, limit: Duration) {
    stop.cancel();
    tracker.close();
    if tokio::time::timeout(limit, tracker.wait()).await.is_err() {
        warn!("some tasks did not stop in time");
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn send(name: &str) {
        let status = Command::new("kill").args([name, &std::process::id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    async fn within<F: IntoFuture>(future: F) -> F::Output {
        tokio::time::timeout(Duration::from_secs(10), future).await.expect("no signal within 10 seconds")
    }

    // One test, because a signal reaches every test of the process.
    #[tokio::test]
    async fn first_signal_stops_in_order_and_the_second_ends_at_once() {
        let mut signals = StopSignals::install().unwrap();
        send("-TERM");
        assert_eq!(within(signals.next()).await, StopSignal::Terminate);
        let stop = CancellationToken::new();
        let relayed = tokio::spawn(signals.relay(stop.clone()));
        send("-INT");
        within(stop.cancelled()).await;
        assert!(!relayed.is_finished());
        send("-TERM");
        assert_eq!(within(relayed).await.unwrap(), StopSignal::Terminate);
    }
}
