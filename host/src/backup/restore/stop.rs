//! The operator's wish to stop a restore, which is looked at wherever it takes long.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::backup::BackupError;
use crate::shutdown::StopSignals;

const STOPPED: &str = "the restore was stopped by a signal; the shop is as it was before";

/// Whether the operator wants a restore to stop. Cloning gives the same wish.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Is wished with the first signal that asks the process to end. Further ones change nothing: undoing takes no longer than
    /// ending at once and having it undone.
    pub(crate) fn on_signals() -> io::Result<Self> {
        let (stop, mut signals) = (Self::default(), StopSignals::install()?);
        let wish = stop.clone();
        tokio::spawn(async move {
            signals.next().await;
            wish.0.store(true, Ordering::Relaxed);
        });
        Ok(stop)
    }

    /// Fails once it is wished.
    pub(super) fn check(&self) -> Result<(), BackupError> {
        if self.0.load(Ordering::Relaxed) { Err(BackupError::new(STOPPED)) } else { Ok(()) }
    }

    /// Reads on until it is wished.
    pub(super) fn reading<'a>(&'a self, content: &'a mut dyn Read) -> impl Read + 'a {
        Reading { content, stop: self }
    }
}

struct Reading<'a> {
    content: &'a mut dyn Read,
    stop: &'a Stop,
}

impl Read for Reading<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stop.check().map_err(io::Error::other)?;
        self.content.read(buffer)
    }
}
