//! One hash, which gives way to everything else.
//!
//! A flood of wrong passwords otherwise takes the core for a slice of the scheduler at a time, and answers wait for it. So
//! a hash gets what nobody else wants. That can be nothing at all: one that is not done in time is begun a second time in a
//! thread of its own that gets a little, and whichever is done first answers. Starting a thread costs a thousandth of a hash.

use std::io;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::PasswordError;
use super::leftovers::Leftovers;
use super::priority::Priority;
use crate::fair_queue::QueuePermit;

/// A hash that takes less holds nobody up.
const SLICE: Duration = Duration::from_millis(2);

/// How often its usual time a hash may take before it is begun again.
const TIMES: u32 = 10;

/// After one hash got no time, so long are others not left to what nobody wants.
const RESPITE: Duration = Duration::from_secs(10);

/// Starts hashes, and knows whether the core has time for them.
pub(super) struct Attempts {
    /// How long a hash may take before it is begun again; nothing where hashes need not give way.
    patience: Option<Duration>,
    /// Until when the core is taken to have no time left over.
    busy: Mutex<Option<Instant>>,
    leftovers: Leftovers,
}

impl Attempts {
    /// For hashes that take `usual`, with the core to themselves, and so many of them at once.
    pub(super) fn new(usual: Duration, concurrent: usize) -> Arc<Self> {
        let gives_way = cfg!(target_os = "linux") && usual > SLICE;
        let patience = (usual * TIMES).clamp(Duration::from_millis(500), Duration::from_secs(5));
        let leftovers = Leftovers::new(concurrent);
        Arc::new(Self { patience: gives_way.then_some(patience), busy: Mutex::default(), leftovers })
    }

    /// Does the work in a thread, and keeps the permit until it is done.
    ///
    /// Work that panics gives its permit back and is [interrupted](PasswordError::Interrupted).
    pub(super) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        permit: QueuePermit,
        work: impl Fn() -> Result<T, PasswordError> + Send + Sync + 'static,
    ) -> Result<T, PasswordError> {
        let (answer, answered) = oneshot::channel();
        let attempt = Arc::new(Attempt { work, pending: Mutex::new(Some(PendingHash { answer, permit })) });
        let priority = self.priority(Instant::now());
        self.begin(&attempt, priority).map_err(PasswordError::Thread)?;
        if let (Priority::Leftover, Some(patience)) = (priority, self.patience) {
            // Not by whoever waits, who may hang up: the permit has to come back all the same.
            tokio::spawn(Arc::clone(self).watch(Arc::downgrade(&attempt), patience));
        }
        drop(attempt);
        answered.await.map_err(|_| PasswordError::Interrupted)?
    }

    fn priority(&self, now: Instant) -> Priority {
        let Some(_) = self.patience else { return Priority::Usual };
        let busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.is_some_and(|until| now < until) { Priority::Little } else { Priority::Leftover }
    }

    fn begin<T: Send + 'static, F>(&self, attempt: &Arc<Attempt<T, F>>, priority: Priority) -> io::Result<()>
    where
        F: Fn() -> Result<T, PasswordError> + Send + Sync + 'static,
    {
        let attempt = Arc::clone(attempt);
        if priority == Priority::Leftover {
            return self.leftovers.give(move || attempt.make());
        }
        let hashing = move || {
            priority.apply();
            attempt.make();
        };
        thread::Builder::new().name(String::from("password")).spawn(hashing).map(drop)
    }

    /// Begins an attempt again that is not done in time.
    async fn watch<T: Send + 'static, F>(self: Arc<Self>, attempt: Weak<Attempt<T, F>>, patience: Duration)
    where
        F: Fn() -> Result<T, PasswordError> + Send + Sync + 'static,
    {
        tokio::time::sleep(patience).await;
        let Some(attempt) = attempt.upgrade().filter(|attempt| attempt.is_waited_for()) else { return };
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + RESPITE);
        if let Err(error) = self.begin(&attempt, Priority::Little) {
            tracing::warn!(%error, "a password waits for a core that has no time to hash it");
        }
    }
}

