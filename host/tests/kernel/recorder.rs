//! What happened inside listeners, jobs and handlers, which cannot reach a test's own variables.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;

/// How long a test waits for something that happens at once.
const PATIENCE: Duration = Duration::from_secs(20);

static RECORDERS: LazyLock<Mutex<HashMap<u64, Recorder>>> = LazyLock::new(Mutex::default);

/// Records what happened in one test. Events and requests carry its number, by which others find it.
#[derive(Clone)]
pub(crate) struct Recorder {
    number: u64,
    lines: Arc<Mutex<Vec<String>>>,
    arrived: Arc<Semaphore>,
    gate: Arc<Semaphore>,
    left: Arc<Semaphore>,
}

impl Recorder {
    /// A recorder that belongs to one test.
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let recorder = Self {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            lines: Arc::default(),
            arrived: Arc::new(Semaphore::new(0)),
            gate: Arc::new(Semaphore::new(0)),
            left: Arc::new(Semaphore::new(0)),
        };
        recorders().insert(recorder.number, recorder.clone());
        recorder
    }

    /// The recorder with this number.
    pub(crate) fn of(number: u64) -> Self {
        recorders().get(&number).cloned().expect("the test has made its recorder")
    }

    /// The number, to be put into events and requests.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Writes a line.
    pub(crate) fn note(&self, line: impl Into<String>) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.into());
    }

    /// All lines so far.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stops whoever calls it until the test opens the gate.
    pub(crate) async fn pass_gate(&self) {
        self.arrived.add_permits(1);
        self.gate.acquire().await.expect("the gate is never closed for good").forget();
        self.left.add_permits(1);
    }

    /// Waits until somebody stands at the gate.
    pub(crate) async fn somebody_arrived(&self) {
        wait(&self.arrived).await;
    }

    /// Lets one pass the gate.
    pub(crate) fn open_gate(&self) {
        self.gate.add_permits(1);
    }

    /// Waits until somebody has passed the gate.
    pub(crate) async fn somebody_left(&self) {
        wait(&self.left).await;
    }
}

async fn wait(semaphore: &Semaphore) {
    let permit = tokio::time::timeout(PATIENCE, semaphore.acquire()).await;
    permit.expect("it happens within the time").expect("it is never closed").forget();
}

fn recorders() -> std::sync::MutexGuard<'static, HashMap<u64, Recorder>> {
    RECORDERS.lock().unwrap_or_else(PoisonError::into_inner)
}
