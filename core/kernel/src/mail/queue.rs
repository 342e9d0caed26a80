//! Writing messages down, to be sent once their transaction has committed.

use chrono::{DateTime, Utc};

use super::file::MailFile;
use super::queries;
use super::templates::Written;
use crate::config::Config;
use crate::db::Tx;
use crate::encryption::SealContext;
use crate::events::{InTransaction, ListenerError};
use crate::i18n::{Language, Message};
use crate::personal_data::CustomerAnonymizing;

/// A message to be sent, with a link that opens something: what it says is forgotten once it is sent.
#[derive(Debug, Clone)]
pub struct NewMessage<'a> {
    /// What kind of mail it is, such as `reset_password`.
    pub kind: &'static str,
    /// The address. No name stands beside it: whoever registers with somebody else's address must not
    /// have the shop send texts of their own there.
    pub recipient: &'a str,
    /// The language that they are written to in.
    pub language: Language,
    /// What it is called, in one line.
    pub subject: Message,
    /// What it says, without the end of its last line.
    pub body: Message,
    /// What the button says that stands for the link, which has a paragraph of its own.
    pub action: Message,
    /// When it is of no use any more, and not sent if it still waits.
    pub expires_at: DateTime<Utc>,
}

/// A message that somebody else has put into words.
#[derive(Debug, Clone, Copy)]
pub(super) struct WrittenMessage<'a> {
    /// What the message is about, such as `order_paid:12`: a second one with this key is not sent.
    pub(super) key: &'a str,
    /// What kind of mail it is: the name of its template.
    pub(super) kind: &'static str,
    /// The address.
    pub(super) recipient: &'a str,
    /// The customer whom it is about.
    pub(super) customer_id: Option<i64>,
    /// The order that it is about.
    pub(super) order_id: Option<i64>,
    /// What it says.
    pub(super) written: &'a Written,
    /// The file that it brings.
    pub(super) attachment: Option<&'a Attachment>,
    /// The files that are made when it is sent.
    pub(super) files: &'a [MailFile],
    /// When it is of no use any more, and not sent if it still waits.
    pub(super) expires_at: DateTime<Utc>,
}

/// A file that goes along with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attachment {
    /// Its name, in ASCII.
    pub name: String,
    /// What it is, such as `application/pdf`.
    pub media_type: &'static str,
    /// Its content, no longer than [`MAX_ATTACHMENT`].
    pub content: Vec<u8>,
}

/// What has become of a message that was to be written once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queued {
    /// It is written, and goes out after the commit.
    Now,
    /// One with its key was written before.
    Before,
    /// There is nobody to be written to, or no mail server.
    Nothing,
}

/// Bytes of the largest file that goes along with a message. Many mail servers refuse messages of more than 10 MB, and a
/// file grows by a third on its way.
pub const MAX_ATTACHMENT: usize = 5 << 20;

/// Whether the shop can send mail at all.
pub fn is_configured(config: &Config) -> bool {
    config.mail.smtp.host.is_some() && config.mail.from.is_some()
}

/// Where the file of a message is kept.
pub fn attachment_place(id: i64) -> SealContext {
    SealContext { table: "mail_attachments", column: "content", row: id }
}

/// Where the HTML of a message is kept.
pub fn html_place(id: i64) -> SealContext {
    SealContext { table: "mail_messages", column: "html", row: id }
}

/// Where the body of a message is kept.
pub fn body_place(id: i64) -> SealContext {
    SealContext { table: "mail_messages", column: "body", row: id }
}

/// Deletes the messages to and about whoever is anonymized.
pub(super) struct EraseMessages;

impl InTransaction<CustomerAnonymizing> for EraseMessages {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        for delete in [queries::DELETE_TASKS_TO, queries::DELETE_TO] {
            tx.run(delete).bind(event.email.as_str()).bind(event.customer_id).execute().await?;
        }
        Ok(())
    }
}
