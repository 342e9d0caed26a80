//! What providers tell by themselves (S4.6): verified on the raw body, kept once, and applied like every other report.

mod apply;
mod inbox;
mod listing;
mod queries;
mod receive;
mod retry;
mod route;

use chrono::TimeDelta;

pub use listing::{
    CallbackRecord, CallbackSearch, CallbackState, callbacks_of, count_callbacks, find_callback, list_callbacks,
    notification_of, search_callbacks,
};
pub use retry::{RetryCallbackError, retry_callback};

pub(super) use retry::{CALLBACKS, LookAgain, LookAgainAtCallbacks};
pub(super) use route::{CallbackRoute, callback_routes};

use stoa_kernel::retention::Expired;

/// How long it is known that a message came, longer than any provider repeats one.
const KEPT: TimeDelta = TimeDelta::days(400);

/// What this feature need not keep for ever.
pub(crate) const EXPIRED: &[Expired] =
    &[Expired { what: "old payment callbacks", delete: queries::PRUNE, before: |_, now| now - KEPT }];
