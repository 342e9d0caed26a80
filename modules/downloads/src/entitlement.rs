//! Whether a transfer may start, and whether it counts as a download.
//!
//! What is asked for soon after a download was counted belongs to it: it is started again, or goes on after an
//! interruption. Everything else is a download of its own, wherever its range begins, so that nobody gets around the limit
//! by leaving out the first byte.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

use crate::config::Config;

/// What a grant says about itself.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Standing {
    /// Downloads in all; none for any number.
    pub(crate) download_limit: Option<i64>,
    /// Downloads that were counted.
    pub(crate) download_count: i64,
    /// When it ends; none for never.
    pub(crate) expires_at: Option<DateTime<Utc>>,
    /// When a download was last counted.
    pub(crate) counted_at: Option<DateTime<Utc>>,
    /// When the end of the file was sent after that.
    pub(crate) completed_at: Option<DateTime<Utc>>,
    /// Since when it must not be used for the time being.
    pub(crate) suspended_at: Option<DateTime<Utc>>,
    /// When it was taken back.
    pub(crate) revoked_at: Option<DateTime<Utc>>,
}

/// What a transfer that may start costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Charge {
    /// It is a download of its own.
    Counted,
    /// It goes on with one that was counted, or starts that one again.
    Free,
}

/// Why a transfer may not start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The grant was taken back.
    Revoked,
    /// What it belongs to is not paid for at the moment.
    Suspended,
    /// Its time is over.
    Expired,
    /// All its downloads are used up.
    UsedUp,
}

impl Refusal {
    /// The stable word of the API.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Revoked => "revoked",
            Self::Suspended => "suspended",
            Self::Expired => "expired",
            Self::UsedUp => "used_up",
        }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let message = match refusal {
            Refusal::Revoked => Message::custom(
                "This download was withdrawn.",
                "Dieser Download wurde zurückgenommen.",
                "Deze download is ingetrokken.",
            ),
            Refusal::Suspended => Message::custom(
                "This download is suspended.",
                "Dieser Download ist ausgesetzt.",
                "Deze download is opgeschort.",
            ),
            Refusal::Expired => Message::custom(
                "The time for this download is over.",
                "Die Zeit für diesen Download ist abgelaufen.",
                "De tijd voor deze download is verstreken.",
            ),
            Refusal::UsedUp => Message::custom(
                "This download was used as often as it can be.",
                "Dieser Download wurde so oft genutzt, wie es möglich ist.",
                "Deze download is zo vaak gebruikt als mogelijk is.",
            ),
        };
        Self::conflict(message, refusal.as_str())
    }
}

impl Standing {
    /// Whether all downloads are used up.
    pub(crate) fn is_used_up(&self) -> bool {
        self.download_limit.is_some_and(|limit| self.download_count >= limit)
    }

    /// What a transfer from `first_byte` on costs at this time. The statement that counts says the same.
    pub(crate) fn charge(&self, first_byte: u64, config: &Config, now: DateTime<Utc>) -> Result<Charge, Refusal> {
        if self.revoked_at.is_some() {
            return Err(Refusal::Revoked);
        }
        if self.suspended_at.is_some() {
            return Err(Refusal::Suspended);
        }
        if self.expires_at.is_some_and(|end| end <= now) {
            return Err(Refusal::Expired);
        }
        let counted_after = |time: DateTime<Utc>| self.counted_at.is_some_and(|counted| counted > time);
        if counted_after(now - config.window()) {
            // Whoever has the whole file and no download left does not get it once more.
            let again = first_byte == 0 && self.completed_at.is_some();
            return if again && self.is_used_up() { Err(Refusal::UsedUp) } else { Ok(Charge::Free) };
        }
        if first_byte > 0 && self.completed_at.is_none() && counted_after(now - config.resuming()) {
            return Ok(Charge::Free);
        }
        if self.is_used_up() { Err(Refusal::UsedUp) } else { Ok(Charge::Counted) }
    }

    /// Why the file cannot be downloaded now, if it cannot.
    pub(crate) fn refusal(&self, config: &Config, now: DateTime<Utc>) -> Option<Refusal> {
        self.charge(0, config, now).err()
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    fn counted(limit: i64, count: i64, ago: TimeDelta, complete: Option<()>) -> Standing {
        Standing {
            download_limit: Some(limit),
            download_count: count,
            expires_at: None,
            counted_at: Some(NOW - ago),
            completed_at: complete.map(|()| NOW - ago),
            suspended_at: None,
            revoked_at: None,
        }
    }

    fn charge(standing: &Standing, first_byte: u64) -> Result<Charge, Refusal> {
        standing.charge(first_byte, &Config::default(), NOW)
    }

    #[test]
    fn the_first_transfer_counts_wherever_it_begins() {
        let fresh = Standing { counted_at: None, download_count: 0, ..counted(1, 0, TimeDelta::zero(), None) };
        assert_eq!(charge(&fresh, 0), Ok(Charge::Counted));
        assert_eq!(charge(&fresh, 1), Ok(Charge::Counted), "a range cannot get around the limit");
    }

    #[test]
    fn starting_again_within_the_hour_is_free_until_the_last_download_is_complete() {
        let minutes = TimeDelta::minutes(59);
        assert_eq!(charge(&counted(3, 1, minutes, Some(())), 0), Ok(Charge::Free));
        assert_eq!(charge(&counted(1, 1, minutes, None), 0), Ok(Charge::Free), "it was interrupted");
        assert_eq!(charge(&counted(1, 1, minutes, Some(())), 0), Err(Refusal::UsedUp));
        assert_eq!(charge(&counted(1, 1, minutes, Some(())), 7), Ok(Charge::Free), "parts come in any order");
        assert_eq!(charge(&counted(3, 1, TimeDelta::minutes(60), Some(())), 0), Ok(Charge::Counted));
        assert_eq!(charge(&counted(1, 1, TimeDelta::minutes(60), None), 0), Err(Refusal::UsedUp));
    }

    #[test]
    fn an_interrupted_transfer_goes_on_for_a_day() {
        assert_eq!(charge(&counted(1, 1, TimeDelta::hours(23), None), 7), Ok(Charge::Free));
        assert_eq!(charge(&counted(1, 1, TimeDelta::hours(24), None), 7), Err(Refusal::UsedUp));
        assert_eq!(charge(&counted(1, 1, TimeDelta::hours(2), Some(())), 7), Err(Refusal::UsedUp));
        assert_eq!(charge(&counted(2, 1, TimeDelta::hours(2), Some(())), 7), Ok(Charge::Counted));
    }

    #[test]
    fn what_is_revoked_or_expired_is_refused_even_in_the_middle() {
        let running = counted(3, 1, TimeDelta::minutes(1), None);
        let revoked = Standing { revoked_at: Some(NOW), ..running.clone() };
        assert_eq!(charge(&revoked, 7), Err(Refusal::Revoked));
        let suspended = Standing { suspended_at: Some(NOW), ..running.clone() };
        assert_eq!(charge(&suspended, 7), Err(Refusal::Suspended));
        let expired = Standing { expires_at: Some(NOW), ..running };
        assert_eq!(charge(&expired, 7), Err(Refusal::Expired), "the end is not included");
    }
}
