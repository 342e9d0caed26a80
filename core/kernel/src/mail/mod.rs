//! Outgoing mail: written in the transaction of the change it tells about, sent after the commit.
//!
//! A message is delivered at least once. It is marked as sent after the mail server has taken it over, so a crash in between
//! sends it again, under the same `Message-ID`; it is never lost. Without a mail server in the configuration, nothing
//! is written.
//!
//! Features and modules register texts of theirs, and tell customers with a [`Mailer`]:
//!
//! ```
//! # extern crate stoa_kernel as stoa_core;
//! use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, MailTexts, Mailer};
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
//! async fn tell(tx: &mut Tx, mailer: &Mailer, customer_id: i64, cup_id: i64) -> Result<(), DbError> {
//!     let notice = MailNotice::new(&READY, customer_id, cup_id).line("tea", "Earl Grey");
//!     mailer.notice(tx, &notice).await.map(drop)
//! }
//!
//! fn register(cx: &mut ModuleContext<'_>) {
//!     cx.mail_template(READY);
//! }
//! # let _ = (tell, register);
//! ```

mod again;
mod file;
mod mailer;
mod notice;
mod part;
mod personal;
mod queries;
mod queue;
mod reader;
mod rows;
mod task;
mod templates;

pub use again::SentAgain;
pub use file::{MailFile, MailFileError, MailFiles, RenderMailFile};
pub use mailer::Mailer;
pub use notice::{MailNotice, in_one_line};
pub use part::{MailPart, MailParts, PaidOrder, WriteMailPart};
pub use queue::{
    Attachment, MAX_ATTACHMENT, NewMessage, Queued, attachment_place, body_place, html_place, is_configured,
};
pub use reader::{MailReader, MailReaders};
pub use rows::MailRow;
pub use task::SendMail;
pub use templates::{MailAbout, MailTemplate, MailTemplateTable, MailTemplates, MailTexts, Values, WithPages, Written};

use chrono::TimeDelta;

use crate::module::ModuleContext;
use crate::personal_data::{CustomerAnonymizing, CustomerExporting};
use crate::retention::Expired;

/// How long is remembered what was written about. Events are delivered again within hours, or when the operator says so.
const KEEP_KEYS: TimeDelta = TimeDelta::days(365);

/// The listeners of what waits to be sent.
pub fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<CustomerAnonymizing>("mail.erase", queue::EraseMessages);
    cx.on_preflight::<CustomerExporting>("mail.export", personal::ExportMails);
    cx.claims_from_guests("mail.claim", &[queries::CLAIM]);
    cx.expires(EXPIRED);
}

/// What need not be kept for ever.
const EXPIRED: &[Expired] =
    &[Expired { what: "keys of mails", delete: queries::PRUNE_KEYS, before: |_, now| now - KEEP_KEYS }];
