//! When work that has failed is tried again.

use chrono::TimeDelta;

/// The waits after each failed attempt. After the last one the work is given up, and the operator is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackOff {
    minutes: &'static [i64],
    is_endless: bool,
}

impl BackOff {
    /// What listeners, and whatever has no reason to do otherwise, wait: it ends after eleven hours.
    pub const USUAL: Self = Self::minutes(&[1, 2, 5, 15, 30, 60, 180, 360]);

    /// So many minutes after each attempt.
    pub const fn minutes(minutes: &'static [i64]) -> Self {
        Self { minutes, is_endless: false }
    }

    /// The same, but the last wait is repeated, and the work never given up.
    #[must_use]
    pub const fn endless(self) -> Self {
        Self { is_endless: true, ..self }
    }

    /// How long to wait after this many attempts; none when that was the last one.
    pub(super) fn after(self, attempts: i64) -> Option<TimeDelta> {
        let index = usize::try_from(attempts).ok()?.saturating_sub(1);
        let last = self.minutes.last().filter(|_| self.is_endless);
        self.minutes.get(index).or(last).copied().map(TimeDelta::minutes)
    }

    /// Whether this many attempts are more than there are, because whoever made the last one has died over it.
    pub(super) fn is_exceeded(self, attempts: i64) -> bool {
        usize::try_from(attempts).is_ok_and(|attempts| !self.is_endless && attempts > self.minutes.len() + 1)
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

    #[test]
    fn what_is_endless_repeats_its_last_wait() {
        let back_off = BackOff::minutes(&[1, 5]).endless();
        let waits = (1..=4).map(|attempts| back_off.after(attempts)).collect::<Vec<_>>();
        assert_eq!(waits, [1, 5, 5, 5].map(|minutes| Some(TimeDelta::minutes(minutes))));
        assert!(!back_off.is_exceeded(1_000));
    }
}
