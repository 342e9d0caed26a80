//! Threads that hash with what nobody else wants of the core.
//!
//! They stay for as long as the shop runs: Linux takes the core from a thread of the lowest priority the moment that another
//! wakes up, but from one that was only just started for up to a tick of its clock later.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::{io, thread};

use super::priority::Priority;

type Work = Box<dyn FnOnce() + Send>;

/// A fixed number of threads, started with the first work that there is.
pub(super) struct Leftovers {
    threads: usize,
    /// None before the first work.
    queue: Mutex<Option<mpsc::Sender<Work>>>,
}

impl Leftovers {
    /// So many threads.
    pub(super) fn new(threads: usize) -> Self {
        Self { threads, queue: Mutex::default() }
    }

    /// Has a thread do the work as soon as one is free; whoever panics in it harms nobody else.
    pub(super) fn give(&self, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let started = match queue.take() {
            Some(started) => started,
            None => self.start()?,
        };
        let gone = |_| io::Error::other("the threads that hash passwords have ended");
        queue.insert(started).send(Box::new(work)).map_err(gone)
    }

    fn start(&self) -> io::Result<mpsc::Sender<Work>> {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..self.threads {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new().name(String::from("password")).spawn(move || work_off(&receiver))?;
        }
        Ok(sender)
    }
}

/// Works until nobody can give work any more.
fn work_off(queue: &Mutex<mpsc::Receiver<Work>>) {
    Priority::Leftover.apply();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        // The hook has told of the panic already, and whoever waits is told by what is dropped.
        drop(catch_unwind(AssertUnwindSafe(work)));
    }
}
