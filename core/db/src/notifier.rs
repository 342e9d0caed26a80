//! Waking those of this process who work on what a commit has left them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// Whoever was woken is woken again after this time at the earliest: a shop that takes hundreds of orders a second would else
/// be busy with looking for what there is to do. After a pause the first commit wakes at once.
const INTERVAL: Duration = Duration::from_millis(10);

/// What a commit notifies when it has left work for somebody.
#[derive(Debug, Default)]
pub struct Notifier(watch::Sender<()>);

impl Notifier {
    /// Wakes all who wait.
    pub fn notify(&self) {
        self.0.send_replace(());
    }

    /// Hears of what is notified from now on.
    pub fn subscribe(&self) -> Subscription {
        Subscription { changes: self.0.subscribe(), not_before: None }
    }
}

/// Notifiers of a transaction, each of them once.
#[derive(Debug, Default)]
pub struct Notifiers(Vec<Arc<Notifier>>);

impl Notifiers {
    /// Adds one, unless it is among them.
    pub fn add(&mut self, notifier: &Arc<Notifier>) {
        if !self.0.iter().any(|known| Arc::ptr_eq(known, notifier)) {
            self.0.push(Arc::clone(notifier));
        }
    }

    /// Adds those of others that are not among them.
    pub fn add_all(&mut self, others: &Self) {
        for notifier in &others.0 {
            self.add(notifier);
        }
    }

    /// Notifies them.
    pub fn notify(&self) {
        for notifier in &self.0 {
            notifier.notify();
        }
    }
}

/// Waits for a notifier, without missing a notification.
pub struct Subscription {
    changes: watch::Receiver<()>,
    not_before: Option<Instant>,
}

impl Subscription {
    /// Waits until there was a notification since the last call. Whoever stops waiting misses nothing.
    pub async fn notified(&mut self) {
        if let Some(time) = self.not_before {
            sleep_until(time).await;
        }
        if self.changes.changed().await.is_err() {
            // Nobody is left who could notify.
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
    async fn a_notifier_that_notifies_all_the_time_wakes_now_and_then_and_its_last_notification_is_not_missed() {
        let notifier = Notifier::default();
        let mut subscription = notifier.subscribe();
        assert!(subscription.notified().now_or_never().is_none(), "nothing was notified");
        notifier.notify();
        let start = Instant::now();
        assert!(subscription.notified().now_or_never().is_some(), "the first notification wakes at once");
        for _ in 0..3 {
            notifier.notify();
        }
        // Whoever stops waiting misses nothing.
        if subscription.notified().now_or_never().is_none() {
            timeout(PATIENCE, subscription.notified()).await.expect("it was notified");
        }
        assert!(start.elapsed() >= INTERVAL, "{:?}", start.elapsed());
        sleep_until(Instant::now() + INTERVAL * 2).await;
        assert!(subscription.notified().now_or_never().is_none(), "nothing was notified since");
    }
}
