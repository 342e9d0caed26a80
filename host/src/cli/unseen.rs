//! What is typed, not shown.

use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// Until it is dropped, the terminal shows nothing of what is typed.
pub(super) struct Unseen(Option<Termios>);

impl Unseen {
    pub(super) fn begin() -> Self {
        let Ok(before) = tcgetattr(std::io::stdin()) else { return Self(None) };
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        let is_silent = tcsetattr(std::io::stdin(), OptionalActions::Flush, &silent).is_ok();
        Self(is_silent.then_some(before))
    }
}

impl Drop for Unseen {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // A terminal that is gone needs nothing.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Flush, before);
        }
    }
}
