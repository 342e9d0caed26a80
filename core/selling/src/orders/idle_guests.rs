//! Guests who bought nothing are forgotten.

use chrono::TimeDelta;

use stoa_kernel::retention::Expired;

use super::queries;

/// How long a guest is kept who has bought nothing; longer than any session or token of one is used.
const KEPT: TimeDelta = TimeDelta::days(60);

/// What need not be kept for ever. Whatever refers to a guest goes before the guest.
pub(super) const EXPIRED: &[Expired] = &[
    Expired {
        what: "addresses of guests who bought nothing",
        delete: queries::PRUNE_ADDRESSES_OF_IDLE_GUESTS,
        before: |_, now| now - KEPT,
    },
    Expired { what: "guests who bought nothing", delete: queries::PRUNE_IDLE_GUESTS, before: |_, now| now - KEPT },
    Expired { what: "users of such guests", delete: queries::PRUNE_USERS_OF_IDLE_GUESTS, before: |_, now| now - KEPT },
];
