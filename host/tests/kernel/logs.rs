//! What this process logs, for tests that look for lines of their own.

use std::io::Write;
use std::sync::{Mutex, Once, PoisonError};

use tracing_subscriber::filter::LevelFilter;

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps what is logged from now on.
pub(crate) fn keep() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let logs = tracing_subscriber::fmt().with_max_level(LevelFilter::INFO).with_ansi(false).with_writer(|| Lines);
        logs.init();
    });
}

/// The lines with this text. Other tests log too, so it must be the test's own.
pub(crate) fn with(text: &str) -> Vec<String> {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    let lines = String::from_utf8_lossy(&lines);
    lines.lines().filter(|line| line.contains(text)).map(str::to_owned).collect()
}
