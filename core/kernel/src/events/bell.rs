//! Waking those of this process who work on what a commit has left them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Whoever was woken is woken again after this time at the earliest: a shop that takes hundreds of orders a second would else
/// be busy with looking for what there is to do. After a pause the first commit wakes at once.
const INTERVAL: Duration = Duration::from_millis(10);

/// What a commit rings when it has left work for somebody.
#[derive(Debug, Default)]
pub(crate) struct Bell(watch::Sender<()>);

impl Bell {
    /// Wakes all who wait.
    pub(crate) fn ring(&self) {
        self.0.send_replace(());
    }

    /// Waits for it to ring from now on.
    pub(crate) fn waiter(&self) -> Waiter {
        Waiter { rung: self.0.subscribe(), not_before: None }
    }
}

/// Bells that are to be rung, each of them once.
#[derive(Debug, Default)]
pub(crate) struct Bells(Vec<Arc<Bell>>);

impl Bells {
    /// Adds one, unless it is among them.
    pub(crate) fn add(&mut self, bell: &Arc<Bell>) {
        if !self.0.iter().any(|known| Arc::ptr_eq(known, bell)) {
            self.0.push(Arc::clone(bell));
        }
    }

    /// Adds those of others that are not among them.
    pub(crate) fn add_all(&mut self, others: &Self) {
        for bell in &others.0 {
            self.add(bell);
        }
    }

    /// Rings them.
    pub(crate) fn ring(&self) {
        for bell in &self.0 {
            bell.ring();
        }
    }
}

/// Waits for a bell, without missing that it rang.
pub(crate) struct Waiter {
    rung: watch::Receiver<()>,
    not_before: Option<Instant>,
}

impl Waiter {
    /// Waits until the bell has rung since the last call. Whoever stops waiting misses nothing.
    pub(crate) async fn woken(&mut self) {
        if let Some(time) = self.not_before {
            sleep_until(time).await;
        }
        if self.rung.changed().await.is_err() {
            // Nobody is left who could ring.
            std::future::pending::<()>().await;
        }
        self.not_before = Some(Instant::now() + INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;
    use tokio::time::timeout;

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(5);

    #[tokio::test]
    async fn a_bell_that_rings_all_the_time_wakes_now_and_then_and_its_last_ring_is_not_missed() {
        let bell = Bell::default();
        let mut waiter = bell.waiter();
        assert!(waiter.woken().now_or_never().is_none(), "it has not rung");
        bell.ring();
        let start = Instant::now();
        assert!(waiter.woken().now_or_never().is_some(), "the first ring wakes at once");
        for _ in 0..3 {
            bell.ring();
        }
        // Whoever stops waiting misses nothing.
        if waiter.woken().now_or_never().is_none() {
            timeout(PATIENCE, waiter.woken()).await.expect("it has rung");
        }
        assert!(start.elapsed() >= INTERVAL, "{:?}", start.elapsed());
        sleep_until(Instant::now() + INTERVAL * 2).await;
        assert!(waiter.woken().now_or_never().is_none(), "it has not rung since");
    }
}
