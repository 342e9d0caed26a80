//! Sending the mails that wait, by the operator's mail server.
//!
//! A message is marked as sent after the mail server has taken it over, so a crash in between sends it again, under the same
//! `Message-ID`. It is kept for a while, so that the operator can look at what was sent.

mod compose;
mod delivery;
mod examine;
mod listing;
mod oversight;
mod queries;
mod server;
mod test_mail;
mod uses;

pub use delivery::MailSender;
pub use examine::{ExaminedServer, examine_mail_server};
pub use listing::{
    Mail, MailState, ResendMailError, RetryMailError, count_mails, files_of_mail, find_mail, list_mails,
    mails_of_order, page_of_mails, resend_mail, retry_mail,
};
pub use oversight::SENDS_NO_MAIL;
pub use test_mail::{SentTest, TestMail, TestMailError, send_test_mail};
pub use uses::MailDelivery;

use chrono::TimeDelta;

use stoa_kernel::config::Config;
use stoa_kernel::mail::is_configured;
use stoa_kernel::module::ModuleContext;
use stoa_kernel::queue::MAIL;
use stoa_kernel::retention::Expired;

/// How long messages that could not be delivered are kept for the operator.
const KEEP_FAILED: TimeDelta = TimeDelta::days(30);

/// What sends mails, and the job of this feature. In a shop without a mail server, what was written while it had one waits.
pub(crate) fn register(cx: &mut ModuleContext<'_>, config: &Config) {
    cx.task_if(is_configured(config), MailSender::default());
    cx.works_off("mail.deliver", "sends the mails that wait", &[MAIL]);
    cx.examine_database("mail", oversight::ExamineMail);
    cx.expires(EXPIRED);
}

/// What this feature need not keep for ever.
const EXPIRED: &[Expired] = &[
    Expired {
        what: "mails that could not be delivered",
        delete: queries::PRUNE_MESSAGES,
        before: |_, now| now - KEEP_FAILED,
    },
    Expired {
        what: "mails that were sent",
        delete: queries::PRUNE_SENT,
        before: |config, now| now - TimeDelta::days(config.mail.retention_days),
    },
    Expired {
        what: "what became of mails that could not be delivered",
        delete: queries::PRUNE_TASKS,
        before: |_, now| now - KEEP_FAILED,
    },
];
