//! Mails about an order on its page.

use stoa_core::db::Db;
use stoa_core::mail::{Mail, MailState, mails_of_order};
use stoa_kernel::http::error::ApiResult;

use crate::page::Frame;
use crate::show::{Badge, Time};

/// How many of the newest mails are listed.
pub(super) const MAILS: i64 = 50;

/// A mail about the order.
pub(super) struct Letter {
    pub(super) id: i64,
    pub(super) at: Time,
    pub(super) subject: String,
    pub(super) recipient: String,
    pub(super) state: Badge,
    /// Why it was not taken when it was tried last.
    pub(super) problem: Option<String>,
    /// Whether it can be sent once more.
    pub(super) is_sent: bool,
}

/// What was written about the order; nothing to those who may neither read mails nor send them again.
pub(super) async fn mails_about(frame: &Frame, db: &Db, order_id: i64) -> ApiResult<Vec<Letter>> {
    if !frame.staff.may("mails.view") && !frame.staff.may("orders.mail") {
        return Ok(Vec::new());
    }
    let letter = |mail: Mail| Letter {
        id: mail.id,
        at: Time::of(mail.sent_at.unwrap_or(mail.created_at)),
        state: Badge::of(mail.state.as_str()),
        is_sent: mail.state == MailState::Sent,
        problem: mail.last_error.filter(|_| mail.state != MailState::Sent),
        subject: mail.subject,
        recipient: mail.recipient,
    };
    Ok(mails_of_order(db, order_id, MAILS).await?.into_iter().map(letter).collect())
}
