//! Whether a download can be had.

use chrono::{DateTime, Utc};
use stoa_core::prelude::*;

/// What a grant says about itself.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct GrantState {
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
    /// Whether the money of its unit went back, or is on its way; left out where the unit itself is asked.
    #[sqlx(default)]
    pub(crate) refunded: bool,
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
            Refusal::Revoked => text!("downloads-revoked"),
            Refusal::Suspended => text!("downloads-suspended"),
            Refusal::Expired => text!("downloads-expired"),
            Refusal::UsedUp => text!("downloads-used-up"),
        };
        Self::conflict(message, refusal.as_str())
    }
}

impl GrantState {
    /// Whether all downloads are used up.
    pub(crate) fn is_used_up(&self) -> bool {
        self.download_limit.is_some_and(|limit| self.download_count >= limit)
    }

    /// Why nothing of it can be had at this time, whatever is left of its downloads.
    pub(crate) fn withheld(&self, now: DateTime<Utc>) -> Option<Refusal> {
        if self.revoked_at.is_some() || self.refunded {
            return Some(Refusal::Revoked);
        }
        if self.suspended_at.is_some() {
            return Some(Refusal::Suspended);
        }
        self.expires_at.is_some_and(|end| end <= now).then_some(Refusal::Expired)
    }

    /// Why the file cannot be downloaded now, if it cannot.
    pub(crate) fn refusal(&self, now: DateTime<Utc>) -> Option<Refusal> {
        self.withheld(now).or_else(|| self.is_used_up().then_some(Refusal::UsedUp))
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    const NOW: DateTime<Utc> = DateTime::UNIX_EPOCH;

    #[test]
    fn what_is_withheld_is_refused_whatever_is_left_of_it() {
        let fresh = GrantState {
            download_limit: Some(2),
            download_count: 1,
            expires_at: Some(NOW + TimeDelta::seconds(1)),
            counted_at: None,
            completed_at: None,
            suspended_at: None,
            revoked_at: None,
            refunded: false,
        };
        assert_eq!(fresh.refusal(NOW), None);
        for (standing, refusal) in [
            (GrantState { revoked_at: Some(NOW), ..fresh.clone() }, Refusal::Revoked),
            (GrantState { refunded: true, ..fresh.clone() }, Refusal::Revoked),
            (GrantState { suspended_at: Some(NOW), ..fresh.clone() }, Refusal::Suspended),
            (GrantState { expires_at: Some(NOW), ..fresh.clone() }, Refusal::Expired),
        ] {
            assert_eq!((standing.withheld(NOW), standing.refusal(NOW)), (Some(refusal), Some(refusal)));
        }
        let used_up = GrantState { download_count: 2, ..fresh };
        assert_eq!((used_up.withheld(NOW), used_up.refusal(NOW)), (None, Some(Refusal::UsedUp)));
    }
}
