//! How far something is that takes longer than a moment: a line that is rewritten on a terminal, elsewhere a line now and then.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// How often it is told where lines stay.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// How often a terminal shows it anew.
const TICK: Duration = Duration::from_millis(200);

/// What is being done, how much of it is done, and how much there is; told until this is dropped.
pub struct Progress {
    bar: ProgressBar,
    teller: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Begins to tell on standard error.
    pub fn begin(what: &str) -> Self {
        if stderr().is_terminal() {
            let progress = Self { bar: ProgressBar::no_length(), teller: None };
            progress.bar.enable_steady_tick(TICK);
            progress.step(what, None);
            return progress;
        }
        Self::in_lines(what, NOW_AND_THEN, |line| {
            // Nothing is lost with a line that nobody reads.
            let _ = writeln!(stderr(), "stoa: {line}");
        })
    }

    fn in_lines(what: &str, every: Duration, tell: impl Fn(String) + Send + 'static) -> Self {
        let bar = ProgressBar::hidden();
        let (stop, stopped) = channel::<()>();
        let told = bar.clone();
        let teller = spawn(move || {
            while stopped.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
                let done =
                    told.length().map_or_else(String::new, |length| format!(", {} of {length}", told.position()));
                tell(format!("{}{done}", told.message()));
            }
        });
        let progress = Self { bar, teller: Some((stop, teller)) };
        progress.step(what, None);
        progress
    }

    /// Something else is done from now on, of which there is so much, if that is known.
    pub fn step(&self, what: impl Display, total: Option<u64>) {
        let template = if let Some(total) = total {
            self.bar.set_length(total);
            "{msg}  {bar:20} {pos} of {len}  {eta} left"
        } else {
            self.bar.unset_length();
            "{msg}  {elapsed}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.reset();
        self.bar.set_message(what.to_string());
    }

    /// So much is done.
    pub fn reach(&self, done: u64) {
        self.bar.set_position(done);
    }

    /// So much more is done.
    pub fn advance(&self, more: u64) {
        self.bar.inc(more);
    }

    /// A line that stays, above what is rewritten.
    pub fn remark(&self, line: &str) {
        self.bar.suspend(|| {
            let _ = writeln!(stderr(), "{line}");
        });
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((stop, teller)) = self.teller.take() {
            drop(stop);
            let _ = teller.join();
        }
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_lines_stay_one_tells_now_and_then_how_far_it_is() {
        let (tell, told) = channel();
        let progress = Progress::in_lines("looking", Duration::from_millis(1), move |line| {
            let _ = tell.send(line);
        });
        assert_eq!(told.recv().as_deref(), Ok("looking"));
        progress.step("copying files", Some(12));
        progress.advance(5);
        assert!(told.iter().any(|line| line == "copying files, 5 of 12"));
        progress.reach(12);
        assert!(told.iter().any(|line| line == "copying files, 12 of 12"));
        drop(progress);
        assert_eq!(told.iter().find(|line| line != "copying files, 12 of 12"), None, "it ends with what it tells of");
    }
}