/// Work that one or two threads do.
struct Attempt<T, F> {
    work: F,
    /// Taken by the thread that is done first.
    pending: Mutex<Option<PendingHash<T>>>,
}

/// Who waits for the outcome, and the permit that it takes until then.
struct PendingHash<T> {
    answer: oneshot::Sender<Result<T, PasswordError>>,
    permit: QueuePermit,
}

impl<T: Send + 'static, F: Fn() -> Result<T, PasswordError> + Send + Sync + 'static> Attempt<T, F> {
    /// Does the work. A panic leaves it undone, and with the last thread that has it goes what was waiting.
    fn make(&self) {
        let outcome = (self.work)();
        let pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(PendingHash { answer, permit }) = pending {
            drop(permit);
            // Nobody may be waiting any more.
            drop(answer.send(outcome));
        }
    }

    fn is_waited_for(&self) -> bool {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    use std::net::{IpAddr, Ipv4Addr};

    use super::*;
    use crate::fair_queue::FairQueue;

    const LONG: Duration = Duration::from_millis(30);

    /// Begins again at once what is not done at once.
    #[cfg(target_os = "linux")]
    fn impatient() -> Arc<Attempts> {
        Arc::new(Attempts { patience: Some(Duration::ZERO), busy: Mutex::default(), leftovers: Leftovers::new(1) })
    }

    fn one_permit() -> FairQueue {
        FairQueue::new(1, 1)
    }

    async fn permit(queue: &FairQueue) -> QueuePermit {
        queue.acquire(IpAddr::V4(Ipv4Addr::LOCALHOST)).await.expect("nobody else waits")
    }

    #[tokio::test]
    async fn a_panic_gives_its_place_back() {
        let queue = one_permit();
        let attempts = Attempts::new(LONG, 1);
        let panicked = attempts.run::<()>(permit(&queue).await, || panic!("on purpose")).await;
        assert!(matches!(panicked, Err(PasswordError::Interrupted)));
        attempts.run(permit(&queue).await, || Ok(())).await.expect("there is a permit");
    }

    #[test]
    fn only_a_hash_that_holds_others_up_gives_way() {
        let now = Instant::now();
        assert_eq!(Attempts::new(SLICE, 1).priority(now), Priority::Usual);
        let expected = if cfg!(target_os = "linux") { Priority::Leftover } else { Priority::Usual };
        assert_eq!(Attempts::new(LONG, 1).priority(now), expected);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_hash_that_gets_no_time_is_begun_again_and_those_after_it_get_some_for_a_while() {
        let queue = one_permit();
        let attempts = impatient();
        let begun = AtomicU32::new(0);
        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let work = move || {
            let number = begun.fetch_add(1, Ordering::SeqCst);
            if number == 0 {
                // It ends after the other: that its outcome comes too late is what this shows.
                assert!(held.lock().expect("nobody panics").recv().is_err(), "nothing is sent");
            }
            Ok(number)
        };
        assert_eq!(attempts.run(permit(&queue).await, work).await.expect("it is done"), 1);
        // It is free though the first thread is not done.
        drop(permit(&queue).await);
        let now = Instant::now();
        assert_eq!(attempts.priority(now), Priority::Little);
        assert_eq!(attempts.priority(now + RESPITE), Priority::Leftover);
        drop(release);
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn whoever_hangs_up_leaves_no_place_taken() {
        let queue = one_permit();
        let attempts = impatient();
        let begun = AtomicU32::new(0);
        let (release, held) = mpsc::channel::<()>();
        let held = Mutex::new(held);
        let work = move || {
            if begun.fetch_add(1, Ordering::SeqCst) == 0 {
                assert!(held.lock().expect("nobody panics").recv().is_err(), "nothing is sent");
            }
            Ok(())
        };
        {
            let mut waiting = Box::pin(attempts.run(permit(&queue).await, work));
            assert!(futures_util::poll!(&mut waiting).is_pending());
        }
        drop(permit(&queue).await);
        drop(release);
    }
}
