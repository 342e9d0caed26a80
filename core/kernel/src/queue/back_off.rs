//! When work that has failed is tried again.

use chrono::TimeDelta;

/// The waits after each failed attempt. After the last one the work is given up, and the operator is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff(&'static [i64]);

impl BackOff {
    /// What listeners, and whatever has no reason to do otherwise, wait: it ends after eleven hours.
    pub const USUAL: Self = Self::minutes(&[1, 2, 5, 15, 30, 60, 180, 360]);

    /// So many minutes after each attempt.
    pub const fn minutes(minutes: &'static [i64]) -> Self {
        Self(minutes)
    }

    /// How long to wait after this many attempts; none when that was the last one.
    pub(super) fn after(self, attempts: i64) -> Option<TimeDelta> {
        let index = usize::try_from(attempts).ok()?.saturating_sub(1);
        self.0.get(index).copied().map(TimeDelta::minutes)
    }

    /// Whether this many attempts are more than there are, because whoever made the last one has died over it.
    pub(super) fn is_exceeded(self, attempts: i64) -> bool {
        usize::try_from(attempts).is_ok_and(|attempts| attempts > self.0.len() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_wait_after_each_attempt_but_the_last() {
        let back_off = BackOff::minutes(&[1, 5]);
        let waits = (1..=4).map(|attempts| back_off.after(attempts)).collect::<Vec<_>>();
        assert_eq!(waits, [Some(TimeDelta::minutes(1)), Some(TimeDelta::minutes(5)), None, None]);
        assert_eq!([3, 4].map(|attempts| back_off.is_exceeded(attempts)), [false, true]);
    }
}
