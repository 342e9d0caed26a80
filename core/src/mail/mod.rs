//! Outgoing mail: written in the transaction of the change it tells about, sent after the commit.
//!
//! A message is delivered at least once. It is deleted after the mail server has taken it over, so a crash in between
//! sends it again, under the same `Message-ID`; it is never lost. Without a mail server in the configuration, nothing
//! is written.

mod compose;
mod delivery;
mod job;
mod queries;
mod queue;
mod server;

pub use delivery::{Delivery, DeliveryError};

pub(crate) use job::DeliverMail;
pub(crate) use queue::{Attachment, MAX_ATTACHMENT, NewMessage, WrittenMessage, is_configured, queue, queue_once};

use chrono::TimeDelta;

use crate::customers::CustomerAnonymizing;
use crate::module::ModuleContext;
use crate::retention::Expired;

/// How long messages that could not be delivered are kept for the operator.
const KEEP_FAILED: TimeDelta = TimeDelta::days(30);

/// How long is remembered what was written about. Events are delivered again within hours, or when the operator says so.
const KEEP_KEYS: TimeDelta = TimeDelta::days(365);

/// The listeners of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<CustomerAnonymizing>("mail.erase", queue::EraseMessages);
}

/// What this feature need not keep for ever.
pub(crate) const EXPIRED: &[Expired] = &[
    Expired { what: "mails that could not be delivered", delete: queries::PRUNE, before: |_, now| now - KEEP_FAILED },
    Expired { what: "keys of mails", delete: queries::PRUNE_KEYS, before: |_, now| now - KEEP_KEYS },
];
