//! Outgoing mail: written in the transaction of the change it tells about, sent after the commit.
//!
//! A message is delivered at least once. It is deleted after the mail server has taken it over, so a crash in between
//! sends it again, under the same `Message-ID`; it is never lost. Without a mail server in the configuration, nothing
//! is written.
//!
//! Features and modules register texts of theirs, and tell customers with [`queue_notice`]:
//!
//! ```
//! use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, MailTexts, queue_notice};
//! use stoa_core::prelude::*;
//!
//! const READY: MailTemplate = MailTemplate {
//!     name: "tea_ready",
//!     about: MailAbout::Customer,
//!     placeholders: &["tea"],
//!     texts: MailTexts {
//!         en: "Subject: Your tea\n\nHello {name},\n\nyour {tea} is ready.\n",
//!         de: "Subject: Ihr Tee\n\nGuten Tag {name},\n\nIhr {tea} ist fertig.\n",
//!         nl: "Subject: Uw thee\n\nBeste {name},\n\nuw {tea} is klaar.\n",
//!     },
//! };
//!
//! async fn tell(tx: &mut Tx, services: &Services, customer_id: i64, cup_id: i64) -> Result<(), DbError> {
//!     let notice = MailNotice::new(&READY, customer_id, cup_id).line("tea", "Earl Grey");
//!     queue_notice(tx, services, &notice).await.map(drop)
//! }
//!
//! fn register(cx: &mut ModuleContext<'_>) {
//!     cx.mail_template(READY);
//! }
//! # let _ = (tell, register);
//! ```

mod compose;
mod delivery;
mod examine;
mod job;
mod notice;
mod queries;
mod queue;
mod server;

pub use delivery::{Delivery, DeliveryError};
pub use examine::{ExaminedServer, examine_mail_server};
pub use notice::{MailNotice, queue_notice};
pub use queue::Queued;

pub use crate::templates::{MailAbout, MailTemplate, MailTemplates, MailTexts};

pub(crate) use job::DeliverMail;
pub(crate) use notice::{in_one_line, queue_notice_with};
pub(crate) use queue::{Attachment, MAX_ATTACHMENT, NewMessage, is_configured, queue};

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
